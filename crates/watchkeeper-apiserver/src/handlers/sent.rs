//! What a client sent, read once more to tell it what is wrong with it: what is judged and stored has lost its empty
//! lists and maps, and upstream shows them. As long as nothing is wrong nobody asks, and nothing is kept for it.

use http::Method;
use serde_json::Value;

use crate::request::Call;

use super::{intake, patch};

/// The built-in object of a request before anything was dropped from it; none where that is not known: of applies, of
/// writes to parts of objects, and of what is stored in another version. `old` is what a patch changes.
pub(super) fn again(asked: &Call, stored: &Call, old: Option<&Value>) -> Option<Value> {
    let resource = &asked.resource;
    let is_as_sent = resource.api_version() == stored.resource.api_version();
    if resource.custom.is_some() || !is_as_sent || !asked.subresource.is_empty() {
        return None;
    }
    if asked.method == Method::PATCH {
        return patch::again(asked, old?);
    }
    let is_whole = asked.method == Method::POST || asked.method == Method::PUT;
    let decoded = is_whole.then(|| intake::decoded(asked))?;
    decoded.ok().map(|decoded| decoded.value)
}
