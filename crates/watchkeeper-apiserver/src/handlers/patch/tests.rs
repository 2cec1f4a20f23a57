use super::{PatchError, read_once, refuse, restored};

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
