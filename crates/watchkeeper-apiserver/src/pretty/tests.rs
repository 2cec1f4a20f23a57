//! What is written in lines, for whom.

use expect_test::expect;
use http::{HeaderMap, HeaderValue, Uri, header};

use super::{MOST_TIMES, is_wanted, lines};

#[test]
fn lines_are_those_of_go() {
    let json = br#"{"a":{},"b":[],"c":[1,{"d":"{\"x\": [,]\\"}],"e":null}"#;
    let lines = String::from_utf8(lines(json).expect("lines")).expect("text");
    expect![[r#"
        {
          "a": {},
          "b": [],
          "c": [
            1,
            {
              "d": "{\"x\": [,]\\"
            }
          ],
          "e": null
        }"#]]
    .assert_eq(&lines);
}

#[test]
fn what_is_deep_stays_in_one_line() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(lines(deep(MOST_TIMES / 2).as_bytes()).is_some());
    assert!(lines(deep(1000).as_bytes()).is_none());
    assert_eq!(lines(b"").as_deref(), Some(&b""[..]));
}

fn wanted(uri: &'static str, agent: &'static str, accept: &'static str) -> bool {
    let mut headers = HeaderMap::new();
    headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
    headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
    is_wanted(&Uri::from_static(uri), &headers)
}

#[test]
fn the_query_says_more_than_the_program() {
    let (pods, json) = ("/api/v1/pods", "application/json");
    assert!(!wanted(pods, "kubectl/v1.36.0", json));
    for agent in ["curl/8.5.0", "Wget/1.21", "Mozilla/5.0 (X11)"] {
        assert!(wanted(pods, agent, json), "{agent}");
    }
    assert!(!wanted(pods, "Mozilla/4.0", json));
    for yes in ["/api/v1/pods?pretty=true", "/api/v1/pods?watch=0&pretty=1"] {
        assert!(wanted(yes, "kubectl", json), "{yes}");
    }
    for no in ["/api/v1/pods?pretty=false", "/api/v1/pods?pretty=yes"] {
        assert!(!wanted(no, "curl/8.5.0", json), "{no}");
    }
    assert!(wanted("/api/v1/pods?pretty=", "curl/8.5.0", json), "it says nothing");
}

#[test]
fn the_entry_that_is_taken_may_ask_for_it() {
    let pods = "/api/v1/pods";
    assert!(wanted(pods, "a", "application/json;pretty=1"));
    assert!(!wanted(pods, "a", "application/json;pretty=true"));
    assert!(!wanted(pods, "a", "application/json;pretty=1;q=0.5, application/json"));
    assert!(wanted(pods, "a", "application/yaml, application/json;pretty=1"));
}

#[test]
fn what_the_server_says_of_itself_is_always_in_lines_and_its_schemas_never() {
    assert!(wanted("/version", "kubectl", "*/*"));
    assert!(wanted("/", "kubectl", "*/*"));
    assert!(!wanted("/openapi/v3", "curl/8.5.0", "*/*"));
}
