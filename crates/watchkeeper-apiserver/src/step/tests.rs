//! In which form a request is refused that had to wait, what is printed of inputs and outputs, and which inputs may
//! bring what is nested deep.

use http::{Method, StatusCode};

use super::*;
use crate::admission::CallError;
use crate::storage::{TableName, key};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

const fn at(seconds: u64) -> Now {
    Now(Duration::from_secs(seconds))
}

fn core() -> Core {
    Core::new(Config::default(), at(0), &mut Rng::new(0))
}

fn step(core: &mut Core, input: Input, seconds: u64) -> Vec<Output> {
    core.step(input, at(seconds), &mut Rng::new(0))
}

/// A request of somebody who wants YAML.
fn request(method: &Method, path: &str, body: &'static str) -> Request<Bytes> {
    let request = Request::builder().method(method).uri(path).header("accept", "application/yaml");
    request.body(Bytes::from_static(body.as_bytes())).expect("a request")
}

fn whole(ticket: u64, request: Request<Bytes>) -> Input {
    Input::Request(Ticket(ticket), Box::new(request))
}

fn head(ticket: u64, request: Request<Bytes>) -> Input {
    Input::Head(Ticket(ticket), Box::new(request.into_parts().0))
}

/// Code and media type of the one answer.
fn answer(outputs: &[Output]) -> (StatusCode, &str) {
    let [Output::Reply(_, response)] = outputs else { panic!("{outputs:?}") };
    let media_type = response.headers()[header::CONTENT_TYPE].to_str().expect("a text");
    (response.status(), media_type)
}

/// Lets every request wait, or refuses it.
struct Arrivals(Admission);

impl Hook for Arrivals {
    fn on_arrival(&mut self, _: &Arrival<'_>) -> Admission {
        self.0.clone()
    }
}

#[test]
fn who_waited_is_refused_in_the_form_that_was_asked_for() {
    let late = (StatusCode::GATEWAY_TIMEOUT, "application/yaml");
    let mut core = core();
    let ahead = format!("{MAPS}?resourceVersion=99");
    step(&mut core, whole(1, request(&Method::GET, &ahead, "")), 0);
    assert_eq!(answer(&step(&mut core, Input::Alarm(Ticket(1)), 3)), late, "no such revision");
    step(&mut core, head(2, request(&Method::POST, MAPS, "")), 0);
    assert_eq!(answer(&step(&mut core, Input::Alarm(Ticket(2)), 60)), late, "no body");
    core.add_hook(Box::new(Arrivals(Admission::Delay(Duration::from_secs(99)))));
    step(&mut core, whole(3, request(&Method::GET, MAPS, "")), 0);
    assert_eq!(answer(&step(&mut core, Input::Alarm(Ticket(3)), 60)), late, "too long a delay");
}

#[test]
fn a_body_that_does_not_come_is_told_in_the_form_that_was_asked_for() {
    let mut core = core();
    for (why, code) in [
        (BodyError::TooLarge, StatusCode::PAYLOAD_TOO_LARGE),
        (BodyError::Broken("cut".to_owned()), StatusCode::BAD_REQUEST),
    ] {
        step(&mut core, head(1, request(&Method::POST, MAPS, "")), 0);
        let told = step(&mut core, Input::Body(Ticket(1), Err(why)), 1);
        assert_eq!(answer(&told), (code, "application/yaml"));
    }
    assert!(step(&mut core, Input::Body(Ticket(1), Ok(Bytes::new())), 1).is_empty(), "over");
}

#[test]
fn a_hook_refuses_in_the_form_that_was_asked_for() {
    let mut core = core();
    let error = Box::new(ApiError::internal("no"));
    core.add_hook(Box::new(Arrivals(Admission::Refuse(error))));
    let told = step(&mut core, whole(1, request(&Method::GET, MAPS, "")), 0);
    assert_eq!(answer(&told), (StatusCode::INTERNAL_SERVER_ERROR, "application/yaml"));
    assert_eq!(core.under_way.count(), (0, 0));
}

