//! Requests for each statement about the server that needs no more than requests, one after the other, as cases that
//! the real kube-apiserver answers too: `cargo xtask conformance requests` sends those of `requests/cases.json` to it
//! and compares what it says with `requests/answers.json`, which is what this server says.

use expect_test::expect_file;

const CASES: &str = include_str!("requests/cases.json");

#[tokio::test(start_paused = true)]
async fn v0_the_requests_are_answered_as_the_real_server_answers_them() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["requests/answers.json"].assert_eq(&answers);
}
