//! Paths, and how long a profile may take. Profiles are taken in `tests/it`, as there is one at a time.

use http::Request;

use super::*;

async fn asked(request: &str) -> (u16, String) {
    let (method, target) = request.split_once(' ').expect("a method and a target");
    let request = Request::builder().method(method).uri(target).body(()).expect("a request");
    let (parts, ()) = request.into_parts();
    let answer = Arc::new(Profiles::new()).answer(parts, Body::empty()).await;
    let (head, body) = answer.into_parts();
    let body = body.collect(1 << 20).await.expect("a body");
    (head.status.as_u16(), String::from_utf8(body.to_vec()).expect("text"))
}

#[tokio::test]
async fn the_paths_are_those_of_go() {
    let (status, index) = asked("GET /debug/pprof/").await;
    assert_eq!(status, 200);
    assert!(index.starts_with("/debug/pprof/\n\nprofile\t"), "{index}");
    assert_eq!(asked("GET /debug/pprof").await.1, index);
    let (status, words) = asked("GET /debug/pprof/cmdline").await;
    assert_eq!(status, 200);
    assert!(words.split('\0').eq(std::env::args()), "{words:?}");
    for missing in ["GET /", "GET /debug", "GET /debug/pprofs", "GET /metrics"] {
        assert_eq!(asked(missing).await, (404, "404 page not found\n".to_owned()), "{missing}");
    }
    let unknown = "Unknown profile; /debug/pprof/ tells those that there are\n";
    assert_eq!(asked("GET /debug/pprof/cpu").await, (404, unknown.to_owned()));
    assert_eq!(asked("POST /debug/pprof/profile").await.0, 405);
}

#[tokio::test]
async fn what_rust_does_not_have_is_refused_with_why() {
    let names =
        ["allocs", "heap", "block", "mutex", "goroutine", "symbol", "threadcreate", "trace"];
    for name in names {
        let (status, why) = asked(&format!("GET /debug/pprof/{name}?debug=1")).await;
        assert_eq!(status, 404, "{name}");
        let begins = format!("there is no profile {name:?} here: ");
        assert!(why.starts_with(&begins) && why.len() > begins.len() + 40, "{why}");
    }
}

#[tokio::test]
async fn a_profile_takes_a_number_of_seconds_within_bounds() {
    let seconds = |query| lasts(query).map(|lasts| lasts.as_secs()).ok();
    for (query, expected) in
        [("", 30), ("seconds=", 30), ("debug=1", 30), ("a=b&seconds=1", 1), ("seconds=300", 300)]
    {
        assert_eq!(seconds(query), Some(expected), "{query}");
    }
    for wrong in ["0", "301", "-1", "1.5", "5s", "five", "99999999999999999999", "%30x"] {
        let said = asked(&format!("GET /debug/pprof/profile?seconds={wrong}")).await;
        let expected = "seconds must be a whole number from 1 to 300\n";
        assert_eq!(said, (400, expected.to_owned()), "{wrong}");
    }
}

#[tokio::test]
async fn gos_tool_is_told_that_a_text_is_for_it() {
    let parts = Request::get("/debug/pprof/heap").body(()).expect("a request").into_parts().0;
    let answer = Arc::new(Profiles::new()).answer(parts, Body::empty()).await;
    assert_eq!(answer.headers()["x-go-pprof"], "1");
}
