//! Requests as they come in: bodies in parts, and names for the audit.

use std::io;

use bytes::Bytes;
use futures_util::stream;
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use serde_json::Value;
use tower_service::Service as _;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::server::Hangup;

use crate::support::{CONFIG_MAPS, client};

type Part = Result<Frame<Bytes>, io::Error>;

/// Code and body of the answer to a config map that is sent in these parts.
async fn sent(parts: Vec<Part>) -> (u16, Value) {
    let request = http::Request::post(CONFIG_MAPS)
        .header("content-type", "application/json")
        .body(StreamBody::new(stream::iter(parts)))
        .expect("a request");
    let answer = ApiServer::new().call(request).await.expect("an answer");
    let code = answer.status().as_u16();
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    (code, serde_json::from_slice(&body).expect("JSON"))
}

fn part(text: &'static str) -> Part {
    Ok(Frame::data(Bytes::from_static(text.as_bytes())))
}

#[tokio::test(start_paused = true)]
async fn a_body_is_all_its_parts_or_none() {
    let (begins, ends) = ("{\"metadata\": {\"na", "me\": \"a\"}}");
    let (code, made) = sent(vec![part(begins), part(ends)]).await;
    assert_eq!((code, &made["metadata"]["name"]), (201, &"a".into()));
    let broken = Err(io::Error::other("the wire is cut"));
    let (code, refused) = sent(vec![part(begins), broken]).await;
    assert_eq!(code, 400);
    assert_eq!(refused["message"], "the body ended early: the wire is cut");
}

#[tokio::test(start_paused = true)]
async fn an_empty_name_for_the_audit_is_none() {
    let headers = [("audit-id", "")];
    let answer = client().try_send("GET", CONFIG_MAPS, &headers, "").await.expect("an answer");
    assert_eq!(answer.headers["audit-id"].len(), 36);
}

#[test]
fn who_gets_no_answer_is_told_so() {
    assert_eq!(Hangup.to_string(), "the server closed the connection without an answer");
}
