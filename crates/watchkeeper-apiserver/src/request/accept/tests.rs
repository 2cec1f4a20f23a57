//! Which of its wishes a client gets.

use http::HeaderValue;

use super::*;

fn headers(accept: &str) -> HeaderMap {
    let value = HeaderValue::from_str(accept).expect("a header");
    if accept.is_empty() {
        HeaderMap::new()
    } else {
        [(header::ACCEPT, value)].into_iter().collect()
    }
}

#[test]
fn the_best_codec_that_there_is_is_taken() {
    for (accept, taken) in [
        ("", Some(Codec::Json)),
        ("*/*", Some(Codec::Json)),
        ("application/yaml", Some(Codec::Yaml)),
        ("application/vnd.kubernetes.protobuf, application/json", Some(Codec::Protobuf)),
        ("application/json;q=0.5, application/yaml", Some(Codec::Yaml)),
        ("application/json;q=0.5, application/yaml;q=0.4", Some(Codec::Json)),
        ("application/*;q=0.9, application/yaml;q=0.1", Some(Codec::Yaml)),
        ("*/*, application/*;q=0.1", Some(Codec::Json)),
        ("text/html, application/yaml;q=0.1", Some(Codec::Yaml)),
        ("application/yaml;stream=watch", None),
        ("application/json;stream=watch", Some(Codec::Json)),
        ("application/json;stream=other", None),
        ("application/json;as=Table;g=meta.k8s.io;v=v1", None),
        ("text/html", None),
    ] {
        assert_eq!(codec(&headers(accept)), taken, "{accept}");
    }
}

#[test]
fn of_several_media_types_the_one_that_the_client_likes_best_is_picked() {
    let offered = ["a/x", "a/y"];
    for (accept, picked) in [
        ("", Some("a/x")),
        ("a/y", Some("a/y")),
        ("a/y;q=0.5, a/x;q=0.6", Some("a/x")),
        ("a/x;q=0.5, a/y;q=0.6", Some("a/y")),
        ("a/x;q=2, a/y;q=0.9", Some("a/x")),
        ("*/*", Some("a/x")),
        ("b/z", None),
    ] {
        assert_eq!(pick(&headers(accept), &offered), picked, "{accept}");
    }
}

#[test]
fn json_comes_in_lines_where_the_entry_that_it_satisfies_says_so() {
    for (accept, lines) in [
        ("application/json;pretty=1", true),
        ("application/json;pretty=0", false),
        ("application/json", false),
        ("application/yaml;pretty=1", false),
        ("application/yaml;pretty=1, application/json", false),
        ("application/json;q=0.5, */*;pretty=1", true),
        ("*/*;pretty=1, application/json;q=0.5", false),
    ] {
        assert_eq!(wants_lines(&headers(accept)), lines, "{accept}");
    }
    assert!(json(&headers("")).is_ok() && json(&headers("text/html, */*")).is_ok());
    assert_eq!(json(&headers("application/yaml")).map_err(|error| error.code), Err(406));
}

#[test]
fn an_entry_is_read_with_what_is_behind_it() {
    let read =
        accepted(&headers("application/json;as=Table;v=v1;g=meta.k8s.io;q=0.25;stream=watch, ,b"));
    let table = Accept {
        media_type: "application/json".to_owned(),
        kind: "Table".to_owned(),
        group: "meta.k8s.io".to_owned(),
        version: "v1".to_owned(),
        converts: true,
        stream: "watch".to_owned(),
        pretty: false,
        quality: 250,
    };
    let other = Accept { media_type: "b".to_owned(), quality: 1000, ..Accept::default() };
    assert_eq!(read, [table, other]);
    for (text, thousandths) in [
        ("0", 0),
        ("1", 1000),
        ("0.001", 1),
        ("0.0015", 2),
        ("1.1", 1000),
        ("-1", 1000),
        ("x", 1000),
    ] {
        assert_eq!(quality(text), thousandths, "{text}");
    }
    let many = ["a/b"; 101].join(",");
    assert_eq!(accepted(&headers(&many)).len(), 100);
}
