//! Lists in strategic merge patches: merged by key or as sets, in the order that the patch asks
//! for.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_schema::SchemaRef;

use crate::go::{go_map, go_type, go_value};

use super::{Object, PATCH, PatchError, broken, malformed, merge_object, without_directives};

/// Merges a list, or replaces it where its field has no merge strategy.
pub(super) fn merge(
    original: Vec<Value>,
    patch: &[Value],
    schema: Option<SchemaRef<'_>>,
) -> Result<Value, PatchError> {
    let Some(schema) = schema.filter(|schema| schema.patch().merge) else {
        return Ok(Value::Array(patch.to_vec()));
    };
    check_elements(&original, patch)?;
    let Some(key) = schema.merge_key() else {
        return Ok(Value::Array(merge_scalars(original, patch)));
    };
    merge_by_key(original, patch, key, schema).map(Value::Array)
}

/// The items of both lists are of one type, which is none of lists.
fn check_elements(original: &[Value], patch: &[Value]) -> Result<(), PatchError> {
    let mut types = original.iter().chain(patch).map(go_type);
    let first = types.next();
    if first == Some("[]interface {}") {
        return Err(broken("lists of lists are not supported"));
    }
    if types.any(|of| Some(of) != first) {
        let both = Value::from(vec![Value::from(original), Value::from(patch)]);
        let shown = go_value(&both);
        return Err(broken(format!("list element types are not identical: {shown}")));
    }
    Ok(())
}

/// A list, or what Go says of something else in its place.
fn list(value: &Value) -> Result<&[Value], PatchError> {
    let received = if value.is_null() { "%!s(<nil>)" } else { go_type(value) };
    let wrong = || broken(format!("expected a []interface {{}}, but received a {received}"));
    value.as_array().map(Vec::as_slice).ok_or_else(wrong)
}

/// `$setElementOrder/<name>`: merges the list and puts it in that order.
pub(super) fn set_order(
    original: &mut Object,
    name: &str,
    patch: Option<&Value>,
    order: &Value,
    schema: Option<SchemaRef<'_>>,
) -> Result<(), PatchError> {
    let order = list(order)?;
    let server = original.get(name).map(list).transpose()?.map(<[Value]>::to_vec);
    let patch = patch.map(list).transpose()?;
    let key = schema.and_then(SchemaRef::merge_key);
    check_order(patch.unwrap_or_default(), order, key)?;
    let merged = match (&server, patch) {
        (None, None) => return Ok(()),
        (Some(server), None) => server.clone(),
        (None, Some(patch)) => {
            let added = without_directives(&Value::Array(patch.to_vec()));
            added.and_then(|v| v.as_array().cloned()).unwrap_or_default()
        }
        (Some(server), Some(patch)) => match merge(server.clone(), patch, schema)? {
            Value::Array(items) => items,
            _ => Vec::new(),
        },
    };
    let server = server.unwrap_or_default();
    if server.is_empty() && patch.is_none_or(<[Value]>::is_empty) {
        return Err(broken("no elements in any of the given slices"));
    }
    original.insert(name.to_owned(), Value::Array(arrange(merged, order, &server, key)));
    Ok(())
}

/// What a patch puts into a list comes in the order that it asks for. A directive is passed over while something is
/// left of the order, and is out of order after that.
fn check_order(patch: &[Value], order: &[Value], key: Option<&str>) -> Result<(), PatchError> {
    // An order of nothing asks for none.
    if order.is_empty() {
        return Ok(());
    }
    let deletes = |item: &Value| key.is_some() && item.get(PATCH).is_some_and(|d| d == "delete");
    let mut items = patch.iter().filter(|item| !deletes(item)).peekable();
    let mut wanted = order.iter().peekable();
    while let (Some(item), Some(of)) = (items.peek(), wanted.peek()) {
        if item.get(PATCH).is_some() {
            items.next();
            continue;
        }
        if same(of, item, key)? {
            items.next();
        }
        wanted.next();
    }
    if items.peek().is_none() {
        return Ok(());
    }
    let shown = |list: &[Value]| go_value(&Value::from(list.to_vec()));
    let (patch, order) = (shown(patch), shown(order));
    Err(broken(format!(
        "The order in patch list:\n{patch}\n doesn't match $setElementOrder list:\n{order}\n"
    )))
}

/// Where the items of a list are, by what makes two items the same one: equal by the key, or equal
/// altogether. Lists are as long as a body has room for, so nothing here looks through one for each item of
/// another.
struct Places(BTreeMap<String, usize>);

impl Places {
    /// Of several that are the same, the first.
    fn of(list: &[Value], key: Option<&str>) -> Self {
        let mut places = Self(BTreeMap::new());
        for (at, item) in list.iter().enumerate() {
            places.note(item, key, at);
        }
        places
    }

