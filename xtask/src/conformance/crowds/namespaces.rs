//! Many namespaces, with what controllers put into each.

use std::time::Duration;

use serde_json::{Value, json};

use super::Address;
use crate::conformance::http;
use crate::{Outcome, step};

/// How long controllers may take for all of them.
const DONE: Duration = Duration::from_secs(300);
/// One of so many is deleted again.
const DELETED: usize = 20;

const SPACES: &str = "/api/v1/namespaces";

/// Each gets its account and its config map, and those that are deleted go with them.
pub(super) fn made_and_deleted(address: &Address, many: usize) -> Outcome<()> {
    let before = count(address, SPACES)?;
    for number in 0..many {
        let space = json!({"metadata": {"name": format!("n{number}")}}).to_string();
        asked(address, "POST", SPACES, &space, 201)?;
    }
    wait(address, "/api/v1/serviceaccounts", before + many)?;
    wait(
        address,
        "/api/v1/configmaps?fieldSelector=metadata.name%3Dkube-root-ca.crt",
        before + many,
    )?;
    let gone = (0..many).step_by(DELETED);
    let left = before + many - gone.len();
    for number in gone {
        asked(address, "DELETE", &format!("{SPACES}/n{number}"), "", 200)?;
    }
    wait(address, SPACES, left)?;
    wait(address, "/api/v1/serviceaccounts", left)
}

fn wait(address: &Address, path: &str, wanted: usize) -> Outcome<()> {
    let mut last = 0;
    let done = step::until(DONE, || {
        last = count(address, path)?;
        Ok(last == wanted)
    });
    done.map_err(|problem| format!("{path}: {last} of {wanted}: {problem}"))
}

/// How many there are, page by page.
fn count(address: &Address, path: &str) -> Outcome<usize> {
    let and = if path.contains('?') { '&' } else { '?' };
    let mut found = 0;
    let mut token = String::new();
    loop {
        let page = asked(address, "GET", &format!("{path}{and}limit=500{token}"), "", 200)?;
        found += page["items"].as_array().map_or(0, Vec::len);
        match page["metadata"]["continue"].as_str() {
            Some(next) if !next.is_empty() => token = format!("&continue={next}"),
            _ => return Ok(found),
        }
    }
}

fn asked(address: &Address, method: &str, path: &str, body: &str, wanted: u16) -> Outcome<Value> {
    let answer = http::send(address, method, path, &[], body)?;
    if answer.code == wanted {
        Ok(answer.body)
    } else {
        Err(format!("{method} {path}: {}", answer.body))
    }
}
