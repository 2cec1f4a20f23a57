//! Scalars and selectors against what Go made of the same texts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::Value;
use watchkeeper_api::quantity::Amount;
use watchkeeper_api::selector::{FieldSelector, Selector};
use watchkeeper_api::{IntOrString, MicroTime, Time, version};

const VALUES: &str = include_str!("../data/values.jsonl");

/// The label sets that selectors were tried on, in order.
const LABEL_SETS: [&[(&str, &str)]; 8] = [
    &[],
    &[("a", "x")],
    &[("a", "y"), ("b", "x")],
    &[("a", "")],
    &[("a", "3")],
    &[("b", "y")],
    &[("in", "in")],
    &[("a", "x"), ("b", "y")],
];

/// Where we differ on purpose.
const STRICTER: [(&str, &str, &str); 3] = [
    ("fields", "=", "a path that is empty is no path"),
    ("fields", "=b", "a path that is empty is no path"),
    ("time", "2026-01-01T0:00:00Z", "RFC 3339 wants two digits"),
];

#[test]
fn values_are_read_as_go_reads_them() {
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for line in VALUES.lines() {
        let case: Value = serde_json::from_str(line).expect("Go writes JSON");
        let text = case["text"].as_str().unwrap_or_default();
        let of = case["of"].as_str().unwrap_or_default();
        *seen.entry(of.to_owned()).or_default() += 1;
        let ours = match of {
            "quantity" => quantity(text, &case),
            "sum" => sum(text, &case),
            "labels" => labels(text, &case),
            "fields" => text.parse::<FieldSelector>().ok().map(|s| answer(&s.to_string())),
            "time" => text.parse::<Time>().ok().map(|time| answer(&time.to_string())),
            "microtime" => text.parse::<MicroTime>().ok().map(|time| answer(&time.to_string())),
            "version" => compare(text, &case),
            "scaled" => scaled(text, &case),
            other => panic!("no test for {other}"),
        };
        if STRICTER.iter().any(|(stricter, refused, _)| (*stricter, *refused) == (of, text)) {
            assert_eq!(ours, None, "{line}");
            continue;
        }
        let agree = match ours.as_ref().and_then(Value::as_object) {
            None => case["refused"] == true,
            Some(ours) => {
                case.get("refused").is_none()
                    && ours
                        .iter()
                        .all(|(name, ours)| case.get(name).unwrap_or(&Value::Null) == ours)
            }
        };
        if !agree {
            wrong.push(format!("{line}\n    {ours:?}"));
        }
    }
    println!("{seen:?}");
    assert!(seen.len() == 8 && seen.values().all(|count| *count > 3), "{seen:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// An empty answer is left out by Go.
fn answer(text: &str) -> Value {
    if text.is_empty() { serde_json::json!({}) } else { serde_json::json!({ "answer": text }) }
}

fn quantity(text: &str, case: &Value) -> Option<Value> {
    let amount: Amount = text.parse().ok()?;
    let mut ours = serde_json::json!({ "answer": amount.to_string() });
    if case.get("value").is_some() {
        ours["value"] = amount.value().into();
        ours["milli"] = amount.milli_value().into();
    }
    Some(ours)
}

fn sum(text: &str, case: &Value) -> Option<Value> {
    let a: Amount = text.parse().ok()?;
    let b: Amount = case["other"].as_str()?.parse().ok()?;
    Some(serde_json::json!({ "sum": (a + b).to_string(), "compare": order(a.cmp(&b)) }))
}

fn labels(text: &str, case: &Value) -> Option<Value> {
    let selector: Selector = text.parse().ok()?;
    let matches = LABEL_SETS.map(|set| {
        selector
            .matches(|key| set.iter().find_map(|(found, value)| (*found == key).then_some(*value)))
    });
    // Go remembers whether one or two equals signs were written.
    let same = case["answer"]
        .as_str()
        .is_some_and(|theirs| theirs.replace("==", "=") == selector.to_string());
    let mut ours = if same { serde_json::json!({}) } else { answer(&selector.to_string()) };
    ours["matches"] = matches.to_vec().into();
    Some(ours)
}

fn compare(text: &str, case: &Value) -> Option<Value> {
    let found = version::compare(text, case["other"].as_str().unwrap_or_default())?;
    Some(serde_json::json!({ "compare": order(found) }))
}

fn scaled(text: &str, case: &Value) -> Option<Value> {
    let value = IntOrString::from(text);
    let total = i32::try_from(case["compare"].as_i64()?).ok()?;
    let (up, down) = (value.scaled(total, true)?, value.scaled(total, false)?);
    Some(serde_json::json!({ "value": up, "milli": down }))
}

fn order(order: Ordering) -> i32 {
    order as i32
}
