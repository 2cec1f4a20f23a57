//! V1: texts that are made to take long, or to become large: JSON, YAML, gzip, URLs, selectors, tokens, headers.
//! Each is answered, in the words that are written here, and whoever comes next is served.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde_json::json;

use crate::support::*;

const JSON: &str = "application/json";
const YAML: &str = "application/yaml";
const LARGE: usize = 1024 * 1024;

fn map_with(data: &str) -> String {
    format!(r#"{{"metadata":{{"name":"a"}},"data":{data}}}"#)
}

#[tokio::test(start_paused = true)]
async fn v1_numbers_of_any_length_are_read_or_refused() {
    let client = client();
    let digits = "9".repeat(1_000_000);
    let numbers = [
        digits.clone(),
        format!("-{digits}"),
        format!("0.{digits}"),
        format!("1e{digits}"),
        format!("1e-{digits}"),
        format!("1.{digits}e-999999999999"),
    ];
    for (index, number) in numbers.into_iter().enumerate() {
        let body = format!(r#"{{"metadata":{{"name":"n{index}","generation":{number}}}}}"#);
        let answer = client.send("POST", CONFIG_MAPS, JSON, body.clone()).await;
        assert!(matches!(answer.code, 400 | 422), "{} for {number:.20}", answer.code);
        let answer = client.send("POST", CONFIG_MAPS, YAML, body.replace('{', "{ ")).await;
        // YAML becomes JSON first, and there Go writes floats that are 1 and 0 as these, and not as floats.
        let is_whole = number.starts_with("0.9") || number.contains("e-");
        let is_right = if is_whole { answer.code == 201 } else { matches!(answer.code, 400 | 422) };
        assert!(is_right, "{} for {number:.20}", answer.code);
    }
    client.config_map("after", "1").await;
}

#[tokio::test(start_paused = true)]
async fn v1_a_member_that_comes_a_hundred_thousand_times_is_the_last_one() {
    let client = client();
    let many = r#""k":"v","#.repeat(LARGE / 9);
    let body = map_with(&format!(r#"{{{many}"k":"last"}}"#));
    let refused = format!("{CONFIG_MAPS}?fieldValidation=Strict");
    let answer = client.send("POST", &refused, JSON, body.clone()).await;
    assert_eq!(answer.code, 400);
    assert_eq!(answer.text.matches("duplicate field").count(), 100, "upstream stops there");
    let made = client.send("POST", CONFIG_MAPS, JSON, body).await.expect(201);
    assert_eq!(made["data"]["k"], "last");
}

#[tokio::test(start_paused = true)]
async fn v1_names_of_a_megabyte_are_refused_once() {
    let client = client();
    let name = "n".repeat(1_000_000);
    for body in [
        json!({"metadata": {"name": name}}),
        json!({"metadata": {"name": "a", "labels": {name.clone(): "b"}}}),
        json!({"metadata": {"name": "a", "labels": {"b": name}}}),
        json!({"metadata": {"name": "a", "finalizers": [name]}}),
        json!({"metadata": {"name": "a"}, "data": {name.clone(): "b"}}),
    ] {
        let answer = client.post(CONFIG_MAPS, &body).await;
        assert_eq!(answer.code, 422, "{:.300}", answer.text);
        assert!(answer.text.len() < 10_000_000, "{}", answer.text.len());
    }
    let strict = format!("{CONFIG_MAPS}?fieldValidation=Strict");
    let answer = client.post(&strict, &json!({"metadata": {"name": "a"}, name: 1})).await;
    assert_eq!(answer.code, 400);
}

/// Nine levels of nine aliases each would be a gigabyte.
#[tokio::test(start_paused = true)]
async fn v1_aliases_do_not_multiply_a_text() {
    let client = client();
    let mut laughs = "a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n".to_owned();
    for (name, before) in ('b'..='j').zip('a'..='i') {
        let before = vec![format!("*{before}"); 9].join(",");
        laughs.push_str(&format!("{name}: &{name} [{before}]\n"));
    }
    let anchor = format!("a: &a {}\n", "x".repeat(1_000_000));
    let long = format!("{anchor}b: [{}]\n", vec!["*a"; 100_000].join(","));
    let merges = format!("a: &a {{k: v}}\nb: [{}]\n", vec!["{<<: *a}"; 50_000].join(","));
    let marks = "? ".repeat(100_000);
    let flat = format!("a: [{}]\n", vec!["1"; 300_000].join(","));
    let anchors: String = (0..50_000).map(|n| format!("- &a{n} x\n")).collect();
    let documents = "---\n".repeat(100_000);
    for body in [laughs, long, merges, marks, flat, anchors, documents] {
        let answer = client.send("POST", CONFIG_MAPS, YAML, body.clone()).await;
        assert!(matches!(answer.code, 400 | 422), "{}: {body:.30}", answer.code);
        assert!(answer.text.len() < 4_000_000, "{}", answer.text.len());
        let path = format!("{CONFIG_MAPS}/a?fieldManager=me");
        let apply = "application/apply-patch+yaml";
        let answer = client.send("PATCH", &path, apply, body.clone()).await;
        assert!(matches!(answer.code, 400 | 422), "{}: {body:.30}", answer.code);
    }
    client.config_map("after", "1").await;
}

/// Bodies are not unpacked, as upstream's are not.
#[tokio::test(start_paused = true)]
async fn v1_a_packed_body_is_no_body() {
    let client = client();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(map_with(r#"{"a":"b"}"#).as_bytes()).expect("memory");
    for _ in 0..200 {
        packed.write_all(&[b' '; 1 << 20]).expect("memory");
    }
    let request = http::Request::post(CONFIG_MAPS)
        .header("content-type", JSON)
        .header("content-encoding", "gzip")
        .body(Bytes::from(packed.finish().expect("memory")))
        .expect("a request");
    let answer = client.server.answer(request).await.expect("an answer");
    assert_eq!(answer.status(), 400);
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    assert!(body.len() < 1_000, "{}", body.len());
}

#[tokio::test(start_paused = true)]
async fn v1_any_path_is_answered() {
    let client = client();
    for path in [
        "/a".repeat(30_000),
        format!("/api/v1/namespaces/{}", "a/".repeat(30_000)),
        format!("/api/v1/namespaces/default/configmaps/{}", "a".repeat(60_000)),
        format!("/api/v1/namespaces/{}/configmaps/a", "%2F".repeat(20_000)),
        format!("/apis/{}/v1", "%".repeat(60_000)),
        format!("/api/v1/watch{}", "/watch".repeat(10_000)),
        format!("/openapi/v3/{}", "../".repeat(20_000)),
        format!("/readyz?{}", "exclude=a&".repeat(6_000)),
    ] {
        let answer = client.get(&path).await;
        assert!((200..500).contains(&answer.code), "{}: {path:.60}", answer.code);
        assert!(answer.text.len() < 1_000_000, "{}", answer.text.len());
    }
    client.config_map("after", "1").await;
}

#[tokio::test(start_paused = true)]
async fn v1_any_query_is_answered() {
    let client = client();
    for number in 0..200 {
        client.config_map(&format!("m{number}"), "1").await;
    }
    let values: Vec<String> = (0..8_000).map(|number| format!("v{number}")).collect();
    let terms: Vec<String> = (0..5_000).map(|number| format!("k{number}!=v")).collect();
    let names = vec!["metadata.name!=m"; 3_000].join(",");
    for (query, code) in [
        (format!("labelSelector=a+in+({})", values.join(",")), 200),
        (format!("labelSelector=a+notin+({})", values.join(",")), 200),
        (format!("labelSelector={}", terms.join(",")), 200),
        (format!("labelSelector={}", "(".repeat(60_000)), 400),
        (format!("labelSelector={}", "!".repeat(60_000)), 400),
        (format!("labelSelector={}", ",".repeat(60_000)), 400),
        (format!("fieldSelector={names}"), 200),
        (format!("fieldSelector={}", r"%5C".repeat(20_000)), 400),
        (format!("fieldSelector={}", "=".repeat(60_000)), 400),
        (format!("limit={}", "9".repeat(60_000)), 400),
        (format!("resourceVersion={}", "9".repeat(60_000)), 400),
        (format!("timeoutSeconds={}&watch=1", "9".repeat(60_000)), 400),
        (format!("timeout={}h", "9".repeat(60_000)), 400),
        ("a=b&".repeat(15_000), 200),
    ] {
        let answer = client.get(&format!("{CONFIG_MAPS}?{query}")).await;
        assert_eq!(answer.code, code, "{query:.60}: {:.300}", answer.text);
        assert!(answer.text.len() < 1_000_000, "{}", answer.text.len());
    }
}

#[tokio::test(start_paused = true)]
async fn v1_any_token_to_continue_is_answered() {
    let client = client();
    client.config_map("a", "1").await;
    let token = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let start =
        |start: &str| token(&format!(r#"{{"v":"meta.k8s.io/v1","rv":1,"start":"{start}"}}"#));
    for text in [
        "A".repeat(60_000),
        "=".repeat(60_000),
        token(&"[".repeat(40_000)),
        token(&format!(r#"{{"v":{}"#, r#"{"v":"#.repeat(8_000))),
        token(r#"{"v":"meta.k8s.io/v1","rv":-9223372036854775808,"start":"a"}"#),
        token(r#"{"v":"meta.k8s.io/v1","rv":1e999,"start":"a"}"#),
        token(r#"{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"a"}"#),
        start(&"a".repeat(40_000)),
        start(&"../".repeat(13_000)),
        start(r"\u0000"),
        start(r"\ud800"),
    ] {
        let answer = client.get(&format!("{CONFIG_MAPS}?limit=1&continue={text}")).await;
        assert!((200..505).contains(&answer.code), "{}: {text:.60}", answer.code);
        assert!(answer.text.len() < 1_000_000, "{}", answer.text.len());
    }
}

#[tokio::test(start_paused = true)]
async fn v1_any_wish_for_a_form_is_answered() {
    let client = client();
    client.config_map("a", "1").await;
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    for accept in [
        vec![table; 20_000].join(","),
        format!("{};q=0.1", "application/json;as=Nothing,".repeat(20_000)),
        format!("{table};{}", "a=b;".repeat(100_000)),
        format!("application/json;q={}", "9".repeat(500_000)),
        ",".repeat(500_000),
        ";".repeat(500_000),
        "*/".repeat(200_000),
        format!("application/json;v=\"{}\"", "\\\"".repeat(200_000)),
        vec!["application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"; 10_000].join(","),
    ] {
        let answer = client.get_as(CONFIG_MAPS, &accept).await;
        assert!(matches!(answer.code, 200 | 406), "{}: {accept:.60}", answer.code);
        assert!(answer.text.len() < 1_000_000, "{}", answer.text.len());
    }
}
