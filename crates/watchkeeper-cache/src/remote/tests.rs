use watchkeeper_api::json;

use super::*;

fn class(status: &str) -> Class {
    let text = format!(r#"{{"kind":"Status","apiVersion":"v1","status":"Failure",{status}}}"#);
    class_of(&json::from_slice::<Status>(text.as_bytes()).unwrap())
}

#[test]
fn what_the_server_says_decides_what_is_done() {
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let too_large = r#""code":504,"reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1}"#;
    for (status, expected) in [
        (r#""code":410,"reason":"Expired""#, Class::Expired),
        (r#""code":410,"reason":"Gone""#, Class::Expired),
        (too_large, Class::Expired),
        (r#""code":429,"reason":"TooManyRequests""#, Class::Busy { retry_after: None }),
        (
            r#""code":429,"reason":"TooManyRequests","details":{"retryAfterSeconds":7}"#,
            Class::Busy { retry_after: seconds(7) },
        ),
        (r#""code":500,"reason":"InternalError""#, Class::Internal),
        (r#""code":500"#, Class::Internal),
        (r#""code":500,"reason":"OfAProxy""#, Class::Internal),
        (r#""code":500,"reason":"StorageReadError""#, Class::Other),
        (r#""code":500,"reason":"ServerTimeout""#, Class::Other),
        (r#""code":503,"reason":"ServiceUnavailable""#, Class::Unreachable),
        (r#""code":504,"reason":"Timeout""#, Class::Unreachable),
        (r#""code":403,"reason":"Forbidden""#, Class::Refused),
        (r#""code":404,"reason":"NotFound""#, Class::Refused),
        (r#""code":422,"reason":"Invalid""#, Class::Other),
    ] {
        assert_eq!(class(status), expected, "{status}");
    }
}
