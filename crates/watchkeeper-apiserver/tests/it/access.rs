//! Who may do what, as cases that the real kube-apiserver answers too: `cargo xtask conformance
//! access` sends the requests of `access/cases.json` to it and compares what it says with
//! `access/answers.json`, which is what this server says.

mod case;
mod case_tests;
mod mask;
mod mask_tests;

use std::fmt::Write as _;

use expect_test::expect_file;
use serde_json::Value;
use watchkeeper_apiserver::server::Builder;
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::Client;
use case::{Kept, Told};

const CASES: &str = include_str!("access/cases.json");

/// With the tokens of the users that both servers know, as `xtask/src/real/files.rs` makes them.
pub(crate) fn known(server: Builder) -> Builder {
    let mut nobody = User::new("nobody").in_group("nobodies");
    "2".clone_into(&mut nobody.uid);
    let mut admin = User::new("admin").in_group("system:masters");
    "1".clone_into(&mut admin.uid);
    server.rbac().anonymous().user("token-of-admin", admin).user("token-of-nobody", nobody)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// The headers of a case: who makes the request, and what it says besides.
fn headers(case: &Value, kept: &Kept) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
    let who = text(case, "who");
    match who.split_once(' ') {
        Some(("as", whom)) => {
            let (name, group) = whom.split_once(" in ").unwrap_or((whom, ""));
            add("authorization", "Bearer token-of-admin");
            add("impersonate-user", name);
            if !group.is_empty() {
                add("impersonate-group", group);
            }
        }
        _ if who == "none" => {}
        _ => {
            let token = who.strip_prefix('$').map(|name| kept[name].clone());
            let token = token.unwrap_or_else(|| format!("token-of-{who}"));
            add("authorization", &format!("Bearer {token}"));
        }
    }
    let own = case["headers"].as_object().into_iter().flatten();
    for (name, value) in own {
        add(&name.to_lowercase(), &case::filled(value.as_str().expect("text"), kept));
    }
    if !headers.iter().any(|(name, _)| name == "content-type") {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    headers
}

async fn send(client: &Client, case: &Value, kept: &Kept) -> Told {
    let (method, path) = case::request(case, kept);
    let headers = headers(case, kept);
    let headers: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (&**a, &**b)).collect();
    let body = case::body(case, kept);
    let answer = client.try_send(&method, &path, &headers, body).await.expect("an answer");
    let headers = answer.headers.iter().map(|(name, value)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    Told::new(answer.code, headers.collect(), &answer.text)
}

/// What this server answers to cases, one a line.
pub(crate) async fn answers(cases: &str) -> String {
    answers_of(known(ApiServer::builder()).build(), cases).await
}

/// What a server answers to cases, one a line.
pub(crate) async fn answers_of(server: ApiServer, cases: &str) -> String {
    let client = Client { server, agent: "access" };
    let cases: Vec<Value> = serde_json::from_str(cases).expect("the cases");
    let (mut kept, mut answers) = (Kept::new(), "[".to_owned());
    for (index, case) in cases.iter().enumerate() {
        let answer = send(&client, case, &kept).await;
        let missing = case::keep(case, &answer, &mut kept);
        assert!(missing.is_empty(), "{case} has no {missing:?}: {answer:?}");
        let comma = if index == 0 { "" } else { "," };
        write!(answers, "{comma}\n{}", case::told(case, &answer, &kept)).expect("text");
    }
    format!("{answers}\n]\n")
}

#[tokio::test(start_paused = true)]
async fn v12_the_cases_are_answered_as_the_real_server_answers_them() {
    expect_file!["access/answers.json"].assert_eq(&answers(CASES).await);
}

/// Each bullet has cases of several sides: answers that differ in code or reason.
#[test]
fn v12_each_bullet_has_several_sides() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases");
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("access/answers.json")).expect("the answers");
    assert_eq!(cases.len(), answers.len());
    for bullet in ["V12.1", "V12.2", "V12.3"] {
        let of = cases.iter().zip(&answers).filter(|(case, _)| text(case, "id") == bullet);
        let mut sides: Vec<&Value> = of.map(|(_, answer)| &answer["code"]).collect();
        sides.sort_by_key(|code| code.as_u64());
        sides.dedup();
        assert!(sides.len() >= 3, "{bullet}: {sides:?}");
    }
}
