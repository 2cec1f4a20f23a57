//! Rules in CEL as cases that the real kube-apiserver answers too: `cargo xtask conformance rules` sends
//! the requests of `rules/cases.json` to it and compares what it says with `rules/answers.json`, which is
//! what this server says.

use expect_test::expect_file;
use serde_json::Value;

const CASES: &str = include_str!("rules/cases.json");

#[tokio::test(start_paused = true)]
async fn v10_3_the_cases_are_answered_as_the_real_server_answers_them() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["rules/answers.json"].assert_eq(&answers);
}

/// The bullet has cases of several sides: what is taken, what is refused, and each for its own reasons.
#[test]
fn v10_3_the_bullet_has_several_sides() {
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("rules/answers.json")).expect("the answers");
    let mut said: Vec<String> =
        answers.iter().map(|answer| answer["body"]["message"].to_string()).collect();
    said.sort();
    said.dedup();
    assert!(said.len() > 50, "{said:?}");
}
