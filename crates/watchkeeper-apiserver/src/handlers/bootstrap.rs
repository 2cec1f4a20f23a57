//! What every cluster has from its first moment.

use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::{Value, json};

use crate::history::Verb;
use crate::registry::{namespaces, strategy};
use crate::request::Call;
use crate::request::accept::Form;
use crate::request::query::Query;
use crate::resource::Resource;
use crate::storage::{Stored, TableName};
use crate::turn::{Commit, EVENTS, Turn};
use crate::user::{MASTERS, User};
use crate::{managed, meta, schemas};

use super::create::{self, Managed};

use std::sync::Arc;

/// The name under which the server itself writes.
pub(crate) const ACTOR: &str = "kube-apiserver";

/// Creates the initial namespaces and the `kubernetes` Service.
pub(crate) fn run(turn: &mut Turn<'_>) {
    for name in namespaces::INITIAL {
        let namespace =
            json!({"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": name}});
        store(turn, "", "namespaces", "", namespace);
    }
    let service = json!({
        "kind": "Service",
        "apiVersion": "v1",
        "metadata": {
            "name": "kubernetes",
            "namespace": "default",
            "labels": {"component": "apiserver", "provider": "kubernetes"},
        },
        "spec": {
            "clusterIP": turn.core.config.service_range.address(0),
            "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": 6443}],
            "type": "ClusterIP",
        },
    });
    store(turn, "", "services", "default", service);
}

fn store(turn: &mut Turn<'_>, group: &str, plural: &str, namespace: &str, mut object: Value) {
    let Some(resource) = turn.core.registry.find(group, "v1", plural).cloned() else { return };
    schemas::fill_defaults(&resource, &mut object);
    strategy::complete(&resource, &mut object);
    let call = own_call(Method::POST, resource, namespace, "");
    // A fresh store refuses nothing; should it ever, the server starts without the object.
    let _ = create::store_new(turn, &call, object, Managed::Update);
}

/// Writes a config map of the server itself that is not there. Admission is not asked about it.
pub(crate) fn write_map(turn: &mut Turn<'_>, map: &Stored) {
    let Some(resource) = turn.core.registry.find("", "v1", "configmaps").cloned() else { return };
    let mut value = map.value().into_value();
    let namespace = meta::namespace(&value).to_owned();
    let (own, began) = (own_call(Method::POST, resource, &namespace, map.name()), turn.began);
    if managed::track(turn, None, &mut value, &own, began).is_err() {
        return;
    }
    let commit = Commit {
        verb: Verb::Create,
        subresource: "",
        actor: ACTOR,
        table: &own.resource.table,
        key: &map.key,
        value,
        remove: false,
        shown: None,
    };
    // Hooks come later than this, so nobody refuses it.
    let _ = turn.commit(commit);
    turn.core.quotas_due.insert(namespace);
}

/// V13.1: Events are forgotten an hour after their last write. Nobody waits for it: it happens
/// with the next input after that.
pub(crate) fn expire_events(turn: &mut Turn<'_>) {
    let table = TableName::from(EVENTS);
    while let Some((at, key, revision)) = turn.core.expiries.front().cloned() {
        if at > turn.now {
            return;
        }
        turn.core.expiries.pop_front();
        let Some(event) = turn.core.store.get(EVENTS, &key).cloned() else { continue };
        if event.revision == revision {
            let commit = Commit {
                verb: Verb::Delete,
                subresource: "",
                actor: ACTOR,
                table: &table,
                key: &key,
                value: event.value().into_value(),
                remove: true,
                shown: None,
            };
            // A hook that refuses keeps the object; it is asked for no more.
            let _ = turn.commit(commit);
        }
    }
}

/// A call that the server makes on its own behalf.
pub(crate) fn own_call(
    method: Method,
    resource: Arc<Resource>,
    namespace: &str,
    name: &str,
) -> Call {
    let mut headers = HeaderMap::new();
    headers.insert(header::USER_AGENT, HeaderValue::from_static(ACTOR));
    Call {
        method,
        resource,
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        subresource: String::new(),
        watch_path: false,
        query: Query::default(),
        form: Form::default(),
        user: Arc::new(User::new("system:apiserver").in_group(MASTERS)),
        headers,
        body: bytes::Bytes::new(),
    }
}
