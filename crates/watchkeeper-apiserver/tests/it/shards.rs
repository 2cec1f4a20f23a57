//! Lists and watches of a part of the objects, as cases that the real kube-apiserver answers too, with its feature
//! gate: `cargo xtask conformance shards` sends those of `shards/cases.json` to it and compares what it says with
//! `shards/answers.json`, which is what this server says.

use expect_test::expect_file;
use watchkeeper_apiserver::ApiServer;

use crate::access::{answers_of, known};

const CASES: &str = include_str!("shards/cases.json");

#[tokio::test(start_paused = true)]
async fn v2_7_the_cases_are_answered_as_the_real_server_answers_them() {
    let server = known(ApiServer::builder().shard_selectors()).build();
    expect_file!["shards/answers.json"].assert_eq(&answers_of(server, CASES).await);
}
