//! What of an answer may differ from one server to the next: this is the whole list. Everything else must be equal;
//! the tests show that a wrong value beside these is found.

use serde_json::{Map, Value};
use watchkeeper_schema::builtin::facts;

use super::Answer;

mod whole;

/// All that is hidden, in words, as docs/api-server.md tells it.
pub const MASKS: [&str; 9] = [
    "uids, versions and times that the server gives to objects, and the tokens of pages",
    "uids, versions and times of its own in what is told",
    "the order of managed fields, which stand by their seconds, and of causes and lines that upstream takes out of Go's maps",
    "the order of the members of an object that is refused as a whole",
    "the names of limit ranges that came without one",
    "addresses and ports of Services that the server chooses, as they stand there and in what is told",
    "when the conditions of a Pod and the phase of a volume changed",
    "the status of a definition, whose names upstream's controllers accept a moment later",
    "the number in the name of the type of `self` in a rule",
];

/// What stands in place of what is hidden.
const HIDDEN: &str = "…";
/// Members of metadata that each server makes for itself.
const OWN: [&str; 5] =
    ["uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "continue"];

/// An answer without what may differ. What was sent is shown as it came back: only what the server drew is hidden.
#[must_use]
pub fn masked(answer: &Answer, sent: &str) -> Answer {
    let mut masked = answer.clone();
    object(&mut masked.body, sent);
    masked.warnings = masked.warnings.iter().map(|text| without_uids(text)).collect();
    masked
}

fn object(body: &mut Value, sent: &str) {
    if let Some(items) = body.get_mut("items").and_then(Value::as_array_mut) {
        items.iter_mut().for_each(|item| object(item, sent));
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        of_metadata(metadata);
    }
    match body["kind"].as_str() {
        Some("Status") => status(body, sent),
        Some("Service") => service(&mut body["spec"], sent),
        Some("LimitRange") => drawn_name(&mut body["metadata"], sent),
        Some("Pod") => conditions(&mut body["status"]),
        Some("PersistentVolume") => {
            if let Some(status) = body["status"].as_object_mut() {
                hide(status, "lastPhaseTransitionTime");
            }
        }
        Some("CustomResourceDefinition") => definition(body),
        _ => {}
    }
}

/// A limit range that has no name is given one that looks as a uid does.
fn drawn_name(metadata: &mut Value, sent: &str) {
    let Some(metadata) = metadata.as_object_mut() else { return };
    let name = metadata.get("name").and_then(Value::as_str).unwrap_or_default();
    if is_uid(name) && name.len() == 36 && !sent.contains(name) {
        hide(metadata, "name");
    }
}

fn of_metadata(metadata: &mut Map<String, Value>) {
    for name in OWN {
        hide(metadata, name);
    }
    let Some(entries) = metadata.get_mut("managedFields").and_then(Value::as_array_mut) else {
        return;
    };
    entries.iter_mut().filter_map(Value::as_object_mut).for_each(|entry| hide(entry, "time"));
    // They stand by their times, in seconds, and each server has its own.
    entries.sort_by_key(Value::to_string);
}

/// Only what is there, and a text: that something is missing or null is seen.
fn hide(members: &mut Map<String, Value>, name: &str) {
    if let Some(member @ Value::String(_)) = members.get_mut(name) {
        *member = HIDDEN.into();
    }
}

/// Versions and uids in what is told, and the order of causes that come from a map.
fn status(body: &mut Value, sent: &str) {
    let text = |value: &mut Value| text(value, sent);
    if let Some(details) = body["details"].as_object_mut() {
        hide(details, "uid");
        for cause in details.get_mut("causes").and_then(Value::as_array_mut).into_iter().flatten() {
            text(&mut cause["message"]);
        }
    }
    text(&mut body["message"]);
    order(body);
    order_lines(&mut body["message"]);
}

/// What an apply says of the types of members comes in any order, too, each in a line.
fn order_lines(value: &mut Value) {
    const BEFORE: &str = ": errors:\n  ";
    let Some((before, lines)) = value.as_str().and_then(|told| told.split_once(BEFORE)) else {
        return;
    };
    let mut lines: Vec<_> = lines.split("\n  ").collect();
    lines.sort_unstable();
    *value = format!("{before}{BEFORE}{}", lines.join("\n  ")).into();
}

/// Upstream walks Go's maps, whose members come in any order: those of labels and the like, whose causes stand side by
/// side, the managers of an apply's conflicts, and everything that a schema has properties for, which are custom
/// resources and definitions.
fn order(body: &mut Value) {
    let group = body["details"]["group"].as_str().unwrap_or_default().to_owned();
    let is_custom = !group.is_empty() && !facts().kinds.iter().any(|kind| kind.group == group);
    let is_definition = group == "apiextensions.k8s.io";
    let is_conflict = body["reason"] == "Conflict";
    let Some(causes) = body["details"]["causes"].as_array().cloned() else { return };
    let mut sorted = causes.clone();
    let part = |cause: &Value| {
        let field = cause["field"].as_str().unwrap_or_default();
        match field.split_once(['.', '[']) {
            _ if is_conflict => Some(String::new()),
            // What has no field is said of something in the spec.
            Some((first, _)) if is_custom => Some(first.to_owned()),
            None if is_custom => Some(if field == "<nil>" { "spec" } else { field }.to_owned()),
            _ if is_definition => {
                field.split_once(".openAPIV3Schema").map(|(version, _)| version.to_owned())
            }
            _ => map_of(field).map(str::to_owned),
        }
    };
    let is_one = |one: &Value, other: &Value| part(one).is_some() && part(one) == part(other);
    for run in sorted.chunk_by_mut(is_one) {
        run.sort_by_key(Value::to_string);
    }
    // What is not told by its causes stays as it is.
    let told = body["message"].as_str().unwrap_or_default();
    match told.strip_suffix(&*joined(&causes)) {
        Some(before) => body["message"] = format!("{before}{}", joined(&sorted)).into(),
        // A conflict tells its managers in order.
        None if is_conflict => {}
        None => return,
    }
    body["details"]["causes"] = sorted.into();
}

/// The map that a field is in, or is: limits and requests are walked together.
fn map_of(field: &str) -> Option<&str> {
    const MAPS: [&str; 4] = ["labels", "annotations", "matchLabels", "nodeSelector"];
    for list in [".resources.limits", ".resources.requests"] {
        if let Some((before, _)) = field.split_once(list) {
            return field.get(..before.len() + ".resources".len());
        }
    }
    let is_name = |inner: &str| !inner.starts_with(|c: char| c.is_ascii_digit());
    match field.split_once('[') {
        Some((map, inner)) if is_name(inner) => Some(map),
        _ => MAPS.iter().any(|map| field.ends_with(map)).then_some(field),
    }
}

/// Causes as a message tells them, each once.
fn joined(causes: &[Value]) -> String {
    let mut told: Vec<String> = Vec::new();
    for cause in causes {
        let text = |name: &str| cause[name].as_str().unwrap_or_default();
        let one = format!("{}: {}", text("field"), text("message"));
        if !told.contains(&one) {
            told.push(one);
        }
    }
    if told.len() == 1 { told.swap_remove(0) } else { format!("[{}]", told.join(", ")) }
}

fn text(value: &mut Value, sent: &str) {
    if let Some(told) = value.as_str() {
        let told = whole::in_order(&without_uids(told));
        let told = without_own(&without_version(&told));
        let told = without_numbers(&told, "10.96.", sent);
        let told = without_numbers(&told, r#"\"nodePort\":"#, sent);
        let told = without_numbers(&told, "Duplicate value: ", sent);
        *value = without_self_type(&told).into();
    }
}

/// The version that an object has, where another was wanted.
fn without_version(told: &str) -> String {
    const BEFORE: &str = "does not match the ResourceVersion in record (";
    let Some((before, rest)) = told.split_once(BEFORE) else { return told.to_owned() };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{before}{BEFORE}{HIDDEN}{rest}")
}

/// The version and the times of an object that is told as a whole, as the text of a patched one is.
fn without_own(told: &str) -> String {
    let mut masked = told.to_owned();
    let times = ["creationTimestamp", "time", "lastTransitionTime", "lastPhaseTransitionTime"];
    for name in ["resourceVersion"].into_iter().chain(times) {
        let before = format!(r#"\"{name}\":\""#);
        let mut parts = masked.split(&before);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.find('\\').map_or("", |end| &part[end..]);
            out += &format!("{before}{HIDDEN}{rest}");
        }
        masked = out;
    }
    masked
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|one| one.trim_start_matches("10.96."))
}

/// Addresses and ports of the server's own choice in a text: what stands behind these signs, but for what was sent.
fn without_numbers(told: &str, before: &str, sent: &str) -> String {
    let mut parts = told.split(before);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &part[..part.len() - rest.len()];
        // 0 is none at all, and no choice.
        let is_sent = matches!(number, "" | "0") || numbers(sent).any(|one| one == number);
        masked += before;
        masked += if is_sent { number } else { HIDDEN };
        masked += rest;
    }
    masked
}

