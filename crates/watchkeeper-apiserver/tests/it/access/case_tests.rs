//! A case asks what it says, and of an answer is compared what it says.

use serde_json::{Value, json};

use super::case::{self, Kept, Told};

fn kept() -> Kept {
    Kept::from([("first".to_owned(), "12".to_owned())])
}

fn told(case: Value, code: u16, text: &str) -> Value {
    let headers = [("warning", "299 - \"a\""), ("etag", "x"), ("warning", "299 - \"b\"")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    case::told(&case, &Told::new(code, headers.to_vec(), text), &kept())
}

#[test]
fn what_was_kept_and_what_is_repeated_is_filled_in() {
    let case = json!({"do": "GET /a?resourceVersion=<<first>>", "text": "[<<{},*2>>\"$first\"]"});
    assert_eq!(
        case::request(&case, &kept()),
        ("GET".to_owned(), "/a?resourceVersion=12".to_owned())
    );
    assert_eq!(case::body(&case, &kept()), b"[{},{},\"12\"]");
    assert_eq!(case::body(&json!({"hex": "6b00ff"}), &kept()), b"k\0\xff");
    assert_eq!(case::body(&json!({"body": {"a": "<<first>>"}}), &kept()), b"{\"a\":\"12\"}");
    assert_eq!(case::body(&json!({}), &kept()), b"");
}

#[test]
fn what_is_compared_is_what_the_case_says() {
    let text = "{\"a\": {\"b\": 1}, \"uid\": \"0123456789\"}";
    let all = json!({"code": 200, "body": {"a": {"b": 1}, "uid": "…"}});
    assert_eq!(told(json!({}), 200, text), all);
    assert_eq!(told(json!({"only": "code"}), 200, text), json!({"code": 200}));
    let some = json!({"code": 200, "at": {"/a": {"b": 1}, "/uid": "…", "/c": null}});
    assert_eq!(told(json!({"only": ["/a", "/uid", "/c"]}), 200, text), some);
    let headers = json!({"code": 200,
        "headers": {"warning": ["299 - \"a\"", "299 - \"b\""], "age": []}});
    assert_eq!(told(json!({"only": "code", "tell": ["warning", "age"]}), 200, text), headers);
    assert_eq!(told(json!({}), 200, "{\"a\":1}\n{\"a\":2}\n")["body"], json!([{"a": 1}, {"a": 2}]));
    assert_eq!(told(json!({}), 200, "ok")["body"], "ok");
    assert_eq!(told(json!({}), 200, "")["body"], "");
}

#[test]
fn what_is_masked_can_be_related() {
    let text = "{\"a\": \"9\", \"b\": \"13\"}";
    for (relation, holds) in [
        ("/b > first", true),
        ("/a > first", false),
        ("/b >= /b", true),
        ("/a >= first", false),
        ("/a = /a", true),
        ("/a = /b", false),
        ("/b begins 1", true),
        ("/b begins 3", false),
        ("/b long 2", true),
        ("/b long 3", false),
        ("/c = /c", false),
        ("etag = x", true),
        ("/a", false),
        ("/a is 9", false),
    ] {
        let told = told(json!({"only": "code", "relations": [relation]}), 200, text);
        assert_eq!(told["relations"][relation], holds, "{relation}");
    }
}

#[test]
fn what_later_cases_need_is_kept() {
    let answer = Told::new(200, vec![("etag".to_owned(), "x".to_owned())], "{\"a\": \"1\"}");
    let mut kept = Kept::new();
    let case = json!({"keep": {"a": "/a", "tag": "ETag", "b": "/b"}});
    assert_eq!(case::keep(&case, &answer, &mut kept), ["b"]);
    assert_eq!((&*kept["a"], &*kept["tag"], &*kept["b"]), ("1", "x", ""));
}
