//! Secrets pass through here, and are told nowhere.

use futures_util::FutureExt as _;
use http::header::AUTHORIZATION;
use serde_json::json;
use watchkeeper_api::core::v1::{Pod, Secret};
use watchkeeper_api::{object, pb};
use watchkeeper_client::{
    Api, CreateOptions, ExecOptions, ListItem, ListOptions, LogOptions, Patch, Propagation,
    WatchEvent, WatchOptions,
};

use crate::failure;
use crate::fake::{Answer, Fake, bytes_of, ok, status};
use crate::log::Log;

const PASSWORD: &str = "hunter2";

fn secret() -> Secret {
    object!(Secret { metadata: { name: "s" }, string_data: { "password": PASSWORD } })
}

fn api(answers: impl IntoIterator<Item = Answer>) -> Api<Secret> {
    Fake::new(answers).client().api::<Secret>().namespace("a")
}

/// Neither the text nor the numbers of its bytes.
fn tells_nothing(shown: &str) {
    let numbers = format!("{:?}", PASSWORD.as_bytes());
    for secret in [PASSWORD, "aHVudGVyMg", numbers.trim_matches(['[', ']'])] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_does_not_show_what_has_arrived() {
    let text =
        json!({ "type": "ADDED", "object": { "stringData": { "p": PASSWORD } } }).to_string();
    let list = format!("{{\"items\":[{},{text}", text.replace("ADDED", "MODIFIED"));
    let message = pb::list_to_body(&Secret::KIND, &Default::default(), [&secret() as _]);
    let frame = pb::event_to_frame("ADDED", &secret());
    let is_message = |body: &[u8]| {
        let cut = &body[..body.len() - 10];
        bytes_of(cut).header("Content-Type", pb::CONTENT_TYPE).then_silence()
    };
    for answer in [bytes_of(list.as_bytes()).then_silence(), is_message(&message)] {
        let mut stream = api([answer]).list_stream(&ListOptions::default()).await.unwrap();
        while let Some(item) = stream.next().now_or_never() {
            let item: Option<ListItem<Secret>> = item.unwrap();
            tells_nothing(&format!("{item:?}"));
        }
        let shown = format!("{stream:?} {stream:#?}");
        tells_nothing(&shown);
        assert!(shown.contains("ListFrames("), "{shown}");
    }
    for answer in [bytes_of(text.as_bytes()).then_silence(), is_message(&frame)] {
        let mut stream = api([answer]).watch(&WatchOptions::since("1")).await.unwrap();
        assert!(stream.next().now_or_never().is_none());
        tells_nothing(&format!("{stream:?} {stream:#?}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_log_does_not_show_what_has_arrived() {
    let pods = Fake::new([ok("password=hunter2").then_silence()]).client();
    let pods: Api<Pod> = pods.api().namespace("a");
    let options = LogOptions { follow: true, ..LogOptions::default() };
    let mut log = pods.log_stream("p", &options).await.unwrap();
    assert!(log.next_line().now_or_never().is_none());
    let shown = format!("{log:?}");
    assert!(shown.contains("16 bytes"), "{shown}");
    tells_nothing(&shown);
}

#[tokio::test(start_paused = true)]
async fn errors_do_not_quote_what_cannot_be_read() {
    let wrong = json!({ "metadata": { "name": "s" }, "data": { "p": "hunter2!" } });
    let line = format!("{}\n", json!({ "type": "ADDED", "object": wrong }));
    let list = json!({ "metadata": {}, "items": [wrong] }).to_string();
    let mut watch = api([ok(&line)]).watch(&WatchOptions::since("1")).await.unwrap();
    let Some(Ok(WatchEvent::Malformed(bad))) = watch.next().await else {
        panic!("it is no secret")
    };
    tells_nothing(&format!("{bad:?} {}", bad.error));
    let page = api([ok(&list)]).list(&ListOptions::default()).await.unwrap();
    assert_eq!(page.malformed.len(), 1);
    tells_nothing(&format!("{page:?}"));
    for body in [wrong.to_string(), "hunter2".to_owned(), "{\"data\":{\"p\":\"hunter2".to_owned()] {
        let error = api([ok(&body)]).get("s").await.unwrap_err();
        tells_nothing(&format!("{error} {error:?}"));
    }
    for line in ["hunter2\n", "{\"type\":\"ADDED\",\"object\":hunter2}\n", "{\"object\":\"hunter2"]
    {
        let mut watch = api([ok(line)]).watch(&WatchOptions::since("1")).await.unwrap();
        while let Some(event) = watch.next().await {
            tells_nothing(&format!("{event:?}"));
        }
    }
    // What is no Status is not told, either: it may be a page of a proxy.
    let error = api([status(500, "hunter2")]).get("s").await.unwrap_err();
    tells_nothing(&format!("{error} {error:?}"));
    let refused = failure(422, "Invalid", "data[p]: too long");
    let error = api([status(422, &refused)]).create(&secret(), &CreateOptions::default()).await;
    tells_nothing(&format!("{:?}", error.unwrap_err()));
}

/// The words of a command are in the query of its request.
#[tokio::test(start_paused = true)]
async fn a_warning_does_not_show_the_command_it_is_about() {
    let warned = || {
        let refused = status(403, &failure(403, "Forbidden", "no"));
        refused.header("Warning", r#"299 - "no more of this""#)
    };
    let log = Log::new();
    let pods = Fake::new([warned(), warned()]).client().api::<Pod>().namespace("a");
    let login = ExecOptions::new(["mysql", "--password", PASSWORD]);
    pods.exec("p", &login).await.unwrap_err();
    let all = ListOptions::default().labels("password=hunter2");
    pods.list(&all).await.unwrap_err();
    let lines = log.with("WARN ");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("no more of this"), "{lines:?}");
    assert!(lines[0].contains("path=/api/v1/namespaces/a/pods/p/exec"), "{lines:?}");
    // Of all levels, the spans' fields aside, which `tracing` asserts.
    tells_nothing(&log.with("").concat());
}

#[test]
fn requests_show_neither_headers_nor_bodies() {
    let client = Fake::new([]).client();
    let request = client
        .rest()
        .post()
        .path("/api/v1/namespaces/a/secrets")
        .header(AUTHORIZATION.as_str(), "Bearer hunter2")
        .body(&secret());
    tells_nothing(&format!("{request:?}"));
    let before = object!(Secret { metadata: { name: "s" } });
    let patches = [
        Patch::apply(&secret()),
        Patch::merge_from(&before, &secret()).unwrap().unwrap(),
        Patch::json(&json!([{ "op": "add", "path": "/stringData", "value": { "p": PASSWORD } }])),
    ];
    tells_nothing(&format!("{patches:?} {client:?} {:?}", Propagation::Orphan));
}
