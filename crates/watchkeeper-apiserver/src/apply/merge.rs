//! The live object with what is applied laid over it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::typed::{Of, atomic_list, atomic_map, item_element, items, member};
use crate::fields::PathElement;

/// Merges `applied` into `live`: maps by member, lists that are not atomic by item, all else is
/// replaced.
///
/// # Errors
///
/// An item of an applied list that cannot be told from the others.
pub(super) fn merge(live: &Value, applied: &Value, of: Of<'_>) -> Result<Value, String> {
    match (live, applied) {
        (Value::Object(live), Value::Object(applied)) if !atomic_map(of) => {
            let mut merged = live.clone();
            for (name, value) in applied {
                let new = match live.get(name) {
                    Some(old) => merge(old, value, member(of, name))?,
                    None => value.clone(),
                };
                merged.insert(name.clone(), new);
            }
            Ok(Value::Object(merged))
        }
        (Value::Array(live), Value::Array(applied)) if !atomic_list(of) => {
            merge_list(live, applied, of).map(Value::Array)
        }
        // Nothing is taken from a map or list by applying null to it.
        (Value::Object(members), Value::Null) if !atomic_map(of) && !members.is_empty() => {
            Ok(live.clone())
        }
        (Value::Array(list), Value::Null) if !atomic_list(of) && !list.is_empty() => {
            Ok(live.clone())
        }
        _ => Ok(applied.clone()),
    }
}

/// Items of both keep the order in which they are applied; live items keep their place among them.
fn merge_list(live: &[Value], applied: &[Value], of: Of<'_>) -> Result<Vec<Value>, String> {
    let right = elements(applied, of)?;
    let mut at: BTreeMap<&PathElement, usize> = BTreeMap::new();
    for (index, element) in right.iter().enumerate() {
        if at.insert(element, index).is_some() {
            return Err(format!("duplicate entries for key {element}"));
        }
    }
    // A live item without an identity is nobody's: it stays as it is.
    let left: Vec<Option<PathElement>> =
        live.iter().map(|item| item_element(of, item).ok()).collect();
    let mut places: BTreeMap<&PathElement, Vec<usize>> = BTreeMap::new();
    for (index, element) in left.iter().enumerate() {
        if let Some(element) = element {
            places.entry(element).or_default().push(index);
        }
    }
    let merged_item = |index: usize| match places.get(&right[index]).map(Vec::as_slice) {
        Some([one]) => merge(&live[*one], &applied[index], items(of)),
        _ => Ok(applied[index].clone()),
    };
    let mut shared = (0..right.len()).filter(|i| places.contains_key(&right[*i])).peekable();
    let mut out = Vec::new();
    let mut next = 0;
    for (item, element) in live.iter().zip(&left) {
        let Some(place) = element.as_ref().and_then(|element| at.get(element)) else {
            out.push(item.clone());
            continue;
        };
        // The place of a shared item takes the next shared item of the applied order, with the
        // new items in front of it.
        let Some(upto) = shared.next_if(|i| i == place) else { continue };
        while next <= upto {
            out.push(merged_item(next)?);
            next += 1;
        }
    }
    while next < right.len() {
        out.push(merged_item(next)?);
        next += 1;
    }
    Ok(out)
}

fn elements(list: &[Value], of: Of<'_>) -> Result<Vec<PathElement>, String> {
    list.iter().map(|item| item_element(of, item)).collect()
}
