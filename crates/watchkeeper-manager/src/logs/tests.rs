//! Lines, against what reads them.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use expect_test::expect;
use tracing::field::Empty;
use tracing::subscriber;
use tracing_subscriber::layer::SubscriberExt as _;

use super::{Logs, TimeEncoding};

/// What was written, each write by itself.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<String>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn clock() -> SystemTime {
    UNIX_EPOCH + Duration::new(1_772_366_400, 500_250_000)
}

/// The lines of what is told meanwhile.
fn lines(logs: Logs, tell: impl FnOnce()) -> String {
    let written = Written::default();
    let writer = written.clone();
    let mut logs = logs.writer(move || writer.clone());
    logs.clock = clock;
    // A second listener, so that no other test decides whether anything is told at all.
    let _other = tracing::Dispatch::new(tracing_subscriber::registry());
    subscriber::with_default(tracing_subscriber::registry().with(logs), tell);
    written.0.lock().unwrap_or_else(PoisonError::into_inner).concat()
}

fn story() {
    let outer = tracing::info_span!("outer", size = 1, who = "a b", empty = "");
    let _outer = outer.enter();
    let span = tracing::info_span!(
        "reconcile",
        controller = "foo",
        kind = "Foo",
        k8s.namespace.name = "default",
        name = "example",
        id = "7f-1",
        outcome = Empty,
        otel.name = "reconcile foo",
    );
    let _span = span.enter();
    tracing::warn!(size = 2, share = 0.5, ok = true, level = "mine", "two\nlines of \"it\"");
    span.record("outcome", "success");
    tracing::info!(target: "my_operator", error = ?Some(1), none = f64::NAN);
}

#[test]
fn logfmt_tells_what_is_around_an_event() {
    expect![[r#"
        ts=2026-03-01T12:00:00.50025Z level=warn logger=watchkeeper_manager::logs::tests msg="two\nlines of \"it\"" size=2 who="a b" empty="" controller=foo controllerKind=Foo namespace=default name=example reconcileID=7f-1 share=0.5 ok=true level_=mine
        ts=2026-03-01T12:00:00.50025Z level=info logger=my_operator msg="" size=1 who="a b" empty="" controller=foo controllerKind=Foo namespace=default name=example reconcileID=7f-1 outcome=success error=Some(1) none=NaN
    "#]]
    .assert_eq(&lines(Logs::logfmt(), story));
}

#[test]
fn json_is_an_object_a_line() {
    let text = lines(Logs::json(), story);
    expect![[r#"
        {"ts":"2026-03-01T12:00:00.50025Z","level":"warn","logger":"watchkeeper_manager::logs::tests","msg":"two\nlines of \"it\"","size":2,"who":"a b","empty":"","controller":"foo","controllerKind":"Foo","namespace":"default","name":"example","reconcileID":"7f-1","share":0.5,"ok":true,"level_":"mine"}
        {"ts":"2026-03-01T12:00:00.50025Z","level":"info","logger":"my_operator","msg":"","size":1,"who":"a b","empty":"","controller":"foo","controllerKind":"Foo","namespace":"default","name":"example","reconcileID":"7f-1","outcome":"success","error":"Some(1)","none":"NaN"}
    "#]]
    .assert_eq(&text);
    for line in text.lines() {
        let read: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(read["controller"], "foo");
    }
}

#[test]
fn a_line_is_one_write() {
    let written = Written::default();
    let writer = written.clone();
    let logs = Logs::json().writer(move || writer.clone());
    subscriber::with_default(tracing_subscriber::registry().with(logs), || {
        tracing::error!(n = 1, "one");
        tracing::error!(n = 2, "two");
    });
    let written = written.0.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(written.len(), 2);
    assert!(written.iter().all(|line| line.ends_with("}\n")), "{written:?}");
}

#[test]
fn what_comes_by_the_crate_log_has_its_logger() {
    let text = lines(Logs::logfmt(), || {
        tracing::info!(target: "log", { log.target = "rustls::client", log.line = 7 }, "said");
    });
    expect![[r#"
        ts=2026-03-01T12:00:00.50025Z level=info logger=rustls::client msg=said
    "#]]
    .assert_eq(&text);
}

#[test]
fn times_are_told_as_upstream_names_them() {
    use TimeEncoding::{Epoch, Iso8601, Millis, Nano, Rfc3339, Rfc3339Nano};
    let told = [Epoch, Millis, Nano, Iso8601, Rfc3339, Rfc3339Nano]
        .map(|time| lines(Logs::json().time(time), || tracing::info!("x")))
        .map(|line| line.split_once(",\"level\"").expect("a head").0.to_owned() + "\n");
    expect![[r#"
        {"ts":1772366400.50025
        {"ts":1772366400500.25
        {"ts":1772366400500250000
        {"ts":"2026-03-01T12:00:00.500Z"
        {"ts":"2026-03-01T12:00:00Z"
        {"ts":"2026-03-01T12:00:00.50025Z"
    "#]]
    .assert_eq(&told.concat());
}
