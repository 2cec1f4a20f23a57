//! The roles and bindings, flow schemas, priority levels, classes of priority and APIServices that every cluster has from
//! its first moment (`kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy`, `apiserver/pkg/apis/flowcontrol/bootstrap`,
//! `pkg/apis/scheduling`).
//!
//! Four files hold them as a kube-apiserver of the pinned release and its controller manager make them;
//! `cargo xtask conformance access` compares them. They are there without having been written: they take
//! no revision and are in no history.

mod maps;

pub(crate) use maps::control_plane_maps;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::admission::plugins;
use crate::api_services;
use crate::clock::Now;
use crate::config::ServiceRange;
use crate::discovery::hash;
use crate::flow;
use crate::meta;
use crate::registry::allocate::addresses;
use crate::registry::{Registry, strategy};
use crate::rng::Rng;
use crate::storage::{Stored, TableName, key};

/// Groups with the objects of theirs.
const OBJECTS: [(&str, &str); 4] = [
    (super::GROUP, include_str!("bootstrap.json")),
    (flow::GROUP, flow::BOOTSTRAP),
    (plugins::CLASSES.0, plugins::CLASSES.1),
    (api_services::GROUP, api_services::BOOTSTRAP),
];

/// The objects of a moment.
pub(crate) type Seeds = Arc<Vec<(TableName, Arc<Stored>)>>;

/// The objects that were made last, and for when and what revision.
struct Last(Option<(Now, u64, Seeds)>);

impl Last {
    const fn none() -> Self {
        Self(None)
    }

    fn get_or_make(&mut self, registry: &Registry, revision: u64, now: Now) -> Seeds {
        let now = Now(Duration::from_secs(now.0.as_secs()));
        if let Some((of, at, seeds)) = &self.0
            && (*of, *at) == (now, revision)
        {
            return seeds.clone();
        }
        let written = written().iter();
        let made =
            written.filter_map(|(group, object)| made(registry, group, object, revision, now));
        let seeds: Seeds = Arc::new(made.collect());
        self.0 = Some((now, revision, seeds.clone()));
        seeds
    }
}

/// The objects, made in that second at `revision`. Servers that start in the same second
/// share them.
pub(crate) fn objects(registry: &Registry, revision: u64, now: Now) -> Seeds {
    static LAST: Mutex<Last> = Mutex::new(Last::none());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.get_or_make(registry, revision, now)
}

/// The range that Services have their addresses from, as the server tells of it
/// (`kubernetes/pkg/controlplane/controller/defaultservicecidr`).
pub(crate) fn service_range(
    registry: &Registry,
    range: ServiceRange,
    revision: u64,
    now: Now,
) -> Option<(TableName, Arc<Stored>)> {
    let ready = json!({
        "type": "Ready",
        "status": "True",
        "reason": "",
        "message": "Kubernetes default Service CIDR is ready",
        "lastTransitionTime": now.rfc3339(),
    });
    let object = json!({
        "kind": "ServiceCIDR",
        "metadata": {"name": "kubernetes"},
        "spec": {"cidrs": [range.to_string()]},
        "status": {"conditions": [ready]},
    });
    made(registry, "networking.k8s.io", &object, revision, now)
}

/// The address of the Service `kubernetes`, which is there before the Service is.
pub(crate) fn own_address(
    registry: &Registry,
    range: ServiceRange,
    revision: u64,
    now: Now,
) -> Option<(TableName, Arc<Stored>)> {
    let object = addresses::object(range.address(0).into(), ("default", "kubernetes"));
    made(registry, addresses::GROUP, &object, revision, now)
}

/// The APIService of a version of a group that definitions make.
pub(crate) fn api_service(
    registry: &Registry,
    (group, version): (&str, &str),
    revision: u64,
    now: Now,
) -> Option<(TableName, Arc<Stored>)> {
    let object = api_services::of_definitions(group, version);
    made(registry, api_services::GROUP, &object, revision, now)
}

