//! What a case asks, and what of the answer is compared: the same for every server.
//!
//! A case is a request (`who`, `do`, `headers`, and `body`, `text` or `hex`) with the bullet that it is about
//! (`id`). In its texts `<<name>>` is what an earlier case had to `keep`, and `<<text*7>>` is the text seven times.
//! Of the answer code and body are compared, without what may differ (`mask`); with `only` the code alone, or some
//! places of the body; with `tell` headers as well. `relations` say how what was masked compares.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::mask;

/// What was kept of earlier answers, by its name.
pub(crate) type Kept = BTreeMap<String, String>;

/// An answer, from whichever server.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) code: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// As JSON, the frames of a watch as a list, and as a text what is neither.
    pub(crate) body: Value,
}

impl Told {
    /// An answer whose body is this text.
    pub(crate) fn new(code: u16, headers: Vec<(String, String)>, text: &str) -> Self {
        Self { code, headers, body: read(text) }
    }

    /// A text of the body, or a header, of which there is no pointer.
    fn text(&self, place: &str) -> Option<&str> {
        if place.starts_with('/') {
            return self.body.pointer(place).and_then(Value::as_str);
        }
        let name = place.to_lowercase();
        self.headers.iter().find(|(header, _)| *header == name).map(|(_, value)| value.as_str())
    }
}

fn read(text: &str) -> Value {
    let frames: Result<Vec<Value>, _> =
        serde_json::Deserializer::from_str(text).into_iter().collect();
    match frames {
        Ok(mut frames) if frames.len() == 1 => frames.remove(0),
        Ok(frames) if !frames.is_empty() => frames.into(),
        _ => text.into(),
    }
}

/// The method and the path of a case.
pub(crate) fn request(case: &Value, kept: &Kept) -> (String, String) {
    let what = filled(case["do"].as_str().unwrap_or_default(), kept);
    let (method, path) = what.split_once(' ').unwrap_or(("GET", &what));
    (method.to_owned(), path.to_owned())
}

/// The body of a case.
pub(crate) fn body(case: &Value, kept: &Kept) -> Vec<u8> {
    if let Some(digits) = case["hex"].as_str() {
        return bytes(digits);
    }
    let text = case["text"].as_str().map(str::to_owned);
    let text = text.or_else(|| case.get("body").map(Value::to_string)).unwrap_or_default();
    let text = kept.iter().fold(text, |text, (name, value)| {
        text.replace(&format!("\"${name}\""), &format!("\"{value}\""))
    });
    filled(&text, kept).into_bytes()
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = (0..digits.len()).step_by(2).map(|at| digits.get(at..at + 2));
    pairs.filter_map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
}

/// A text with what stands for its `<<…>>`.
pub(crate) fn filled(text: &str, kept: &Kept) -> String {
    let mut parts = text.split("<<");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, rest) = part.split_once(">>").unwrap_or((part, ""));
        let many =
            inside.rsplit_once('*').and_then(|(text, count)| Some((text, count.parse().ok()?)));
        match many {
            Some((text, count)) => filled += &text.repeat(count),
            None => filled += kept.get(inside).map_or("", String::as_str),
        }
        filled += rest;
    }
    filled
}

/// Keeps of an answer what later cases ask for: the names of those that it does not have are given back.
pub(crate) fn keep(case: &Value, answer: &Told, kept: &mut Kept) -> Vec<String> {
    let mut missing = Vec::new();
    for (name, place) in case["keep"].as_object().into_iter().flatten() {
        let value = answer.text(place.as_str().unwrap_or_default());
        if value.is_none() {
            missing.push(name.clone());
        }
        kept.insert(name.clone(), value.unwrap_or_default().to_owned());
    }
    missing
}

/// What is compared of an answer.
pub(crate) fn told(case: &Value, answer: &Told, kept: &Kept) -> Value {
    let mut told = json!({"code": answer.code});
    let mut body = answer.body.clone();
    mask::mask(&mut body);
    match &case["only"] {
        Value::Array(places) => {
            for place in places.iter().filter_map(Value::as_str) {
                told["at"][place] = body.pointer(place).cloned().unwrap_or_default();
            }
        }
        Value::String(_) => {}
        _ => told["body"] = body,
    }
    for name in case["tell"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        told["headers"][name] = header(answer, name);
    }
    for relation in case["relations"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        told["relations"][relation] = holds(relation, answer, kept).into();
    }
    told
}

/// What a header says each time that it is there.
fn header(answer: &Told, name: &str) -> Value {
    let all = answer.headers.iter().filter(|(header, _)| header == name);
    all.map(|(_, value)| mask::header(name, value)).collect()
}

/// Whether `place operator place` holds, the latter of which may be the name of what was kept, or a text.
fn holds(relation: &str, answer: &Told, kept: &Kept) -> bool {
    let mut words = relation.splitn(3, ' ');
    let (Some(left), Some(operator), Some(right)) = (words.next(), words.next(), words.next())
    else {
        return false;
    };
    let of_answer = answer.text(right).or_else(|| kept.get(right).map(String::as_str));
    let right = of_answer.unwrap_or(right);
    let Some(left) = answer.text(left) else { return false };
    match operator {
        "=" => left == right,
        ">" => number(left) > number(right),
        ">=" => number(left) >= number(right),
        "begins" => left.starts_with(right),
        "long" => left.chars().count().to_string() == right,
        _ => false,
    }
}

/// A revision, as those are compared that have no bounds: by their length first.
fn number(text: &str) -> (usize, &str) {
    (text.len(), text)
}
