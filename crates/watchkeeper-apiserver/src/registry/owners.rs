//! V4.9: an owner is named once.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::turn::Turn;

/// Drops owner references that are there already, and says so.
pub(crate) fn dedup(turn: &mut Turn<'_>, object: &mut Value) {
    let Some(list) = object["metadata"]["ownerReferences"].as_array() else { return };
    let (mut kept, mut twice): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut seen, mut told) = (BTreeSet::new(), BTreeSet::new());
    for owner in list {
        if seen.insert(owner.to_string()) {
            kept.push(owner.clone());
            continue;
        }
        let uid = owner["uid"].as_str().unwrap_or_default();
        if told.insert(uid) {
            twice.push(uid.to_owned());
        }
    }
    if twice.is_empty() {
        return;
    }
    object["metadata"]["ownerReferences"] = kept.into();
    turn.warn(format!(
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references \
         in 1.20+, and may reject such requests as early as 1.24; please fix your requests; \
         duplicate UID(s) observed: {}",
        twice.join(", ")
    ));
}
