use http::{HeaderValue, Method, header};
use serde_json::{Value, json};

use super::{
    APPLY, JSON, MERGE, NO_PATCH, PatchError, STRATEGIC, again, check_type, patched, plain,
    read_once, read_patch, refuse, restored,
};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::request::body::LIMIT;
use crate::request::query::Query;
use crate::turn::Halt;

/// What `FromUnstructured` of apimachinery says of what a strategic merge patch made.
#[test]
fn what_a_strategic_patch_makes_is_no_text_to_decode() {
    let place = "into Go struct field X.x of type";
    for (what, wanted, expected) in [
        ("string", "bool", "unrecognized type: bool"),
        ("string", "int32", "unrecognized type: int32"),
        ("bool", "int64", "unrecognized type: int64"),
        ("object", "float64", "unrecognized type: float64"),
        ("number", "bool", "unrecognized type: bool"),
        ("number", "[]v1.Container", "cannot restore slice from int64"),
        ("object", "[]string", "cannot restore slice from map"),
        ("string", "map[string]string", "cannot restore map from string"),
        ("array", "v1.ResourceList", "cannot restore map from slice"),
        ("array", "v1.PodSpec", "cannot restore struct from: slice"),
        ("bool", "v1.PodSpec", "cannot restore struct from: bool"),
        ("number", "string", "cannot convert int64 to string"),
        ("number", "v1.PullPolicy", "cannot convert int64 to v1.PullPolicy"),
        ("bool", "string", "unrecognized type: string"),
        ("object", "v1.PullPolicy", "unrecognized type: string"),
    ] {
        let error = format!("json: cannot unmarshal {what} {place} {wanted}");
        assert_eq!(restored(error), expected, "{what} {wanted}");
    }
    let base64 = "illegal base64 data at input byte 0";
    assert_eq!(restored(base64.to_owned()), format!("error decoding from json: {base64}"));
    assert_eq!(restored("another".to_owned()), "another");
}

#[test]
fn a_patch_that_is_read_once_is_told_of_in_the_words_of_its_library() {
    let malformed = |why: &str| PatchError::Malformed(why.to_owned());
    let (head, json) = ("error decoding patch: ", "json: cannot unmarshal string into Go");
    for (error, expected) in [
        (
            malformed(&format!("{head}{json} value of type []handlers.jsonPatchOp")),
            malformed(&format!("{json} value of type jsonpatch.Patch")),
        ),
        (
            malformed(&format!("{head}{json} value of type handlers.jsonPatchOp")),
            malformed(&format!("{json} value of type jsonpatch.Operation")),
        ),
        (
            malformed(&format!("{head}{json} struct field jsonPatchOp.op of type string")),
            PatchError::Failed(format!("{head}{json} struct field jsonPatchOp.op of type string")),
        ),
        (PatchError::TooLarge(1), PatchError::TooLarge(1)),
    ] {
        assert_eq!(read_once(error), expected);
    }
}

#[test]
fn each_error_of_a_patch_has_a_code() {
    let why = || "why".to_owned();
    for (error, code, message) in [
        (PatchError::Malformed(why()), 400, "why"),
        (PatchError::TooLarge(10_001), 413, "Request entity too large: "),
        (
            PatchError::Failed(why()),
            422,
            "the server rejected our request due to an error in our request",
        ),
        (PatchError::Broken(why()), 500, "why"),
    ] {
        let refused = refuse(error);
        assert_eq!(refused.code, code);
        assert!(refused.message.starts_with(message), "{}", refused.message);
        assert_eq!(refused.bare_details, code == 422, "{code}");
    }
}

const IGNORE: &str = "fieldValidation=Ignore";

fn call(media_type: &'static str, query: &str, body: impl Into<bytes::Bytes>) -> Call {
    let maps = builtin("", "v1", "ConfigMap").expect("config maps");
    let mut call = own_call(Method::PATCH, maps, "a", "x");
    call.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    call.query = Query::parse(query);
    call.body = body.into();
    call
}

