//! What is said of one kind in several places, as one definition.

use serde_json::{Map, Value};

/// The name of a definition, which is its plural and its group.
pub(super) fn name(definition: &Value) -> Result<String, String> {
    let text = |pointer: &str| {
        let found = definition.pointer(pointer).and_then(Value::as_str);
        found.filter(|text| !text.is_empty()).ok_or_else(|| {
            format!("a definition without {}", pointer.trim_start_matches('/').replace('/', "."))
        })
    };
    let (name, group) = (text("/metadata/name")?, text("/spec/group")?);
    let plural = text("/spec/names/plural")?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    if name != format!("{plural}.{group}") || !name.chars().all(is_plain) || plural.contains('.') {
        return Err(format!("{name:?} is not the name of a definition of {plural:?} in {group:?}"));
    }
    Ok(name.to_owned())
}

/// The versions that objects are stored in.
pub(super) fn stored(definition: &Value) -> Vec<&str> {
    let stored = versions(definition).iter().filter(|of| of["storage"] == Value::Bool(true));
    stored.filter_map(|of| of["name"].as_str()).collect()
}

fn versions(definition: &Value) -> &[Value] {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    versions.map(Vec::as_slice).unwrap_or_default()
}

/// Both as one; what both say must be the same.
pub(super) fn joined(known: &Value, mut other: Value) -> Result<Value, String> {
    let mut joined = known.clone();
    let others = other.pointer_mut("/spec/versions").map(Value::take).unwrap_or_default();
    let mut all = versions(known).to_vec();
    for version in others.as_array().into_iter().flatten() {
        match all.iter().find(|of| of["name"] == version["name"]) {
            None => all.push(version.clone()),
            Some(same) if same == version => {}
            Some(_) => return Err(format!("version {} is said to be two things", version["name"])),
        }
    }
    // In an order of its own, whichever text came first.
    all.sort_by(|one, other| one["name"].as_str().cmp(&other["name"].as_str()));
    for part in ["metadata", "spec"] {
        if let (Value::Object(known), Value::Object(other)) = (&mut joined[part], &mut other[part])
        {
            other.remove("versions");
            members(known, other, part)?;
        }
    }
    joined["spec"]["versions"] = Value::Array(all);
    Ok(joined)
}

fn members(
    known: &mut Map<String, Value>,
    other: &Map<String, Value>,
    path: &str,
) -> Result<(), String> {
    for (name, value) in other {
        let path = format!("{path}.{name}");
        match (known.get_mut(name), value) {
            (None, _) => {
                known.insert(name.clone(), value.clone());
            }
            (Some(Value::Object(known)), Value::Object(value)) => members(known, value, &path)?,
            (Some(known), value) if known == value => {}
            (Some(known), value) => {
                return Err(format!("{path} is said to be {known} and {value}"));
            }
        }
    }
    Ok(())
}
