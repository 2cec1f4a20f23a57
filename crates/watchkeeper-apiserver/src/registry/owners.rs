//! V4.9: an owner is named once.

use serde_json::Value;

use crate::turn::Turn;

/// Drops owner references that are there already, and says so.
pub(crate) fn dedup(turn: &mut Turn<'_>, object: &mut Value) {
    let Some(list) = object["metadata"]["ownerReferences"].as_array() else { return };
    let (mut kept, mut twice): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    for owner in list {
        if kept.contains(owner) {
            let uid = owner["uid"].as_str().unwrap_or_default().to_owned();
            if !twice.contains(&uid) {
                twice.push(uid);
            }
        } else {
            kept.push(owner.clone());
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