/// The objects of the files with their groups; a test sees to it that they can be read.
fn written() -> &'static [(&'static str, Value)] {
    static WRITTEN: OnceLock<Vec<(&str, Value)>> = OnceLock::new();
    WRITTEN.get_or_init(|| {
        let read = |(group, text)| {
            let objects: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
            objects.into_iter().map(move |object| (group, object))
        };
        OBJECTS.into_iter().flat_map(read).collect()
    })
}

/// An object that is there without having been written. Its uid is that of its place, unless it tells another.
fn made(
    registry: &Registry,
    group: &str,
    object: &Value,
    revision: u64,
    now: Now,
) -> Option<(TableName, Arc<Stored>)> {
    let mut object = object.clone();
    let resource = registry.find_kind(group, "v1", object["kind"].as_str()?)?;
    object["apiVersion"] = resource.api_version().into();
    let key = key(meta::namespace(&object), meta::name(&object));
    if meta::text(&object, "uid").is_empty() {
        meta::set(&mut object, "uid", uid(&format!("{}/{key}", resource.table)));
    }
    meta::set(&mut object, "creationTimestamp", now.rfc3339());
    if strategy::has_generation(resource) {
        meta::set(&mut object, "generation", 1);
    }
    match group {
        flow::GROUP => flow::begin(&mut object, now),
        api_services::GROUP => api_services::begin(&mut object, now),
        _ => {}
    }
    Some((resource.table.clone(), Arc::new(Stored::new(key, revision, object))))
}

/// The uid that follows from a text.
fn uid(seed: &str) -> String {
    Rng::new(hash(seed.as_bytes())).uuid()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Last, OBJECTS, own_address, service_range, written};
    use crate::clock::Now;
    use crate::registry::Registry;
    use crate::schemas;

    fn at(millis: u64) -> Now {
        Now(Duration::from_millis(millis))
    }

    #[test]
    fn every_object_of_the_files_is_one_that_is_served() {
        let of_files = OBJECTS.map(|(_, text)| {
            let objects: Vec<serde_json::Value> = serde_json::from_str(text).expect("a file");
            objects.len()
        });
        assert_eq!(written().len(), of_files.iter().sum::<usize>());
        assert!(of_files.iter().all(|count| *count > 1), "{of_files:?}");
        let made = Last::none().get_or_make(&Registry::builtin(), 1, at(0));
        assert_eq!(made.len(), written().len());
        assert!(made.len() > 100, "{}", made.len());
    }

    #[test]
    fn nothing_is_left_to_be_filled_in() {
        let registry = Registry::builtin();
        let range = crate::ServiceRange::default();
        let others = [service_range, own_address]
            .map(|make| make(&registry, range, 1, at(0)).expect("an object"));
        for (table, stored) in Last::none().get_or_make(&registry, 1, at(0)).iter().chain(&others) {
            let mut filled = stored.value().into_value();
            let (group, kind) =
                (table.split_once('.').map_or("", |(_, group)| group), &filled["kind"]);
            let resource = registry.find_kind(group, "v1", kind.as_str().expect("a kind"));
            schemas::fill_defaults(resource.expect("a resource"), &mut filled);
            assert_eq!(filled, *stored.value(), "{table}");
        }
    }

    #[test]
    fn servers_of_one_second_share_what_they_begin_with() {
        let (mut last, registry) = (Last::none(), Registry::builtin());
        let one = last.get_or_make(&registry, 1, at(1000));
        assert!(Arc::ptr_eq(&one, &last.get_or_make(&registry, 1, at(1999))));
        let later = last.get_or_make(&registry, 1, at(2000));
        assert!(!Arc::ptr_eq(&one, &later));
        assert!(!Arc::ptr_eq(&later, &last.get_or_make(&registry, 2, at(2000))));
        let created = |seeds: &super::Seeds| {
            seeds[0].1.value()["metadata"]["creationTimestamp"].as_str().expect("a time").to_owned()
        };
        assert_eq!(created(&one), "1970-01-01T00:00:01Z");
        assert_eq!(created(&later), "1970-01-01T00:00:02Z");
    }
}
