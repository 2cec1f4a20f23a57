//! What the body of an answer says of itself.

use futures_util::stream;
use http_body::Body as _;
use http_body_util::BodyExt as _;
use watchkeeper_apiserver::containers::{Kubelet, LogRequest, LogStream};
use watchkeeper_apiserver::{ApiServer, Body};

use crate::support::{CONFIG_MAPS, Client, PODS, client};
use crate::v13_logs::started;

/// Its containers have not printed anything yet.
struct Silent;

impl Kubelet for Silent {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(stream::pending())
    }
}

async fn body(client: &Client, path: &str) -> Body {
    let answer = client.open("GET", path, &[], String::new()).await.expect("an answer");
    assert_eq!(answer.status(), 200, "{path}");
    answer.into_body()
}

#[tokio::test(start_paused = true)]
async fn what_is_at_hand_says_how_much_of_it_is_left() {
    let client = client();
    for name in ["a", "b"] {
        client.config_map(name, &"x".repeat(100_000)).await;
    }
    for (path, kind) in [
        (format!("{CONFIG_MAPS}/a"), "Body::Whole"),
        (format!("{CONFIG_MAPS}?limit=1"), "Body::Whole"),
        // A long one, which comes in pieces.
        (CONFIG_MAPS.to_owned(), "Body::List"),
    ] {
        let mut body = body(&client, &path).await;
        assert_eq!(format!("{body:?}"), kind, "{path}");
        let mut left = body.size_hint().exact().expect("a length");
        assert!(left > 0, "{path}");
        while left > 0 {
            assert!(!body.is_end_stream(), "{path}: {left}");
            let frame = body.frame().await.expect("more").expect("a frame");
            left -= frame.into_data().expect("data").len() as u64;
            assert_eq!(body.size_hint().exact(), Some(left), "{path}");
        }
        assert!(body.is_end_stream(), "{path}");
        assert!(body.frame().await.is_none(), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_to_come_has_no_length() {
    let client = client();
    client.server.set_kubelet(Silent);
    started(&client).await;
    for (path, kind) in [
        (format!("{CONFIG_MAPS}?watch=1"), "Body::Stream"),
        (format!("{PODS}/web/log?container=main&follow=true"), "Body::Log"),
    ] {
        let body = body(&client, &path).await;
        assert_eq!(format!("{body:?}"), kind);
        assert_eq!((body.size_hint().exact(), body.is_end_stream()), (None, false), "{kind}");
    }
}
