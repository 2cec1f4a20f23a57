//! Tables of every kind as cases that the real kube-apiserver answers too: `cargo xtask conformance tables`
//! sends the requests of `tables/cases.json` to it and compares columns and cells with
//! `tables/answers.json`, which is what this server says.

use std::collections::BTreeSet;

use expect_test::expect_file;
use serde_json::Value;

use crate::support::client;

const CASES: &str = include_str!("tables/cases.json");

#[tokio::test(start_paused = true)]
async fn v8_1_the_cases_are_answered_as_the_real_server_answers_them() {
    let answers = crate::access::answers(CASES).await;
    expect_file!["tables/answers.json"].assert_eq(&answers);
}

/// Every kind that can be listed is listed, and all but these have rows.
#[tokio::test(start_paused = true)]
async fn v8_1_the_cases_show_every_kind() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases");
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("tables/answers.json")).expect("the answers");
    let mut shown = BTreeSet::new();
    let mut empty = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        let path = case["do"].as_str().expect("text").strip_prefix("GET ");
        let Some((path, _)) = path.and_then(|path| path.split_once('?')) else { continue };
        assert_eq!(answer["body"]["kind"], "Table", "{path}");
        if answer["body"]["rows"].as_array().is_none_or(Vec::is_empty) {
            empty.push(path);
        }
        // Limits and quotas are kept away from what else is made.
        shown.insert(path.replace("/tables-a/", "/default/"));
    }
    assert_eq!(empty, EMPTY);
    let served = crate::v0_protobuf::collections(&client()).await;
    let missing: Vec<&str> =
        served.iter().map(|(path, ..)| &**path).filter(|path| !shown.contains(*path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What a server has of these depends on what it is beside.
const EMPTY: [&str; 2] =
    ["/api/v1/componentstatuses", "/apis/apiregistration.k8s.io/v1/apiservices"];
