//! Which requests count where, and until when.

use super::*;

fn head(method: &str, uri: &str) -> Parts {
    let request = Request::builder().method(method).uri(uri).body(());
    request.expect("a request").into_parts().0
}

fn class_of(method: &str, uri: &str) -> Class {
    let head = head(method, uri);
    class(&head, &Query::parse(head.uri.query().unwrap_or_default()))
}

#[test]
fn watches_and_streams_are_long_running_and_the_others_read_or_write() {
    const PODS: &str = "/api/v1/namespaces/default/pods";
    for (method, path, is) in [
        ("GET", "", Class::Reading),
        ("HEAD", "", Class::Reading),
        ("POST", "", Class::Mutating),
        ("DELETE", "/a", Class::Mutating),
        ("GET", "?watch=1", Class::LongRunning),
        ("GET", "?watch=false", Class::Reading),
        ("POST", "?watch=1", Class::Mutating),
        ("GET", "/a?watch=1", Class::Reading),
        ("GET", "/a/status?watch=1", Class::Reading),
        ("GET", "/a/log", Class::LongRunning),
        ("POST", "/a/exec", Class::LongRunning),
        ("PUT", "/a/proxy/below", Class::LongRunning),
        ("PUT", "/a/status", Class::Mutating),
    ] {
        assert_eq!(class_of(method, &format!("{PODS}{path}")), is, "{method} {path}");
    }
    assert_eq!(class_of("GET", "/api/v1/watch/pods"), Class::LongRunning);
    assert_eq!(class_of("DELETE", "/api/v1/watch/pods"), Class::Mutating);
    assert_eq!(class_of("GET", "/version?watch=1"), Class::Reading);
}

#[test]
fn a_request_has_the_time_that_it_asks_for_up_to_a_minute() {
    let of = |query: &str, class| timeout(&Query::parse(query), class);
    for (query, seconds) in
        [("", 60), ("timeout=", 60), ("timeout=5s", 5), ("timeout=61s", 60), ("timeout=0", 60)]
    {
        assert_eq!(of(query, Class::Mutating), Ok(Duration::from_secs(seconds)), "{query}");
    }
    let error = of("timeout=x", Class::Reading).expect_err("no duration");
    let why = "invalid timeout specified in the request URL - time: invalid duration \"x\"";
    assert_eq!((error.code, &*error.message), (400, why));
    assert_eq!(of("timeout=x", Class::LongRunning), Ok(REQUEST_TIMEOUT));
}

/// A server that lets in one of each kind.
fn admit(under_way: &mut UnderWay, ticket: u64, method: &str, uri: &str) -> Result<(), u16> {
    let config = Config {
        max_requests_in_flight: 1,
        max_mutating_requests_in_flight: 1,
        ..Config::default()
    };
    let (head, login) = (head(method, uri), Ok(Arc::new(User::new("me"))));
    let admitted = under_way.admit(Ticket(ticket), &head, &config, login, Now::default());
    admitted.map(drop).map_err(|error| error.code)
}

#[test]
fn an_answer_makes_room_for_one_of_its_kind() {
    let mut under_way = UnderWay::default();
    let pods = "/api/v1/pods";
    assert_eq!(admit(&mut under_way, 1, "GET", pods), Ok(()));
    assert_eq!(admit(&mut under_way, 2, "GET", pods), Err(429));
    assert_eq!(admit(&mut under_way, 3, "POST", pods), Ok(()));
    assert_eq!(admit(&mut under_way, 4, "POST", pods), Err(429));
    for ticket in [5, 6] {
        assert_eq!(admit(&mut under_way, ticket, "GET", "/api/v1/pods?watch=1"), Ok(()));
    }
    assert_eq!(under_way.count(), (1, 1));
    under_way.remove(Ticket(5));
    under_way.remove(Ticket(9));
    assert_eq!(under_way.count(), (1, 1));
    under_way.remove(Ticket(1));
    assert_eq!(under_way.count(), (0, 1));
    under_way.remove(Ticket(3));
    assert_eq!(under_way.count(), (0, 0));
    assert_eq!(admit(&mut under_way, 7, "GET", pods), Ok(()));
}

