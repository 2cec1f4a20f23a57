//! What the server says, as far as it comes.

use std::io;
use std::ops::Range;

use http::{Method, Uri};
use watchkeeper_client::BoxError;

use super::Stage;
use crate::never;

/// What is served under `/api`.
const CORE: &str = r#"{"kind":"APIGroupDiscoveryList","items":[{"metadata":{},"versions":[{"version":"v1","resources":[{"resource":"configmaps","responseKind":{"kind":"ConfigMap"},"scope":"Namespaced","verbs":["list","watch"]}]}]}]}"#;
/// What is served under `/apis`.
const GROUPS: &str = r#"{"kind":"APIGroupDiscoveryList","metadata":{},"items":[]}"#;

/// A text, and whether that is all.
type Said = (String, bool);

/// Whether what is served is asked for.
pub(super) fn is_discovery(uri: &Uri) -> bool {
    matches!(uri.path(), "/api" | "/apis")
}

/// What is said to a request; `None` if it is refused.
pub(super) async fn said(
    stage: Stage,
    method: &Method,
    uri: &Uri,
) -> Result<Option<Said>, BoxError> {
    let query = uri.query().unwrap_or_default();
    Ok(match *method {
        Method::GET if is_discovery(uri) => Some(discovery(stage, uri.path()).await?),
        Method::GET if query.contains("watch=true") => {
            watch(stage).await?.map(|text| (text, false))
        }
        Method::GET => Some(list(stage, query.contains("continue=")).await),
        _ => Some((written(stage).await?, true)),
    })
}

async fn discovery(stage: Stage, path: &str) -> Result<Said, BoxError> {
    match stage {
        Stage::Discovering => never().await,
        Stage::BackingOff => Err(io::Error::from(io::ErrorKind::ConnectionRefused).into()),
        _ if path == "/api" => Ok((CORE.to_owned(), true)),
        Stage::HalfDiscovered => Ok((GROUPS[..GROUPS.len() / 2].to_owned(), false)),
        _ => Ok((GROUPS.to_owned(), true)),
    }
}

async fn watch(stage: Stage) -> Result<Option<String>, BoxError> {
    let present = || events("ADDED", 1..20);
    Ok(match stage {
        Stage::Idle | Stage::Discovering | Stage::HalfDiscovered | Stage::Asking => never().await,
        Stage::BackingOff => return Err(io::Error::from(io::ErrorKind::ConnectionRefused).into()),
        Stage::HalfAList | Stage::BetweenPages => None,
        Stage::Initial => Some(present() + r#"{"type":"ADD"#),
        Stage::Busy => Some(present() + &end(20) + &events("MODIFIED", 21..200)),
        Stage::Watching | Stage::Resyncing | Stage::Writing | Stage::Behind | Stage::Inquiring => {
            Some(present() + &end(20))
        }
    })
}

async fn list(stage: Stage, is_later_page: bool) -> Said {
    let head = r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"continue":"x"},"items":["#;
    let objects = head.to_owned() + &map(1) + "," + &map(2);
    match stage {
        Stage::HalfAList => (objects + r#",{"kind":"Conf"#, false),
        Stage::BetweenPages if !is_later_page => (objects + "]}", true),
        _ => never().await,
    }
}

/// What is answered to a write.
async fn written(stage: Stage) -> Result<String, BoxError> {
    match stage {
        Stage::Behind => Ok(map(1001)),
        Stage::Inquiring => Err(io::Error::from(io::ErrorKind::ConnectionReset).into()),
        _ => never().await,
    }
}

fn map(version: u32) -> String {
    let name = version % 20;
    let text = "x".repeat(300);
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"o-{name}","namespace":"default","uid":"{name}","resourceVersion":"{version}"}},"data":{{"text":"{text}"}}}}"#
    )
}

fn events(verb: &str, versions: Range<u32>) -> String {
    let event = |version| format!("{{\"type\":\"{verb}\",\"object\":{}}}\n", map(version));
    versions.map(event).collect()
}

fn end(version: u32) -> String {
    let end = r#""annotations":{"k8s.io/initial-events-end":"true"}"#;
    format!(
        "{{\"type\":\"BOOKMARK\",\"object\":{{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{{\"resourceVersion\":\"{version}\",{end}}}}}}}\n"
    )
}
