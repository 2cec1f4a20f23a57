//! What admission is told of a write, or of a connection.

use serde_json::{Map, Value, json};

use crate::request::Call;
use crate::resource::Resource;

/// What is done to the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
    Connect,
}

impl Operation {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Connect => "CONNECT",
        }
    }
}

/// Group, version and kind, or group, version and plural.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub group: String,
    pub version: String,
    pub name: String,
}

impl Place {
    pub(super) fn json(&self, what: &str) -> Value {
        json!({"group": self.group, "version": self.version, what: self.name})
    }
}

/// A write, as admission sees it (`admission.Attributes`).
#[derive(Debug)]
pub(crate) struct Attributes<'a> {
    pub call: &'a Call,
    pub operation: Operation,
    /// Empty where a name is still to be generated, and where a collection is deleted.
    pub name: String,
    /// The new state in the version of the request.
    pub object: Option<Value>,
    /// The state before, in the same version.
    pub old: Option<Value>,
    pub options: Value,
    pub dry_run: bool,
}

impl<'a> Attributes<'a> {
    /// A create or an update with the options of its query.
    pub(crate) fn write(
        call: &'a Call,
        operation: Operation,
        name: &str,
        object: Value,
        old: Option<Value>,
    ) -> Self {
        let kind = if operation == Operation::Create { "CreateOptions" } else { "UpdateOptions" };
        let mut options = Map::new();
        options.insert("kind".to_owned(), kind.into());
        options.insert("apiVersion".to_owned(), "meta.k8s.io/v1".into());
        for field in ["fieldManager", "fieldValidation"] {
            let text = call.query.text(field);
            if !text.is_empty() {
                options.insert(field.to_owned(), text.into());
            }
        }
        let dry_run = call.dry_run().unwrap_or_default();
        if dry_run {
            options.insert("dryRun".to_owned(), json!(["All"]));
        }
        let options = Value::Object(options);
        Self { call, operation, name: name.to_owned(), object: Some(object), old, options, dry_run }
    }

    /// A delete.
    pub(crate) fn delete(call: &'a Call, name: &str, old: Value, options: Value) -> Self {
        let dry_run = options.get("dryRun").is_some();
        let (operation, name) = (Operation::Delete, name.to_owned());
        Self { call, operation, name, object: None, old: Some(old), options, dry_run }
    }

    /// A connection to what is behind an object, which is asked for with an object of its own.
    pub(crate) fn connect(call: &'a Call, object: Value) -> Self {
        Self {
            call,
            operation: Operation::Connect,
            name: call.name.clone(),
            object: Some(object),
            old: None,
            options: Value::Null,
            dry_run: false,
        }
    }

    pub(super) fn namespace(&self) -> &str {
        // A Namespace counts as its own content.
        if self.call.resource.is("", "namespaces") { &self.name } else { &self.call.namespace }
    }

    /// The kind of the object: that of the subresource, where it has one of its own.
    pub(super) fn kind(&self, resource: &Resource) -> Place {
        let sub = resource.subresource(&self.call.subresource);
        match sub.filter(|sub| !sub.kind.is_empty() && self.has_own_kind(sub)) {
            Some(sub) => Place {
                group: sub.group.clone(),
                version: sub.version.clone(),
                name: sub.kind.clone(),
            },
            None => Place {
                group: resource.group.clone(),
                version: resource.version.clone(),
                name: resource.kind.clone(),
            },
        }
    }

    fn has_own_kind(&self, sub: &crate::resource::Subresource) -> bool {
        sub.kind != self.call.resource.kind
    }

    /// Whether the object is one of the resource, and not of a subresource with a kind of its own.
    pub(super) fn is_whole(&self) -> bool {
        let sub = self.call.resource.subresource(&self.call.subresource);
        !sub.is_some_and(|sub| !sub.kind.is_empty() && self.has_own_kind(sub))
    }

    /// What is configured is not judged by what is configured
    /// (`rules.IsExemptAdmissionConfigurationResource`).
    pub(super) fn is_exempt(&self) -> bool {
        const EXEMPT: [&str; 6] = [
            "validatingwebhookconfigurations",
            "mutatingwebhookconfigurations",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
            "mutatingadmissionpolicies",
            "mutatingadmissionpolicybindings",
        ];
        let resource = &self.call.resource;
        resource.group == "admissionregistration.k8s.io" && EXEMPT.contains(&&*resource.plural)
    }
}

/// Group, version and plural of a resource.
pub(super) fn resource(resource: &Resource) -> Place {
    Place {
        group: resource.group.clone(),
        version: resource.version.clone(),
        name: resource.plural.clone(),
    }
}

#[cfg(test)]
mod tests;