/// The type of `self` in a rule has a number of the clock in its name.
fn without_self_type(told: &str) -> String {
    const BEFORE: &str = "selfType";
    let mut parts = told.split(BEFORE);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        masked += BEFORE;
        masked += if rest.len() < part.len() { HIDDEN } else { "" };
        masked += rest;
    }
    masked
}

/// Addresses and ports of the server's own choice, which are those that were not asked for.
fn service(spec: &mut Value, sent: &str) {
    let is_drawn = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        !sent.contains(&text) && (text.starts_with("10.96.") || value.is_u64())
    };
    let hide = |value: &mut Value| {
        if is_drawn(value) {
            *value = HIDDEN.into();
        }
    };
    for name in ["clusterIP", "healthCheckNodePort"] {
        spec.get_mut(name).into_iter().for_each(hide);
    }
    for address in spec["clusterIPs"].as_array_mut().into_iter().flatten() {
        hide(address);
    }
    for port in spec["ports"].as_array_mut().into_iter().flatten() {
        port.get_mut("nodePort").into_iter().for_each(hide);
    }
}

/// When a condition of a pod changed: a gate that it waits for is told of as it is made.
fn conditions(status: &mut Value) {
    for condition in status["conditions"].as_array_mut().into_iter().flatten() {
        condition.as_object_mut().into_iter().for_each(|one| hide(one, "lastTransitionTime"));
    }
}

/// Upstream's controllers accept the names of a definition a moment after it has been made.
fn definition(body: &mut Value) {
    if body.get("status").is_some() {
        body["status"] = HIDDEN.into();
    }
}

/// Whatever looks as a uid does, in a text.
fn without_uids(text: &str) -> String {
    let (mut masked, mut rest) = (String::new(), text);
    while let Some(next) = rest.chars().next() {
        if is_uid(rest) {
            masked += HIDDEN;
            rest = &rest[36..];
        } else {
            masked.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    masked
}

fn is_uid(text: &str) -> bool {
    let Some(text) = text.as_bytes().get(..36) else { return false };
    text.iter().enumerate().all(|(index, byte)| match index {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
    })
}

#[cfg(test)]
mod tests;
