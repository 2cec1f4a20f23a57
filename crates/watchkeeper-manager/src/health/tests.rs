//! What is answered to probes, in upstream's words.

use std::future::ready;

use super::*;

/// Checks of these names; those with a reason fail.
fn checks(checks: &[(&str, Option<&'static str>)]) -> Checks {
    let all = Checks::default();
    for (name, reason) in checks {
        let said = reason.map_or(Ok(()), Err);
        all.add(name, move || ready(said));
    }
    all
}

async fn asked(checks: &Checks, name: &str, query: &str) -> (u16, String) {
    let (head, body) = checks.answer(name, query).await.into_parts();
    let body = body.collect(1 << 20).await.expect("a body");
    assert_eq!(head.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(head.headers["x-content-type-options"], "nosniff");
    (head.status.as_u16(), String::from_utf8(body.to_vec()).expect("text"))
}

fn said(status: u16, text: &str) -> (u16, String) {
    (status, text.to_owned())
}

#[tokio::test]
async fn all_is_well_in_a_word_or_in_a_line_for_each_check() {
    let checks = checks(&[("ping", None), ("disk", None)]);
    assert_eq!(asked(&checks, "", "").await, said(200, "ok"));
    let lines = "[+]disk ok\n[+]ping ok\nhealthz check passed\n";
    assert_eq!(asked(&checks, "", "verbose").await, said(200, lines));
    assert_eq!(asked(&checks, "", "verbose=false").await, said(200, lines));
}

#[tokio::test]
async fn what_fails_is_named_and_the_reason_withheld() {
    let checks = checks(&[("ping", None), ("disk", Some("/dev/sda is full"))]);
    let lines = "[-]disk failed: reason withheld\n[+]ping ok\nhealthz check failed\n";
    assert_eq!(asked(&checks, "", "").await, said(500, lines));
}

#[tokio::test]
async fn one_check_says_what_is_wrong() {
    let checks = checks(&[("ping", None), ("disk", Some("/dev/sda is full"))]);
    assert_eq!(asked(&checks, "ping", "").await, said(200, "ok"));
    let reason = "internal server error: /dev/sda is full\n";
    assert_eq!(asked(&checks, "disk", "").await, said(500, reason));
    assert_eq!(asked(&checks, "memory", "").await, said(404, "404 page not found\n"));
}

#[tokio::test]
async fn checks_are_excluded_and_who_excludes_nothing_is_told() {
    let checks = checks(&[("ping", None), ("disk", Some("full")), ("a b", Some("odd"))]);
    let query = "exclude=disk&exclude=a%20b&verbose";
    let lines = "[+]a b excluded: ok\n[+]disk excluded: ok\n[+]ping ok\nhealthz check passed\n";
    assert_eq!(asked(&checks, "", query).await, said(200, lines));
    let query = "verbose&exclude=disk&exclude=a+b&exclude=x&exclude=c";
    let lines = "[+]a b excluded: ok\n[+]disk excluded: ok\n[+]ping ok\n\
        warn: some health checks cannot be excluded: no matches for \"c\",\"x\"\n\
        healthz check passed\n";
    assert_eq!(asked(&checks, "", query).await, said(200, lines));
}

#[tokio::test]
async fn without_a_check_it_is_asked_whether_the_process_answers() {
    let none = Checks::default();
    let lines = "[+]ping ok\nhealthz check passed\n";
    assert_eq!(asked(&none, "", "verbose").await, said(200, lines));
    assert_eq!(asked(&none, "ping", "").await, said(200, "ok"));
}

#[tokio::test]
async fn a_check_that_panics_has_failed() {
    let checks = checks(&[("ping", None)]);
    checks.add("bug", async || -> Result<(), String> { panic!("a bug") });
    let lines = "[-]bug failed: reason withheld\n[+]ping ok\nhealthz check failed\n";
    assert_eq!(asked(&checks, "", "").await, said(500, lines));
    let (status, text) = asked(&checks, "bug", "").await;
    assert!(status == 500 && text.contains("broke down") && text.contains("a bug"), "{text}");
}

#[tokio::test]
async fn the_last_check_of_a_name_counts() {
    let checks = checks(&[("disk", Some("full"))]);
    checks.add("disk", || ready(Ok::<_, String>(())));
    assert_eq!(asked(&checks, "", "").await, said(200, "ok"));
}
