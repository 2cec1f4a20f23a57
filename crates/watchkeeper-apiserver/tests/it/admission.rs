//! Webhooks, policies and plugins as cases that the real kube-apiserver answers too: `cargo xtask
//! conformance admission` sends the requests of `admission/cases.json` to it and compares what it says
//! with `admission/answers.json`, which is what this server says.

use expect_test::expect_file;
use serde_json::Value;

const CASES: &str = include_str!("admission/cases.json");

#[tokio::test(start_paused = true)]
async fn v11_the_cases_are_answered_as_the_real_server_answers_them() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["admission/answers.json"].assert_eq(&answers);
}

/// Each bullet has cases of several sides: answers that differ in code or message.
#[test]
fn v11_each_bullet_has_several_sides() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases");
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("admission/answers.json")).expect("the answers");
    assert_eq!(cases.len(), answers.len());
    for bullet in ["V11.1", "V11.2"] {
        let of = cases.iter().zip(&answers).filter(|(case, _)| case["id"] == bullet);
        let mut sides: Vec<String> = of.map(|(_, answer)| answer["code"].to_string()).collect();
        sides.sort();
        sides.dedup();
        assert!(sides.len() >= 3, "{bullet}: {sides:?}");
    }
}
