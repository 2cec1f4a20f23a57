//! Scalars and selectors against what Go made of the same texts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::Value;
use watchkeeper_api::meta::v1::{LabelSelector, LabelSelectorRequirement};
use watchkeeper_api::quantity::Amount;
use watchkeeper_api::selector::{FieldSelector, Requirement, Selector, SelectorError, Test};
use watchkeeper_api::{IStr, IntOrString, MicroTime, Span, Time, validation, version};

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
            "fields" => {
                let parsed = text.parse::<FieldSelector>();
                Some(parsed.map_or_else(|why| refusal(&why), |s| answer(&s.to_string())))
            }
            "requirement" => requirement(text, &case),
            "name" => {
                Some(answer(&named(case["other"].as_str().unwrap_or_default(), text).join("\n")))
            }
            "human" | "short" | "goduration" => length(of, text),
            "duration" => text.parse::<Span>().ok().map(|span| answer(&span.to_string())),
            "time" => text.parse::<Time>().ok().map(|time| answer(&time.to_string())),
            "microtime" => text.parse::<MicroTime>().ok().map(|time| answer(&time.to_string())),
            "version" => compare(text, &case),
            "scaled" => scaled(text, &case),
            other => panic!("no test for {other}"),
        };
        if STRICTER.iter().any(|(stricter, refused, _)| (*stricter, *refused) == (of, text)) {
            assert!(ours.is_none_or(|ours| ours["refused"] == true), "{line}");
            continue;
        }
        let agree = match ours.as_ref().and_then(Value::as_object) {
            None => case["refused"] == true,
            Some(ours) => {
                case.get("refused") == ours.get("refused")
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
    assert!(seen.len() == 14 && seen.values().all(|count| *count > 3), "{seen:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Go says why it refused a selector, in the words that we say.
fn refusal(why: &SelectorError) -> Value {
    serde_json::json!({ "refused": true, "error": why.to_string() })
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
    let selector: Selector = match text.parse() {
        Ok(selector) => selector,
        Err(why) => return Some(refusal(&why)),
    };
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

fn requirement(key: &str, case: &Value) -> Option<Value> {
    let (operator, values) = case["other"].as_str()?.split_once(' ')?;
    let list =
        || if values.is_empty() { Vec::new() } else { values.split(',').map(IStr::from).collect() };
    let as_list = |operator: &str| {
        let expression = LabelSelectorRequirement {
            key: key.into(),
            operator: operator.into(),
            values: list().into(),
        };
        let selector =
            LabelSelector { match_expressions: [expression].into(), ..LabelSelector::default() };
        Selector::try_from(&selector).map(|_| ())
    };
    let number = || values.parse().unwrap_or_default();
    let made = match operator {
        "in" => as_list("In"),
        "notin" => as_list("NotIn"),
        "exists" => as_list("Exists"),
        "!" => as_list("DoesNotExist"),
        "=" => Requirement::new(key, Test::Equals(values.into())).map(|_| ()),
        "!=" => Requirement::new(key, Test::NotEquals(values.into())).map(|_| ()),
        "gt" => Requirement::new(key, Test::Above(number())).map(|_| ()),
        "lt" => Requirement::new(key, Test::Below(number())).map(|_| ()),
        other => panic!("no test for {other}"),
    };
    Some(made.map_or_else(|why| refusal(&why), |()| serde_json::json!({})))
}

fn named(rule: &str, text: &str) -> validation::Problems {
    match rule {
        "dns1123Label" => validation::dns1123_label(text),
        "dns1123Subdomain" => validation::dns1123_subdomain(text),
        "wildcard" => validation::wildcard_dns1123_subdomain(text),
        "dns1035Label" => validation::dns1035_label(text),
        "labelKey" => validation::label_key(text),
        "labelValue" => validation::label_value(text),
        "pathSegment" => validation::path_segment(text),
        "portName" => validation::port_name(text),
        "cIdentifier" => validation::c_identifier(text),
        "envName" => validation::env_name(text),
        "relaxedEnvName" => validation::relaxed_env_name(text),
        "configKey" => validation::config_key(text),
        "headerName" => validation::http_header_name(text),
        "percent" => validation::percent(text),
        "generateLabel" => validation::generate_name(text, validation::dns1123_label),
        "generateSubdomain" => validation::generate_name(text, validation::dns1123_subdomain),
        other => panic!("no test for {other}"),
    }
}

fn length(of: &str, nanos: &str) -> Option<Value> {
    let span = Span::from_nanos(nanos.parse().ok()?);
    Some(answer(&match of {
        "human" => span.human(),
        "short" => span.short_human(),
        _ => span.to_string(),
    }))
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
