//! What is printed of a server and its parts: how much there is, never what, as secrets are in it.

use http_body::Body as _;
use http_body_util::BodyExt as _;
use serde_json::json;
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{Audit, Fault, Faults, NthWrite, Verdict, Write};
use watchkeeper_apiserver::journal::Kept;
use watchkeeper_apiserver::{Body, Hook, Now};

use crate::support::{CONFIG_MAPS, Client, client};

#[tokio::test(start_paused = true)]
async fn of_a_server_its_revision_and_its_watches_are_printed() {
    let client = client();
    let version = client.config_map("a", "secret").await;
    let printed = |watches: usize| {
        format!("ApiServer {{ core: Core {{ revision: {version}, watches: {watches}, .. }}, .. }}")
    };
    assert_eq!(format!("{:?}", client.server), printed(0));
    let watch = client.watch(&format!("{CONFIG_MAPS}?watch=true")).await;
    assert_eq!(format!("{:?}", client.server), printed(1));
    let other = client.watch(&format!("{CONFIG_MAPS}?watch=true")).await;
    assert_eq!(format!("{:?}", client.server), printed(2));
    drop((watch, other));
    assert_eq!(format!("{:?}", client.server), printed(0));
}

async fn body(client: &Client, path: &str) -> Body {
    client.open("GET", path, &[], String::new()).await.expect("an answer").into_body()
}

#[tokio::test(start_paused = true)]
async fn of_a_body_its_kind_is_printed_and_it_knows_its_end() {
    let (client, audit) = (client(), Audit::default());
    client.config_map("a", &"x".repeat(200_000)).await;
    client.server.add_hook(audit.clone());
    let watch = format!("{CONFIG_MAPS}?watch=true");
    let kinds =
        [("/version", "Body::Whole"), (CONFIG_MAPS, "Body::List"), (&*watch, "Body::Stream")];
    for (path, kind) in kinds {
        assert_eq!(format!("{:?}", body(&client, path).await), kind, "{path}");
    }
    let codes: Vec<_> = audit.entries().iter().map(|entry| entry.code).collect();
    assert_eq!(codes, [Some(200); 3], "of a long list, too");
    for (path, _) in &kinds[..2] {
        let mut body = body(&client, path).await;
        let mut left = body.size_hint().exact().expect("a length");
        while !body.is_end_stream() {
            let frame = body.frame().await.expect("a piece");
            left -= frame.expect("no error").into_data().expect("data").len() as u64;
            assert_eq!(body.size_hint().exact(), Some(left), "{path}");
        }
        assert_eq!(left, 0, "{path}");
        assert!(body.frame().await.is_none(), "{path}");
    }
}

/// Refuses a write with what is printed of it.
struct Printed;

impl Hook for Printed {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        let told = format!("{write:?}");
        Verdict::Refuse(Box::new(ApiError::new(503, "ServiceUnavailable", told)))
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_write_who_writes_what_is_printed() {
    let client = client();
    client.server.add_hook(Printed);
    let body = json!({"metadata": {"name": "a"}, "data": {"password": "x"}});
    let told = client.post(CONFIG_MAPS, &body).await.line();
    let want = "503 ServiceUnavailable: Write(tester Create configmaps default/a, ";
    assert!(told.starts_with(want) && told.ends_with(" before)"), "{told}");
}

#[test]
fn of_a_hook_what_it_was_told_to_do_is_printed() {
    let printed = format!("{:?}", Audit::default());
    assert_eq!(printed, "Audit { .. }");
    let nth = NthWrite::new(3, Fault::Hangup).spare("me");
    let want = "NthWrite { n: 3, fault: Hangup, spared: [\"me\"], struck: None, .. }";
    assert_eq!(format!("{nth:?}"), want);
    let faults = format!("{:?}", Faults::seeded(1).spare("me"));
    assert!(faults.starts_with("Faults { shares: [(Hangup, 20), "), "{faults}");
    assert!(faults.ends_with("], spared: [\"me\"], struck: {}, .. }"), "{faults}");
}

#[test]
fn of_what_was_kept_its_place_is_printed() {
    let [table, key] = ["secrets", "default/a"].map(str::to_owned);
    let kept = Kept { table, key, revision: 7, at: Now::default(), json: b"hunter2".to_vec() };
    assert_eq!(format!("{kept:?}"), "Kept(7 secrets default/a)");
}