#[test]
fn a_delay_is_over_when_all_are() {
    let mut core = core();
    for seconds in [1, 2] {
        core.add_hook(Box::new(Arrivals(Admission::Delay(Duration::from_secs(seconds)))));
    }
    let outputs = step(&mut core, whole(1, request(&Method::GET, MAPS, "")), 0);
    assert!(
        matches!(outputs[..], [Output::Wake(Ticket(1), until)] if until == at(3)),
        "{outputs:?}"
    );
    let outputs = step(&mut core, Input::Alarm(Ticket(1)), 2);
    assert!(
        matches!(outputs[..], [Output::Wake(Ticket(1), until)] if until == at(3)),
        "{outputs:?}"
    );
    let told = step(&mut core, Input::Alarm(Ticket(1)), 3);
    assert_eq!(answer(&told), (StatusCode::OK, "application/yaml"));
}

#[test]
fn inputs_are_printed_without_what_they_hold() {
    let bytes = Bytes::from_static(b"secret");
    let failure = || CallError("EOF".to_owned());
    for (input, printed) in [
        (head(1, request(&Method::PUT, "/a?b", "secret")), "Head(1, PUT /a?b)"),
        (whole(2, request(&Method::PUT, "/a?b", "secret")), "Request(2, PUT /a?b)"),
        (Input::Body(Ticket(3), Ok(bytes.clone())), "Body(3, 6 bytes)"),
        (Input::Body(Ticket(4), Err(BodyError::TooLarge)), "Body(4, TooLarge)"),
        (Input::Called(Ticket(5), 7, Ok(bytes)), "Called(5, 7, 6 bytes)"),
        (Input::Called(Ticket(6), 8, Err(failure())), "Called(6, 8, CallError(\"EOF\"))"),
        (Input::Alarm(Ticket(9)), "Alarm(9)"),
        (Input::Gone(Ticket(10)), "Gone(10)"),
    ] {
        assert_eq!(format!("{input:?}"), printed);
    }
}

#[test]
fn outputs_are_printed_without_what_they_hold() {
    let bytes = Bytes::from_static(b"secret");
    for (output, printed) in [
        (Output::Commit(Vec::new()), "Commit([])"),
        (Output::Reply(Ticket(1), Response::new(bytes.clone())), "Reply(1, 200 OK, 6 bytes)"),
        (Output::Start(Ticket(2), Response::new(())), "Start(2, 200 OK)"),
        (Output::Frame(vec![Ticket(3), Ticket(4)], bytes), "Frame([3, 4], 6 bytes)"),
        (Output::End(Ticket(4)), "End(4)"),
        (Output::Hangup(Ticket(5)), "Hangup(5)"),
        (Output::Wake(Ticket(6), at(7)), "Wake(6, Now(7s))"),
    ] {
        assert_eq!(format!("{output:?}"), printed);
    }
}

/// Deeper than any stack holds.
const DEEP: &str = "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[";

#[test]
fn what_is_deep_is_noted_where_it_is_converted() {
    for (converts, answer, is_deep) in [
        (true, Ok(DEEP), true),
        (true, Ok(&DEEP[1..]), false),
        (false, Ok(DEEP), false),
        (true, Err(CallError(DEEP.to_owned())), false),
    ] {
        let mut core = core();
        core.converts = converts;
        let answer = answer.map(|text: &str| Bytes::copy_from_slice(text.as_bytes()));
        core.note_depth(&Input::Called(Ticket(1), 0, answer));
        assert_eq!(core.store.is_deep(), is_deep);
    }
    let mut core = core();
    core.converts = true;
    core.note_depth(&Input::Body(Ticket(1), Ok(Bytes::from_static(DEEP.as_bytes()))));
    assert!(!core.store.is_deep(), "no answer");
}

