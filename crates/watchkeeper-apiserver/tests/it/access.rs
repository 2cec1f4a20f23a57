//! Who may do what, as cases that the real kube-apiserver answers too: `cargo xtask conformance
//! access` sends the requests of `access/cases.json` to it and compares what it says with
//! `access/answers.json`, which is what this server says.

mod mask;
mod mask_tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::expect_file;
use serde_json::{Value, json};
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::{Answer, Client};

const CASES: &str = include_str!("access/cases.json");

/// The tokens of the users that both servers know, as `xtask/src/real/files.rs` makes them.
fn server() -> Client {
    let mut nobody = User::new("nobody").in_group("nobodies");
    "2".clone_into(&mut nobody.uid);
    let mut admin = User::new("admin").in_group("system:masters");
    "1".clone_into(&mut admin.uid);
    let server = ApiServer::builder().rbac().anonymous();
    let server = server.user("token-of-admin", admin).user("token-of-nobody", nobody).build();
    Client { server, agent: "access" }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// The headers of a case: who makes the request, and what it says besides.
fn headers(case: &Value, kept: &BTreeMap<String, String>) -> Vec<(String, String)> {
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
        add(&name.to_lowercase(), value.as_str().expect("text"));
    }
    if !headers.iter().any(|(name, _)| name == "content-type") {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    headers
}

/// The body of a case, with the tokens that were kept.
fn body(case: &Value, kept: &BTreeMap<String, String>) -> String {
    let Some(body) = case.get("body") else { return String::new() };
    kept.iter().fold(body.to_string(), |text, (name, token)| {
        text.replace(&format!("\"${name}\""), &format!("\"{token}\""))
    })
}

async fn send(client: &Client, case: &Value, kept: &BTreeMap<String, String>) -> Answer {
    let (method, path) = text(case, "do").split_once(' ').expect("a method and a path");
    let headers = headers(case, kept);
    let headers: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (&**a, &**b)).collect();
    client.try_send(method, path, &headers, body(case, kept)).await.expect("an answer")
}

/// What is compared of an answer.
fn told(case: &Value, answer: &Answer) -> Value {
    if text(case, "only") == "code" {
        return json!({"code": answer.code});
    }
    let body = serde_json::from_str(&answer.text);
    let mut body: Value = body.unwrap_or_else(|_| answer.text.as_str().into());
    mask::mask(&mut body);
    json!({"code": answer.code, "body": body})
}

/// What this server answers to cases, one a line.
pub(crate) async fn answers(cases: &str) -> String {
    let cases: Vec<Value> = serde_json::from_str(cases).expect("the cases");
    let (client, mut kept, mut answers) = (server(), BTreeMap::new(), "[".to_owned());
    for (index, case) in cases.iter().enumerate() {
        let answer = send(&client, case, &kept).await;
        for (name, pointer) in case["keep"].as_object().into_iter().flatten() {
            let body = answer.json();
            let value = body.pointer(pointer.as_str().expect("a pointer")).and_then(Value::as_str);
            let value = value.unwrap_or_else(|| panic!("{case}: {}", answer.text));
            kept.insert(name.clone(), value.to_owned());
        }
        let comma = if index == 0 { "" } else { "," };
        write!(answers, "{comma}\n{}", told(case, &answer)).expect("text");
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
