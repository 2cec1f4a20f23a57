//! Which objects belong to one manager as a whole.
//!
//! Of built-in kinds that is known by the names of members, so nobody is asked. Of other kinds the server's
//! OpenAPI document tells it.

use serde_json::{Map, Value};
use watchkeeper_api::Kind;

/// The groups of the built-in kinds.
pub(super) const GROUPS: &[&str] = &[
    "",
    "admissionregistration.k8s.io",
    "apidiscovery.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// The members of built-in kinds that are atomic objects or maps, at least in one kind. In those where such
/// a member is not, no server fills anything into it.
pub(super) const ATOMIC: &[&str] = &[
    "active",
    "additionalItems",
    "additionalProperties",
    "addresses",
    "allowedTopologies",
    "claimRef",
    "clusterRoleSelectors",
    "configMapKeyRef",
    "controllerExpandSecretRef",
    "controllerPublishSecretRef",
    "data",
    "dataSource",
    "default",
    "enum",
    "example",
    "excludeResourceRules",
    "fieldRef",
    "fieldsV1",
    "fileKeyRef",
    "imagePullSecrets",
    "involvedObject",
    "items",
    "labelSelector",
    "matchConstraints",
    "matchResources",
    "namespaceSelector",
    "nodeExpandSecretRef",
    "nodePublishSecretRef",
    "nodeSelector",
    "nodeSelectorTerms",
    "nodeStageSecretRef",
    "nodeTopology",
    "notReadyAddresses",
    "objectSelector",
    "ownerReferences",
    "paramKind",
    "paramRef",
    "parameters",
    "podSelector",
    "port",
    "ports",
    "preference",
    "regarding",
    "related",
    "required",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "resource",
    "resourceFieldRef",
    "resourceRules",
    "roleRef",
    "scaleTargetRef",
    "scopeSelector",
    "secretKeyRef",
    "secretRef",
    "secrets",
    "selector",
    "subjects",
    "target",
    "targetRef",
    "variables",
];

/// What is known of the objects of a kind.
pub(super) struct Shape {
    what: What,
}

enum What {
    BuiltIn,
    /// The component schemas of the server's document, and the one of the kind.
    Told {
        schemas: Map<String, Value>,
        root: Value,
    },
    /// The server has not been asked.
    Unknown,
    /// It was, and does not say.
    Silent,
}

impl Shape {
    /// What is known without asking.
    pub(super) fn unknown(kind: &Kind) -> Self {
        let built_in = GROUPS.contains(&&*kind.group);
        Self { what: if built_in { What::BuiltIn } else { What::Unknown } }
    }

    /// Of a kind of which the server does not tell.
    pub(super) fn silent() -> Self {
        Self { what: What::Silent }
    }

    /// What the document of the kind's version says.
    pub(super) fn of(kind: &Kind, mut document: Value) -> Self {
        let schemas = document.pointer_mut("/components/schemas").map(Value::take);
        let Some(Value::Object(schemas)) = schemas else { return Self::silent() };
        let is_it = |of: &Value| {
            of["group"] == *kind.group && of["version"] == *kind.version && of["kind"] == *kind.kind
        };
        let root = schemas.values().find(|schema| {
            let kinds = schema["x-kubernetes-group-version-kind"].as_array();
            kinds.is_some_and(|kinds| kinds.iter().any(is_it))
        });
        let Some(root) = root.cloned() else { return Self::silent() };
        Self { what: What::Told { schemas, root } }
    }

    pub(super) fn root(&self) -> Node<'_> {
        let schema = if let What::Told { root, .. } = &self.what { Some(root) } else { None };
        Node { shape: self, name: "", schema }
    }
}

/// A place in an object.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    shape: &'a Shape,
    /// What the member is called that this is, or is an item of.
    name: &'a str,
    schema: Option<&'a Value>,
}

impl<'a> Node<'a> {
    pub(super) fn member(self, name: &'a str) -> Self {
        let of = self.resolved();
        let schema = of.and_then(|of| {
            let named = of.get("properties").and_then(|properties| properties.get(name));
            named.or_else(|| of.get("additionalProperties").filter(|of| of.is_object()))
        });
        Self { name, schema, ..self }
    }

    pub(super) fn items(self) -> Self {
        Self { schema: self.resolved().and_then(|of| of.get("items")), ..self }
    }

    /// Whether the object here belongs to one manager; nothing if that could be asked for.
    pub(super) fn is_atomic(self) -> Option<bool> {
        match &self.shape.what {
            What::BuiltIn => Some(ATOMIC.contains(&self.name)),
            What::Unknown => None,
            What::Silent => Some(true),
            What::Told { .. } => {
                let says =
                    |of: &Value| of.get("x-kubernetes-map-type").is_some_and(|ty| ty == "atomic");
                let Some(of) = self.resolved() else { return Some(true) };
                // What nothing is known of is one value (upstream: `__untyped_atomic_`).
                let known =
                    ["properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields"]
                        .iter()
                        .any(|member| of.get(member).is_some());
                Some(!known || says(of) || self.schema.is_some_and(says))
            }
        }
    }

    /// The schema, through the references that lead to it: the server wraps one where it adds to it.
    fn resolved(self) -> Option<&'a Value> {
        let What::Told { schemas, .. } = &self.shape.what else { return None };
        let mut schema = self.schema?;
        for _ in 0..8 {
            let wrapped = schema.pointer("/allOf/0/$ref");
            let Some(reference) = schema.get("$ref").or(wrapped).and_then(Value::as_str) else {
                return Some(schema);
            };
            schema = schemas.get(reference.rsplit('/').next()?)?;
        }
        None
    }
}
