//! Lists that have one merge key twice, as cases that the real kube-apiserver answers too: `cargo xtask
//! conformance repeats` sends the requests of `repeats/cases.json` to it and compares what it says with
//! `repeats/answers.json`, which is what this server says.

use expect_test::expect_file;
use serde_json::Value;

const CASES: &str = include_str!("repeats/cases.json");

#[tokio::test(start_paused = true)]
async fn v5_1_one_merge_key_twice_is_answered_as_the_real_server_answers_it() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["repeats/answers.json"].assert_eq(&answers);
}

/// Each bullet has cases of several sides: what is taken, and what is refused for its own reason.
#[test]
fn v5_1_the_bullets_have_several_sides() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases");
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("repeats/answers.json")).expect("the answers");
    assert_eq!(cases.len(), answers.len());
    for bullet in ["V5.1", "V5.3"] {
        let of = cases.iter().zip(&answers).filter(|(case, _)| case["id"] == bullet);
        let (taken, refused): (Vec<_>, Vec<_>) =
            of.partition(|(_, answer)| answer["code"].as_u64().is_some_and(|code| code < 300));
        assert!(taken.len() > 10 && refused.len() > 2, "{bullet}: {refused:?}");
    }
}
