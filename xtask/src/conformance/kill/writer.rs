//! The process that writes: each line of its log is there before the next request goes out.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use watchkeeper_generator::Dice;

use serde_json::{Value, json};

use crate::Outcome;
use crate::conformance::http;

/// Where config maps are.
pub(super) const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// Writes with several threads until nobody answers.
///
/// # Errors
/// That the log cannot be written, or that the server refuses what it should not.
pub(super) fn run(address: &str, log: &Path, writers: u64, seed: u64) -> Outcome {
    let log = File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let outcomes = std::thread::scope(|scope| {
        let started = (0..writers).map(|number| {
            let log = &log;
            scope.spawn(move || {
                Writer { number, address, log, dice: Dice::new(seed ^ number) }.write()
            })
        });
        let started: Vec<_> = started.collect();
        started.into_iter().map(|thread| thread.join()).collect::<Vec<_>>()
    });
    for outcome in outcomes {
        outcome.map_err(|_| "a writer broke down")??;
    }
    Ok(ExitCode::SUCCESS)
}

/// One that writes config maps of its own.
struct Writer<'a> {
    number: u64,
    address: &'a str,
    log: &'a File,
    dice: Dice,
}

impl Writer<'_> {
    fn write(mut self) -> Outcome<()> {
        // What is there decides how to write: it may be from before a kill.
        let mut there = Vec::new();
        for name in (0..4).map(|which| self.name(which)) {
            let Ok(found) = http::send(self.address, "GET", &format!("{MAPS}/{name}"), &[], "")
            else {
                return Ok(());
            };
            there.push(found.code == 200);
        }
        loop {
            let which = self.dice.below(4);
            let name = self.name(which);
            let is_there = &mut there[usize::try_from(which).map_err(|e| e.to_string())?];
            let value = self.dice.below(u64::MAX);
            let goes = *is_there && self.dice.below(4) == 0;
            let (method, path) = match (*is_there, goes) {
                (_, true) => ("DELETE", format!("{MAPS}/{name}")),
                (true, false) => ("PUT", format!("{MAPS}/{name}")),
                (false, false) => ("POST", MAPS.to_owned()),
            };
            let wanted = if goes { "-".to_owned() } else { value.to_string() };
            let map = json!({"metadata": {"name": name}, "data": {"value": wanted}});
            let body = if goes { String::new() } else { map.to_string() };
            self.note(&format!("begun {name} {wanted}"))?;
            let kind = [("content-type".to_owned(), "application/json".to_owned())];
            // No answer, or a part of one: it is over.
            let Ok(answer) = http::send(self.address, method, &path, &kind, &body) else {
                return Ok(());
            };
            let Some(told) = told(answer.code, &answer.body, goes) else {
                return refused(method, &path, &answer);
            };
            self.note(&format!("done {name} {wanted} {told}"))?;
            *is_there = !goes;
        }
    }

    fn name(&self, which: u64) -> String {
        format!("w{}-{which}", self.number)
    }

    /// One line, in one piece: others write into the file, too.
    fn note(&self, line: &str) -> Outcome<()> {
        let mut log = self.log;
        log.write_all(format!("{line}\n").as_bytes()).map_err(|e| format!("the log: {e}"))
    }
}

/// The revision that an acknowledgement tells; 0 for a delete, whose answer has none.
fn told(code: u16, body: &Value, goes: bool) -> Option<u64> {
    match (code, goes) {
        (200, true) => (body["status"] == "Success").then_some(0),
        (200 | 201, false) => body["metadata"]["resourceVersion"].as_str()?.parse().ok(),
        _ => None,
    }
}

fn refused(method: &str, path: &str, answer: &http::Answer) -> Outcome<()> {
    // An answer that was cut is text.
    if answer.body.is_string() {
        return Ok(());
    }
    Err(format!("{method} {path}: {} {}", answer.code, answer.body))
}
