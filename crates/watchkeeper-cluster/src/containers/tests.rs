//! What a reader gets of a log.

use std::time::Duration;

use watchkeeper_apiserver::Now;
use watchkeeper_apiserver::containers::{Container, LogRequest};

use super::log::{Log, Reader};

fn all() -> LogRequest {
    let text = String::new;
    let container = Container { namespace: text(), pod: text(), name: text(), id: text() };
    LogRequest { container, follow: false, since: None, tail: None, timestamps: false, limit: None }
}

fn at(seconds: u64) -> Now {
    Now(Duration::from_secs(seconds))
}

fn log() -> Log {
    let mut log = Log::default();
    log.print(at(1), "one\ntwo");
    log.print(at(2), "three\n");
    log
}

#[track_caller]
fn check(asked: &LogRequest, text: &str) {
    assert_eq!(Reader::new(asked).read(&log()), text, "{asked:?}");
}

#[test]
fn a_log_is_read_from_where_and_as_far_as_is_wanted() {
    check(&all(), "one\ntwo\nthree\n");
    check(&LogRequest { tail: Some(2), ..all() }, "two\nthree\n");
    check(&LogRequest { tail: Some(0), ..all() }, "");
    check(&LogRequest { tail: Some(u64::MAX), ..all() }, "one\ntwo\nthree\n");
    check(&LogRequest { since: Some(at(2)), ..all() }, "three\n");
    check(&LogRequest { limit: Some(5), ..all() }, "one\nt");
    let stamped = LogRequest { timestamps: true, tail: Some(1), ..all() };
    check(&stamped, "1970-01-01T00:00:02.000000000Z three\n");
}

#[test]
fn who_reads_on_gets_each_line_once() {
    let mut log = log();
    let mut reader = Reader::new(&LogRequest { tail: Some(1), limit: Some(12), ..all() });
    assert_eq!(reader.read(&log), "three\n");
    assert_eq!(reader.read(&log), "");
    log.print(at(3), "four\nfive\n");
    assert!(!reader.is_full());
    assert_eq!(reader.read(&log), "four\nf");
    assert!(reader.is_full());
}
