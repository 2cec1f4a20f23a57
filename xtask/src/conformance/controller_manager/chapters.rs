//! What is asked for, and what must come of it: the chapters of `conformance/controller-manager`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::has::difference;
use crate::conformance::http;
use crate::{Outcome, step};

/// How long what controllers do may take: they look for new kinds every half minute.
const PATIENCE: Duration = Duration::from_secs(90);
/// How long to wait before it is asked again.
const BETWEEN: Duration = Duration::from_millis(300);

/// Tells all chapters to the server at an address: those of a phase beside each other, the phases in turn. How
/// many there were.
///
/// # Errors
/// The chapters that go otherwise.
pub(super) fn tell(address: &str, phases: &Value) -> Outcome<usize> {
    let mut told = 0;
    for phase in items(phases) {
        let outcomes: Vec<Outcome<()>> = std::thread::scope(|scope| {
            let begun = items(phase).iter().map(|chapter| scope.spawn(|| one(address, chapter)));
            let begun: Vec<_> = begun.collect();
            let broken = |_| Err("a chapter broke down".to_owned());
            begun.into_iter().map(|chapter| chapter.join().unwrap_or_else(broken)).collect()
        });
        told += outcomes.len();
        let failed: Vec<String> = outcomes.into_iter().filter_map(Outcome::err).collect();
        if !failed.is_empty() {
            return Err(failed.join("\n"));
        }
    }
    Ok(told)
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn one(address: &str, chapter: &Value) -> Outcome<()> {
    let name = text(&chapter["name"]);
    let mut chapter_of = Chapter { address, kept: BTreeMap::new() };
    let (seconds, outcome) = step::measured(|| {
        items(&chapter["steps"]).iter().try_for_each(|step| chapter_of.step(step))
    });
    outcome.map_err(|problem| format!("{name}: {problem}"))?;
    eprintln!("{name:<72} {seconds:>6.1} s");
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A chapter as it is told: what it keeps of answers stands for `$name`.
struct Chapter<'a> {
    address: &'a str,
    kept: BTreeMap<String, String>,
}

impl Chapter<'_> {
    fn step(&mut self, step: &Value) -> Outcome<()> {
        match (step["do"].as_str(), step["until"].as_str()) {
            (Some(what), None) => self.act(what, step),
            (None, Some(path)) => self.await_it(path, step),
            _ => Err(format!("no step: {step}")),
        }
    }

    fn act(&mut self, what: &str, step: &Value) -> Outcome<()> {
        let what = self.filled(what);
        let (method, path) = what.split_once(' ').unwrap_or(("GET", &what));
        let body = step.get("body").map(Value::to_string).unwrap_or_default();
        let kind = step["type"].as_str().unwrap_or("application/json");
        let headers = [("content-type".to_owned(), kind.to_owned())];
        let answer = http::send(self.address, method, path, &headers, &self.filled(&body))?;
        let is_right = match step["code"].as_u64() {
            Some(code) => u64::from(answer.code) == code,
            None => (200..300).contains(&answer.code),
        };
        if !is_right {
            return Err(format!("{what}: {} {}", answer.code, answer.body));
        }
        self.keep(step, &answer.body);
        Ok(())
    }

    fn await_it(&mut self, path: &str, step: &Value) -> Outcome<()> {
        let path = self.filled(path);
        let (mut last, mut body) = (String::new(), Value::Null);
        let mut is_again = false;
        let outcome = step::until(PATIENCE, || {
            // Many chapters ask at a time: the server has others to answer.
            if std::mem::replace(&mut is_again, true) {
                step::pause(BETWEEN);
            }
            let answer = http::send(self.address, "GET", &path, &[], "")?;
            let wrong = wrong(step, &answer);
            last = wrong.clone().unwrap_or_default();
            body = answer.body;
            Ok(wrong.is_none())
        });
        outcome.map_err(|problem| format!("{path}: {problem}: {last}\n{body}"))?;
        self.keep(step, &body);
        Ok(())
    }

    fn filled(&self, text: &str) -> String {
        let fill = |text: String, (name, value): (&String, &String)| {
            text.replace(&format!("${name}"), value)
        };
        self.kept.iter().fold(text.to_owned(), fill)
    }

    fn keep(&mut self, step: &Value, body: &Value) {
        for (name, pointer) in step["keep"].as_object().into_iter().flatten() {
            let value = body.pointer(text(pointer)).map(text).unwrap_or_default();
            self.kept.insert(name.clone(), value.to_owned());
        }
    }
}

/// What is not yet as a step wants it.
fn wrong(step: &Value, answer: &http::Answer) -> Option<String> {
    if step["gone"] == true {
        return (answer.code != 404).then(|| format!("it is still there: {}", answer.code));
    }
    if answer.code != 200 {
        return Some(format!("{}", answer.code));
    }
    let has = step.get("has").and_then(|has| difference(has, &answer.body));
    has.or_else(|| wrong_size(step, &answer.body)).or_else(|| wrong_items(step, &answer.body))
}

fn wrong_size(step: &Value, body: &Value) -> Option<String> {
    step["sizes"].as_object().into_iter().flatten().find_map(|(pointer, wanted)| {
        let size = body.pointer(pointer).and_then(Value::as_array).map(Vec::len);
        let size = Value::from(size);
        (size != *wanted).then(|| format!("{pointer} has {size}, not {wanted}"))
    })
}

fn wrong_items(step: &Value, body: &Value) -> Option<String> {
    let found = items(&body["items"]);
    let each = step.get("each").and_then(|each| {
        found
            .iter()
            .enumerate()
            .find_map(|(at, item)| difference(each, item).map(|what| format!(".items[{at}]{what}")))
    });
    let any = step.get("any").and_then(|any| {
        let is_one = found.iter().any(|item| difference(any, item).is_none());
        (!is_one).then(|| format!("none of {} items is it", found.len()))
    });
    each.or(any)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::wrong;
    use crate::conformance::http::Answer;

    #[test]
    fn what_is_not_as_it_must_be_is_told() {
        let list = || Answer { code: 200, body: json!({"items": [{"a": 1}, {"a": 2}]}) };
        let right = [
            json!({"sizes": {"/items": 2}, "each": {"a": "*"}, "any": {"a": 2}}),
            json!({"has": {"items": [{"a": 1}]}}),
        ];
        for step in right {
            assert_eq!(wrong(&step, &list()), None, "{step}");
        }
        let mistakes = [
            (json!({"gone": true}), "it is still there: 200"),
            (json!({"sizes": {"/items": 1}}), "/items has 2, not 1"),
            (json!({"sizes": {"/none": 1}}), "/none has null, not 1"),
            (json!({"each": {"a": 1}}), ".items[1].a is 2, not 1"),
            (json!({"any": {"a": 3}}), "none of 2 items is it"),
            (json!({"has": {"items": [{"a": 3}]}}), ".items[0] is not among [{\"a\":1},{\"a\":2}]"),
        ];
        for (step, told) in mistakes {
            assert_eq!(wrong(&step, &list()).as_deref(), Some(told));
        }
        let gone = Answer { code: 404, body: json!({}) };
        assert_eq!(wrong(&json!({"gone": true}), &gone), None);
        assert_eq!(wrong(&json!({"has": {}}), &gone).as_deref(), Some("404"));
    }
}