#[test]
fn a_body_may_bring_depth_wherever_it_waits() {
    let mut core = core();
    let ahead = format!("{MAPS}?resourceVersion=99");
    let shallow = "{}";
    step(&mut core, whole(1, request(&Method::GET, &ahead, DEEP)), 0);
    step(&mut core, whole(2, request(&Method::GET, &ahead, shallow)), 0);
    let mut yaml = request(&Method::POST, MAPS, "");
    let media_type = HeaderValue::from_static("application/yaml");
    yaml.headers_mut().insert(header::CONTENT_TYPE, media_type);
    step(&mut core, head(3, yaml), 0);
    let body = |ticket, text: &'static str| {
        Input::Body(Ticket(ticket), Ok(Bytes::from_static(text.as_bytes())))
    };
    let called = |ticket| Input::Called(Ticket(ticket), 0, Ok(Bytes::new()));
    for (input, may) in [
        (whole(4, request(&Method::POST, MAPS, DEEP)), true),
        (whole(4, request(&Method::POST, MAPS, shallow)), false),
        (body(3, "a: *b"), true),
        (body(3, "a: b"), false),
        (body(4, "a: *b"), false),
        (body(4, DEEP), true),
        (Input::Alarm(Ticket(1)), true),
        (Input::Alarm(Ticket(2)), false),
        (Input::Alarm(Ticket(3)), false),
        (called(1), true),
        (called(2), false),
        (called(4), false),
        (head(4, request(&Method::POST, MAPS, DEEP)), false),
        (Input::Body(Ticket(3), Err(BodyError::TooLarge)), false),
        (Input::Gone(Ticket(1)), false),
    ] {
        assert_eq!(core.may_bring_depth(&input), may, "{input:?}");
    }
}

#[test]
fn admission_may_make_something_deep_of_a_write() {
    const POLICIES: &str = "mutatingadmissionpolicies";
    const WEBHOOKS: &str = "mutatingwebhookconfigurations";
    let shallow = |method: &Method| whole(9, request(method, MAPS, "{}"));
    for (plural, by_itself, with_others) in
        [("nothing", false, false), (POLICIES, true, true), (WEBHOOKS, false, true)]
    {
        let mut core = core();
        core.add_hook(Box::new(Arrivals(Admission::Delay(Duration::from_secs(9)))));
        step(&mut core, whole(1, request(&Method::POST, MAPS, "{}")), 0);
        step(&mut core, whole(2, request(&Method::GET, MAPS, "{}")), 0);
        let table = TableName::from(format!("{plural}.admissionregistration.k8s.io"));
        core.store.put(&table, &key("", "a"), serde_json::json!({"metadata": {"name": "a"}}));
        for (input, may) in [
            (shallow(&Method::POST), by_itself),
            (shallow(&Method::GET), false),
            (Input::Body(Ticket(3), Ok(Bytes::new())), by_itself),
            (Input::Called(Ticket(3), 0, Ok(Bytes::new())), with_others),
            (Input::Alarm(Ticket(1)), with_others),
            (Input::Alarm(Ticket(2)), false),
            (Input::Alarm(Ticket(3)), false),
            (head(3, request(&Method::POST, MAPS, "")), false),
            (Input::Gone(Ticket(1)), false),
        ] {
            assert_eq!(core.may_bring_depth(&input), may, "{plural} {input:?}");
        }
    }
}

#[test]
fn what_is_sent_away_may_not_be_guessed_at_by_a_browser() {
    let told = |code: u16| {
        let (head, ()) = request(&Method::GET, MAPS, "").map(drop).into_parts();
        let response = refusal(&head, &ApiError::new(code, "X", "<b>"));
        let is_text = response.headers().get(header::X_CONTENT_TYPE_OPTIONS).is_some();
        let media_type = response.headers()[header::CONTENT_TYPE].to_str().expect("a text");
        (media_type.to_owned(), is_text)
    };
    let [yaml, json] = ["application/yaml", "application/json"].map(str::to_owned);
    assert_eq!(told(401), (yaml.clone(), false));
    assert_eq!(told(403), (yaml, true));
    assert_eq!(told(429), (json.clone(), false));
    assert_eq!(told(400), (json, false));
}
