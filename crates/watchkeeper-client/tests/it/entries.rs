//! What fuzzers feed, and what must hold whatever they feed: a list and a watch tell the same
//! however their bytes are cut, and an error says what was asked for.

use tokio::runtime::{Builder, Runtime};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::json;
use watchkeeper_api::pb;
use watchkeeper_client::{Api, ListItem, ListOptions, Malformed, WatchEvent, WatchOptions};

use crate::fake::{Fake, bytes_of};

/// The first byte says whether the rest is a list or a watch, and in which codec; the next three,
/// in what pieces it comes.
pub(crate) fn streams(bytes: &[u8]) {
    let Some(([how, pieces @ ..], body)) = bytes.split_first_chunk::<4>() else { return };
    let (is_watch, is_message) = (how & 1 != 0, how & 2 != 0);
    let told = |pieces: &[u8]| {
        let content_type = if is_message { pb::CONTENT_TYPE } else { "application/json" };
        let answer = bytes_of(body).cut(pieces).header("Content-Type", content_type);
        let api = Fake::new([answer]).client().api::<ConfigMap>();
        RUNTIME.with(|runtime| {
            runtime
                .block_on(async { if is_watch { watched(&api).await } else { listed(&api).await } })
        })
    };
    let whole = told(&[]);
    assert_eq!(told(&[1]), whole, "byte by byte");
    assert_eq!(told(pieces), whole, "in pieces of {pieces:?}");
}

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
}

async fn watched(api: &Api<ConfigMap>) -> Vec<String> {
    let mut stream = match api.watch(&WatchOptions::since("1")).await {
        Ok(stream) => stream,
        Err(error) => return vec![error.to_string()],
    };
    let mut told = Vec::new();
    while let Some(event) = stream.next().await {
        told.push(match event {
            Ok(WatchEvent::Added(map)) => format!("added {}", json::to_string(&map)),
            Ok(WatchEvent::Modified(map)) => format!("modified {}", json::to_string(&map)),
            Ok(WatchEvent::Deleted(map)) => format!("deleted {}", json::to_string(&map)),
            Ok(WatchEvent::Bookmark { resource_version, initial_events_end }) => {
                format!("bookmark {resource_version} {initial_events_end}")
            }
            Ok(WatchEvent::Error(status)) => format!("ended {}", json::to_string(&*status)),
            Ok(WatchEvent::Malformed(bad)) => malformed(&bad),
            Err(error) => error.to_string(),
        });
    }
    told
}

async fn listed(api: &Api<ConfigMap>) -> Vec<String> {
    let mut stream = match api.list_stream(&ListOptions::default()).await {
        Ok(stream) => stream,
        Err(error) => return vec![error.to_string()],
    };
    let mut told = Vec::new();
    loop {
        match stream.next().await {
            Ok(Some(ListItem::Object(map))) => told.push(json::to_string(&map)),
            Ok(Some(ListItem::Malformed(bad))) => told.push(malformed(&bad)),
            Ok(None) => break,
            Err(error) => {
                told.push(error.to_string());
                return told;
            }
        }
    }
    told.push(format!("{:?}", stream.meta()));
    told
}

fn malformed(Malformed { key, resource_version, gone, error }: &Malformed) -> String {
    format!("malformed {key:?} {resource_version} {gone} {error}")
}
