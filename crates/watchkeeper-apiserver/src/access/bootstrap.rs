//! The roles and bindings that every cluster has from its first moment
//! (`kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy`).
//!
//! `bootstrap.json` holds them as a kube-apiserver of the pinned release and its controller manager
//! make them; `cargo xtask conformance access` compares the two. They are there without having been
//! written: they take no revision and are in no history.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use crate::clock::Now;
use crate::meta;
use crate::registry::Registry;
use crate::rng::Rng;
use crate::schemas;
use crate::storage::{Stored, TableName, key};

const OBJECTS: &str = include_str!("bootstrap.json");

/// The objects of a moment.
pub(crate) type Seeds = Arc<Vec<(TableName, Arc<Stored>)>>;

/// The roles and bindings, made in that second at `revision`. Servers that start in the same second
/// share them.
pub(crate) fn objects(registry: &Registry, revision: u64, now: Now) -> Seeds {
    static LAST: Mutex<Option<(Now, u64, Seeds)>> = Mutex::new(None);
    let now = Now(std::time::Duration::from_secs(now.0.as_secs()));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, at, seeds)) = &*last
        && *of == now
        && *at == revision
    {
        return seeds.clone();
    }
    let seeds: Seeds = Arc::new(
        written().iter().filter_map(|object| made(registry, object, revision, now)).collect(),
    );
    *last = Some((now, revision, seeds.clone()));
    seeds
}

/// The objects of the file; a test sees to it that it can be read.
fn written() -> &'static [Value] {
    static WRITTEN: OnceLock<Vec<Value>> = OnceLock::new();
    WRITTEN.get_or_init(|| serde_json::from_str(OBJECTS).unwrap_or_default())
}

fn made(
    registry: &Registry,
    object: &Value,
    revision: u64,
    now: Now,
) -> Option<(TableName, Arc<Stored>)> {
    let mut object = object.clone();
    let resource = registry.find_kind(super::GROUP, "v1", object["kind"].as_str()?)?;
    object["apiVersion"] = resource.api_version().into();
    let key = key(meta::namespace(&object), meta::name(&object));
    let mut rng = Rng::new(crate::discovery::hash(format!("{}/{key}", resource.table).as_bytes()));
    meta::set(&mut object, "uid", rng.uuid());
    meta::set(&mut object, "creationTimestamp", now.rfc3339());
    schemas::fill_defaults(resource, &mut object);
    Some((resource.table.clone(), Arc::new(Stored::new(key, revision, object))))
}

#[cfg(test)]
mod tests {
    use super::{OBJECTS, objects, written};
    use crate::clock::Now;
    use crate::registry::Registry;

    #[test]
    fn every_object_of_the_file_is_one_that_is_served() {
        let objects_of_file: Vec<serde_json::Value> =
            serde_json::from_str(OBJECTS).expect("the file");
        assert_eq!(written().len(), objects_of_file.len());
        let made = objects(&Registry::builtin(), 1, Now::default());
        assert_eq!(made.len(), written().len());
        assert!(made.len() > 100, "{}", made.len());
    }
}
