//! Which objects a change concerns.

use std::collections::HashSet;

use watchkeeper_api::{Kind, Object, ObjectKey, Owner, Scope};
use watchkeeper_cache::Change;

use crate::request::Request;

#[cfg(test)]
mod tests;

/// The object that changed.
pub(crate) fn itself<K: Object>(change: &Change<K>) -> Vec<Request> {
    vec![change.object().key().into()]
}

/// The controllers of the object, as it is and as it was, that are of the kind `owner`.
///
/// Kinds are compared by group and name: a reference may use any version.
pub(crate) fn controllers<K: Object>(owner: &Kind, change: &Change<K>) -> Vec<Request> {
    both(change, |object| {
        let controller = object.controller().filter(|found| is_of_kind(found, owner));
        let namespace = namespace_for(owner, object);
        controller.map(|found| ObjectKey::from((namespace, found.name)))
    })
}

/// All owners of the object, as it is and as it was, that are of the kind `owner`.
pub(crate) fn owners<K: Object>(owner: &Kind, change: &Change<K>) -> Vec<Request> {
    both(change, |object| {
        let namespace = namespace_for(owner, object).to_owned();
        let owners = object.owners().filter(|found| is_of_kind(found, owner));
        let keys = owners.map(|found| ObjectKey::from((namespace.as_str(), found.name)));
        keys.collect::<Vec<_>>()
    })
}

/// Where an owner of this kind lives: with what it owns, or nowhere.
fn namespace_for<'k, K: Object>(owner: &Kind, object: &'k K) -> &'k str {
    match owner.scope {
        Scope::Namespaced => object.namespace().unwrap_or_default(),
        Scope::Cluster => "",
    }
}

/// What `map` makes of the object, as it is and as it was.
pub(crate) fn mapped<K, M, I>(map: &M, change: &Change<K>) -> Vec<Request>
where
    M: Fn(&K) -> I,
    I: IntoIterator,
    I::Item: Into<ObjectKey>,
{
    both(change, |object| map(object).into_iter().map(Into::into).collect::<Vec<_>>())
}

/// Without repetitions: the old object first, as it has waited longer.
fn both<K, I: IntoIterator<Item = ObjectKey>>(
    change: &Change<K>,
    keys: impl Fn(&K) -> I,
) -> Vec<Request> {
    let (mut requests, mut seen) = (Vec::new(), HashSet::new());
    for object in change.old().into_iter().chain([change.object()]) {
        for key in keys(object) {
            if seen.insert(key.clone()) {
                requests.push(Request::from(key));
            }
        }
    }
    requests
}

fn is_of_kind(owner: &Owner<'_>, kind: &Kind) -> bool {
    let group = owner.api_version.split_once('/').map_or("", |(group, _)| group);
    owner.kind == kind.kind && group == kind.group
}
