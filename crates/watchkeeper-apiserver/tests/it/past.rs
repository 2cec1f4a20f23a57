//! What is asked of a past that is forgotten, as cases that the real kube-apiserver answers too, whose storage is
//! compacted each second: `cargo xtask conformance past` sends those of `past/cases.json` to it and compares what it
//! says with `past/answers.json`, which is what this server says that remembers one event.

use expect_test::expect_file;
use watchkeeper_apiserver::ApiServer;

use crate::access::{answers_of, known};

const CASES: &str = include_str!("past/cases.json");

#[tokio::test(start_paused = true)]
async fn v2_5_the_cases_are_answered_as_the_real_server_answers_them() {
    let server = known(ApiServer::builder().history_events(1)).build();
    expect_file!["past/answers.json"].assert_eq(&answers_of(server, CASES).await);
}