#[test]
fn what_is_no_patch_is_refused_in_the_words_of_who_reads_it() {
    let live = json!({"a": 1});
    let told = |media_type, query, change: &Value| {
        let made = patched(&call(media_type, query, ""), &live, change);
        made.unwrap_or_else(|error| format!("{} {}", error.code, error.message).into())
    };
    let into = "into Go value of type map[string]interface {}";
    for (media_type, query, change, expected) in [
        (MERGE, "", json!({"b": 2}), json!({"a": 1, "b": 2})),
        (MERGE, IGNORE, json!({"b": 2}), json!({"a": 1, "b": 2})),
        (
            MERGE,
            "",
            json!([]),
            json!(format!("400 error decoding patch: json: cannot unmarshal array {into}")),
        ),
        // What it then is said to be is another's business.
        (MERGE, IGNORE, json!([1]), json!([1])),
        (MERGE, IGNORE, json!(1), json!(format!("400 {NO_PATCH}"))),
        (MERGE, "", Value::Null, json!(format!("400 {NO_PATCH}"))),
        (MERGE, IGNORE, Value::Null, json!(format!("400 {NO_PATCH}"))),
        (STRATEGIC, "", Value::Null, live.clone()),
        (STRATEGIC, "", json!([]), json!(format!("400 json: cannot unmarshal array {into}"))),
        (STRATEGIC, IGNORE, json!([]), json!(format!("400 json: cannot unmarshal array {into}"))),
        (JSON, "", json!([{"op": "remove", "path": "/a"}]), json!({})),
        (
            JSON,
            "",
            json!(1),
            json!(
                "400 error decoding patch: json: cannot unmarshal number into Go value of type []handlers.jsonPatchOp"
            ),
        ),
        (
            JSON,
            IGNORE,
            json!(1),
            json!("400 json: cannot unmarshal number into Go value of type jsonpatch.Patch"),
        ),
    ] {
        assert_eq!(told(media_type, query, &change), expected, "{media_type} {query} {change}");
    }
}

fn unread(call: &Call) -> Option<(u16, String)> {
    match read_patch(call).err()? {
        Halt::Error(error) => Some((error.code, error.message)),
        _ => None,
    }
}

#[test]
fn a_text_that_cannot_be_read_is_told_of_as_by_who_reads_it() {
    let told = |media_type, query| unread(&call(media_type, query, "[")).expect("it ends early");
    let (code, why) = told(STRATEGIC, "");
    assert_eq!(code, 400);
    let decoding = format!("error decoding patch: {why}");
    for (media_type, query, expected) in [
        (STRATEGIC, IGNORE, &*why),
        (MERGE, "", &*decoding),
        (MERGE, IGNORE, NO_PATCH),
        (JSON, "", &*decoding),
        (JSON, IGNORE, &*why),
    ] {
        assert_eq!(told(media_type, query), (400, expected.to_owned()), "{media_type} {query}");
    }
}

#[test]
fn a_patch_is_as_long_as_a_body_may_be() {
    let code = |len: usize| unread(&call(MERGE, "", vec![b' '; len])).expect("nothing to read").0;
    assert_eq!((code(LIMIT), code(LIMIT + 1)), (400, 413));
}

#[test]
fn what_is_not_stored_as_such_takes_plain_patches() {
    let live = json!({"spec": {"replicas": 1}});
    let told =
        |media_type, body: &Value| match plain(&call(media_type, "", body.to_string()), &live) {
            Ok(made) => made,
            Err(Halt::Error(error)) => error.code.into(),
            Err(_) => Value::Null,
        };
    let (two, change) = (json!({"spec": {"replicas": 2}}), json!({"spec": {"replicas": 2}}));
    let operation = json!([{"op": "replace", "path": "/spec/replicas", "value": 2}]);
    assert_eq!(told(MERGE, &change), two);
    assert_eq!(told(STRATEGIC, &change), two);
    assert_eq!(told(JSON, &operation), two);
    for (media_type, body) in [(MERGE, json!([])), (STRATEGIC, json!([])), (APPLY, change)] {
        assert_eq!(told(media_type, &body), 415, "{media_type}");
    }
    assert_eq!(told(JSON, &json!([{"op": "remove", "path": "/no"}])), 422);
}

#[test]
fn what_a_patch_makes_of_an_object_is_known_again_unless_it_is_an_apply() {
    let live = json!({"a": 1});
    let made = |media_type, body: &'static str| again(&call(media_type, "", body), &live);
    assert_eq!(made(MERGE, r#"{"b": 2}"#), Some(json!({"a": 1, "b": 2})));
    assert_eq!(made(MERGE, "[]"), None);
    assert_eq!(made(MERGE, "{"), None);
    assert_eq!(made(APPLY, r#"{"b": 2}"#), None);
}

#[test]
fn a_patch_has_one_of_the_media_types_of_patches() {
    let refused = |media_type| check_type(&call(media_type, "", "")).err();
    for media_type in [JSON, MERGE, STRATEGIC, APPLY] {
        assert_eq!(refused(media_type), None, "{media_type}");
    }
    let refused = refused("application/json").expect("a refusal");
    assert_eq!((refused.code, &*refused.message), (415, "415: Unsupported Media Type"));
    assert!(refused.bare_details);
}
