//! Definitions of several versions, and managers who wrote in different versions, as cases that the
//! real kube-apiserver answers too: `cargo xtask conformance versions` sends the requests of
//! `versions/cases.json` to it and compares what it says with `versions/answers.json`, which is what
//! this server says.

use expect_test::expect_file;
use serde_json::Value;

const CASES: &str = include_str!("versions/cases.json");

#[tokio::test(start_paused = true)]
async fn v10_4_the_cases_are_answered_as_the_real_server_answers_them() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["versions/answers.json"].assert_eq(&answers);
}

/// Each bullet has cases of several sides: answers that differ in code.
#[test]
fn v10_4_the_bullets_have_several_sides() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases");
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("versions/answers.json")).expect("the answers");
    assert_eq!(cases.len(), answers.len());
    for bullet in ["V10.4", "V5.3"] {
        let of = cases.iter().zip(&answers).filter(|(case, _)| case["id"] == bullet);
        let mut sides: Vec<String> = of.map(|(_, answer)| answer["code"].to_string()).collect();
        sides.sort();
        sides.dedup();
        assert!(sides.len() >= 3, "{bullet}: {sides:?}");
    }
}