#[test]
fn a_write_is_given_up_sooner_than_its_body_and_a_watch_never() {
    let mut under_way = UnderWay::default();
    assert_eq!(admit(&mut under_way, 1, "GET", "/api/v1/pods?timeout=5s"), Ok(()));
    assert_eq!(admit(&mut under_way, 2, "POST", "/api/v1/pods"), Ok(()));
    assert_eq!(admit(&mut under_way, 3, "GET", "/api/v1/pods?watch=1"), Ok(()));
    let at = |seconds| Now(Duration::from_secs(seconds));
    let allotted = Some("request did not complete within the allotted timeout");
    let requested =
        Some("request did not complete within requested timeout - context deadline exceeded");
    let overdue = |under_way: &UnderWay, ticket, seconds| {
        under_way.overdue(Ticket(ticket), at(seconds)).map(|error| error.message)
    };
    for (ticket, seconds, told) in [
        (1, 4, None),
        (1, 5, allotted),
        (2, 33, None),
        (2, 34, requested),
        (3, 1_000, None),
        (4, 1_000, None),
    ] {
        let error = overdue(&under_way, ticket, seconds);
        assert!(error.as_deref().unwrap_or_default().contains(told.unwrap_or_default()));
        assert_eq!(error.is_some(), told.is_some(), "{ticket} {seconds}");
    }
    let body = Stage::Body(Box::new(head("POST", "/api/v1/pods")));
    assert_eq!(under_way.wait(Ticket(2), body), Some(at(60)));
    assert!(under_way.headers(Ticket(2)).is_some() && under_way.waiting(Ticket(2)).is_none());
    assert_eq!(overdue(&under_way, 2, 59), None);
    let error = overdue(&under_way, 2, 60).unwrap_or_default();
    assert!(error.contains("the allotted timeout"), "{error}");
    assert!(under_way.take_head(Ticket(2)).is_some() && under_way.take_head(Ticket(2)).is_none());
    assert!(under_way.headers(Ticket(2)).is_none());
}

#[test]
fn a_delay_is_over_when_it_is_and_a_revision_is_waited_for() {
    let mut under_way = UnderWay::default();
    assert_eq!(admit(&mut under_way, 1, "GET", "/api/v1/pods"), Ok(()));
    let at = |seconds| Now(Duration::from_secs(seconds));
    let request = || Box::new(Request::new(Bytes::new()));
    assert_eq!(under_way.wait(Ticket(1), Stage::Delay(request(), at(3))), Some(at(3)));
    assert!(under_way.waiting(Ticket(1)).is_some());
    assert!(matches!(under_way.alarm(Ticket(1), at(2)), Some(Due::Later(due)) if due == at(3)));
    assert!(matches!(under_way.alarm(Ticket(1), at(3)), Some(Due::Go(_))));
    assert_eq!(under_way.wait(Ticket(1), Stage::Delay(request(), at(99))), Some(at(60)));
    assert!(matches!(under_way.alarm(Ticket(1), at(60)), Some(Due::Timeout(_))));
    under_way.wait(Ticket(1), Stage::Revision(request(), 7, at(3)));
    assert!(under_way.ready(6).is_none());
    assert!(under_way.ready(7).is_some_and(|(ticket, _)| ticket == Ticket(1)));
    assert!(under_way.ready(7).is_none());
    under_way.wait(Ticket(1), Stage::Revision(request(), 7, at(3)));
    assert!(matches!(under_way.alarm(Ticket(1), at(2)), Some(Due::Later(due)) if due == at(3)));
    let due = under_way.alarm(Ticket(1), at(3));
    assert!(matches!(due, Some(Due::Absent { asked: 7, is_watch: false })));
    assert!(under_way.alarm(Ticket(2), at(3)).is_none());
}
