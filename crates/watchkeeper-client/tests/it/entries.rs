//! What fuzzers feed, and what must hold whatever they feed: a list and a watch tell the same
//! however their bytes are cut, and an error says what was asked for and where it is.

use tokio::runtime::{Builder, Runtime};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::error::{Error, Why};
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
            runtime.block_on(async {
                let length = body.len();
                if is_watch { watched(&api, length).await } else { listed(&api, length).await }
            })
        })
    };
    let whole = told(&[]);
    assert_eq!(told(&[1]), whole, "byte by byte");
    assert_eq!(told(pieces), whole, "in pieces of {pieces:?}");
}

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
}

async fn watched(api: &Api<ConfigMap>, length: usize) -> Vec<String> {
    let mut stream = match api.watch(&WatchOptions::since("1")).await {
        Ok(stream) => stream,
        Err(error) => panic!("the head is that of an answer: {error}"),
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
            Ok(WatchEvent::Malformed(bad)) => malformed(&bad, length),
            Err(error) => placed("watch configmaps", &error, length),
        });
    }
    told
}

async fn listed(api: &Api<ConfigMap>, length: usize) -> Vec<String> {
    let mut stream = match api.list_stream(&ListOptions::default()).await {
        Ok(stream) => stream,
        Err(error) => panic!("the head is that of an answer: {error}"),
    };
    let mut told = Vec::new();
    loop {
        match stream.next().await {
            Ok(Some(ListItem::Object(map))) => told.push(json::to_string(&map)),
            Ok(Some(ListItem::Malformed(bad))) => told.push(malformed(&bad, length)),
            Ok(None) => break,
            Err(error) => {
                told.push(placed("list configmaps", &error, length));
                return told;
            }
        }
    }
    told.push(format!("{:?}", stream.meta()));
    told
}

fn malformed(bad: &Malformed, length: usize) -> String {
    let Malformed { key, resource_version, gone, error } = bad;
    assert!(matches!(error.why(), Why::Decode(_)), "it is an object at least: {error}");
    let error = placed("", error, length);
    format!("malformed {key:?} {resource_version} {gone} {error}")
}

/// An error tells what was asked for, and a byte within the answer; or that all of the answer is something
/// else than what is at that path.
fn placed(asked: &str, error: &Error, length: usize) -> String {
    let told = error.to_string();
    assert!(told.starts_with(asked) && !told.contains('\n'), "{told}");
    match error.why() {
        Why::Decode(read) => {
            assert!(read.offset() <= length, "beyond {length}: {told}");
            assert!(told.ends_with(&format!("(at byte {})", read.offset())), "{told}");
        }
        Why::Other(what) => {
            let whole = "expected a ConfigMapList at /api/v1/configmaps, found ";
            assert!(what.starts_with(whole), "no place: {told}");
        }
        _ => panic!("the answer is all that there is to complain of: {error:?}"),
    }
    told
}
