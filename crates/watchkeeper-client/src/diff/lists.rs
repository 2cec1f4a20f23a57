//! Strategic merge patches (upstream's `strategicpatch`): what JSON merge patches are, and lists
//! whose items are changed one by one.

use serde_json::{Map, Value, json};
use watchkeeper_api::merge::{Members, Merge};

/// A patch in the making.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    pub(crate) members: Map<String, Value>,
    /// Whether a list is in it that merges by a key: then a JSON merge patch would say more than what changed.
    pub(crate) is_strategic: bool,
}

/// A list has values twice, or items that are no objects, so that no strategic patch makes it.
#[derive(Debug)]
pub(crate) struct Ambiguous;

type Object = Map<String, Value>;

/// What turns one object into the other.
pub(crate) fn object(
    before: &Object,
    after: &Object,
    members: Option<Members>,
) -> Result<Patch, Ambiguous> {
    let mut patch = Patch::default();
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        patch.members.insert(name.clone(), Value::Null);
    }
    for (name, new) in after {
        let Some(old) = before.get(name) else {
            patch.members.insert(name.clone(), new.clone());
            continue;
        };
        if old == new {
            continue;
        }
        let known = members.map(|members| members.get(name));
        let within = known.and_then(|known| known.within);
        match (known.map(|known| known.merge), old, new) {
            (Some(Merge::Key(key)), Value::Array(old), Value::Array(new)) => {
                match (keyed(old, key), keyed(new, key)) {
                    (Some(old), Some(new)) => by_key(&mut patch, name, (old, new), key, within)?,
                    _ => replaced(&mut patch, name, new)?,
                }
            }
            (Some(Merge::Values), Value::Array(old), Value::Array(new)) => {
                values(&mut patch, name, old, new)?;
            }
            (_, Value::Object(old), Value::Object(new)) => {
                let inner = object(old, new, within)?;
                patch.is_strategic |= inner.is_strategic;
                patch.members.insert(name.clone(), Value::Object(inner.members));
            }
            _ => {
                patch.members.insert(name.clone(), new.clone());
            }
        }
    }
    Ok(patch)
}

/// Items that go, items that change or come in their new order, and the order of all.
fn by_key(
    patch: &mut Patch,
    name: &str,
    (old, new): (Vec<Keyed<'_>>, Vec<Keyed<'_>>),
    key: &str,
    within: Option<Members>,
) -> Result<(), Ambiguous> {
    patch.is_strategic = true;
    let find = |items: &[Keyed<'_>], id: &Value| {
        items.iter().find(|(found, _)| *found == id).map(|(_, item)| (*item).clone())
    };
    let gone = old.iter().filter(|(id, _)| find(&new, id).is_none());
    let mut items: Vec<Value> =
        gone.map(|(id, _)| json!({ "$patch": "delete", key: id })).collect();
    for (id, item) in &new {
        match find(&old, id) {
            Some(same) if same == **item => {}
            Some(same) => {
                let mut inner = object(&same, item, within)?;
                inner.members.insert(key.to_owned(), (*id).clone());
                items.push(Value::Object(inner.members));
            }
            None => items.push(Value::Object((*item).clone())),
        }
    }
    if !items.is_empty() {
        patch.members.insert(name.to_owned(), Value::Array(items));
    }
    if !new.is_empty() {
        let order = new.iter().map(|(id, _)| json!({ key: id })).collect();
        patch.members.insert(format!("$setElementOrder/{name}"), Value::Array(order));
    }
    Ok(())
}

/// The new items in the place of all that are there: two have the same key, as the ports of a service that
/// listens on one number with TCP and UDP.
fn replaced(patch: &mut Patch, name: &str, new: &[Value]) -> Result<(), Ambiguous> {
    if !new.iter().all(Value::is_object) {
        return Err(Ambiguous);
    }
    let directive = json!({ "$patch": "replace" });
    let items = std::iter::once(&directive).chain(new).cloned().collect();
    patch.members.insert(name.to_owned(), Value::Array(items));
    Ok(())
}

/// An item, behind the value of its key.
type Keyed<'a> = (&'a Value, &'a Object);

/// The items with the values of their key, if each has one of its own.
fn keyed<'a>(items: &'a [Value], key: &str) -> Option<Vec<Keyed<'a>>> {
    let mut keyed: Vec<Keyed<'_>> = Vec::new();
    for item in items {
        let item = item.as_object()?;
        let id = item.get(key).filter(|id| id.is_string() || id.is_number())?;
        if keyed.iter().any(|(other, _)| *other == id) {
            return None;
        }
        keyed.push((id, item));
    }
    Some(keyed)
}

/// Values that go, values that come, and the order of all.
fn values(patch: &mut Patch, name: &str, old: &[Value], new: &[Value]) -> Result<(), Ambiguous> {
    let repeats = |list: &[Value]| (1..list.len()).any(|at| list[..at].contains(&list[at]));
    if repeats(old) || repeats(new) {
        return Err(Ambiguous);
    }
    let without = |list: &[Value], other: &[Value]| -> Vec<Value> {
        list.iter().filter(|value| !other.contains(value)).cloned().collect()
    };
    let (gone, come) = (without(old, new), without(new, old));
    if !gone.is_empty() {
        patch.members.insert(format!("$deleteFromPrimitiveList/{name}"), Value::Array(gone));
    }
    if !come.is_empty() {
        patch.members.insert(name.to_owned(), Value::Array(come));
    }
    if !new.is_empty() {
        patch.members.insert(format!("$setElementOrder/{name}"), Value::Array(new.to_vec()));
    }
    Ok(())
}