    fn note(&mut self, item: &Value, key: Option<&str>, at: usize) {
        if let Some(identity) = identity(item, key) {
            self.0.entry(identity).or_insert(at);
        }
    }

    fn find(&self, item: &Value, key: Option<&str>) -> Option<usize> {
        self.0.get(&identity(item, key)?).copied()
    }
}

/// What makes it the same item as another; none without the key.
fn identity(item: &Value, key: Option<&str>) -> Option<String> {
    match key {
        Some(key) => item.get(key).map(Value::to_string),
        None => Some(item.to_string()),
    }
}

/// Both, each value once, also where the object itself had it twice.
fn merge_scalars(original: Vec<Value>, patch: &[Value]) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let all = original.iter().chain(patch);
    let merged = all.filter(|item| seen.insert(item.to_string())).cloned().collect();
    arrange(merged, patch, &original, None)
}

fn merge_by_key(
    original: Vec<Value>,
    patch: &[Value],
    key: &str,
    schema: SchemaRef<'_>,
) -> Result<Vec<Value>, PatchError> {
    let (mut deleted, mut changes) = (BTreeSet::new(), Vec::new());
    let mut replaces = false;
    for item in patch {
        let Value::Object(members) = item else {
            return Err(malformed(format!("expected a map with the merge key {key} in {item}")));
        };
        match members.get(PATCH).map(|directive| directive.as_str().unwrap_or_default()) {
            None => changes.push(members),
            // The directive speaks of the whole list, whatever stands beside it.
            Some("replace") => replaces = true,
            Some("delete") => {
                deleted.insert(key_value(members, key)?.to_string());
            }
            Some("merge") => {
                return Err(broken("merging lists cannot yet be specified in the patch"));
            }
            Some(other) => {
                let shown = go_map(members);
                return Err(broken(format!("unknown patch type: {other} in map: {shown}")));
            }
        }
    }
    if replaces {
        return Ok(changes.into_iter().cloned().map(Value::Object).collect());
    }
    let is_kept = |item: &&Value| {
        identity(item, Some(key)).is_none_or(|identity| !deleted.contains(&identity))
    };
    let mut merged: Vec<Value> = original.iter().filter(is_kept).cloned().collect();
    let mut places = Places::of(&merged, Some(key));
    for change in &changes {
        merge_item(&mut merged, &mut places, change, key, schema)?;
    }
    let order: Vec<Value> = changes.into_iter().cloned().map(Value::Object).collect();
    Ok(arrange(merged, &order, &original, Some(key)))
}

fn merge_item(
    merged: &mut Vec<Value>,
    places: &mut Places,
    change: &Object,
    key: &str,
    schema: SchemaRef<'_>,
) -> Result<(), PatchError> {
    let value = key_value(change, key)?;
    let found = places.0.get(&value.to_string()).and_then(|at| merged.get_mut(*at));
    if let Some(Value::Object(old)) = found {
        *old = merge_object(std::mem::take(old), change, schema.items())?;
    } else {
        // A new item comes as it is: directives within are members that nobody knows.
        let added = Value::Object(change.clone());
        places.note(&added, Some(key), merged.len());
        merged.push(added);
    }
    Ok(())
}

fn key_value<'a>(item: &'a Object, key: &str) -> Result<&'a Value, PatchError> {
    item.get(key).ok_or_else(|| {
        let item = go_map(item);
        broken(format!("map: {item} does not contain declared merge key: {key}"))
    })
}

/// Items named in `order` come in that order; the others keep the server's, and stand before the
/// named ones only where they stood before them on the server.
fn arrange(merged: Vec<Value>, order: &[Value], server: &[Value], key: Option<&str>) -> Vec<Value> {
    let (order, server) = (Places::of(order, key), Places::of(server, key));
    let (mut named, mut others): (Vec<Value>, Vec<Value>) =
        merged.into_iter().partition(|item| order.find(item, key).is_some());
    named.sort_by_cached_key(|item| order.find(item, key));
    others.sort_by_cached_key(|item| server.find(item, key).unwrap_or(usize::MAX));
    let mut named = named.into_iter().peekable();
    let mut arranged = Vec::new();
    for other in others {
        let at = server.find(&other, key);
        let goes_first = |next: &Value| match (at, server.find(next, key)) {
            (Some(other), Some(next)) => next < other,
            _ => true,
        };
        while named.peek().is_some_and(goes_first) {
            arranged.extend(named.next());
        }
        arranged.push(other);
    }
    arranged.extend(named);
    arranged
}

/// Whether two items are the same one: equal by the key, or equal altogether.
fn same(a: &Value, b: &Value, key: Option<&str>) -> Result<bool, PatchError> {
    let Some(key) = key else { return Ok(a == b) };
    let empty = Object::new();
    let of = |item: &'_ Value| key_value(item.as_object().unwrap_or(&empty), key).cloned();
    Ok(of(b)? == of(a)?)
}
