//! A permission that somebody says is needed.

use watchkeeper_api::{Kind, Object, Scope};

use super::Permission;
use crate::client::Client;
use crate::request::Verb;
use crate::select::Select;

const LEASE: Kind = Kind::new("coordination.k8s.io", "v1", "Lease", "leases", Scope::Namespaced);

/// A permission that a program says it needs, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// The permission.
    pub permission: Permission,
    /// Why it is needed, for those who read the report.
    pub reason: String,
    /// No request shows it: the server asks for it beside the permission for a request.
    pub unseen: bool,
}

impl Need {
    /// One permission.
    #[must_use]
    pub fn new(permission: Permission, reason: impl Into<String>) -> Self {
        Self { permission, reason: reason.into(), unseen: false }
    }

    /// These verbs on all objects of a kind.
    pub fn all(kind: &Kind, verbs: impl IntoIterator<Item = Verb>, reason: &str) -> Vec<Self> {
        let verbs = verbs.into_iter();
        verbs.map(|verb| Self::new(Permission::on(kind, verb), reason)).collect()
    }

    /// To keep a copy of the objects of a kind; of one namespace, where there is one.
    #[must_use]
    pub fn to_follow(kind: &Kind, namespace: Option<&str>, reason: &str) -> Vec<Self> {
        let needs = Self::all(kind, [Verb::List, Verb::Watch], reason);
        needs.into_iter().map(|need| need.within(namespace)).collect()
    }

    /// To keep a copy of what `select` selects, as `client` asks for it: of the one namespace or of the one
    /// name, where there is one.
    #[must_use]
    pub fn to_follow_only<K: Object>(
        client: &Client,
        select: &Select<K>,
        reason: &str,
    ) -> Vec<Self> {
        let api = client.selected(select);
        let needs = Self::to_follow(api.kind(), api.in_namespace(), reason);
        needs.into_iter().map(|need| need.of(select.named())).collect()
    }

    /// To apply objects of a kind, which makes those that are not there.
    #[must_use]
    pub fn to_apply(kind: &Kind, reason: &str) -> Vec<Self> {
        Self::all(kind, [Verb::Create, Verb::Patch], reason)
    }

    /// To be elected by the lease of this name: made by whoever is first, then read and written by its
    /// name alone.
    #[must_use]
    pub fn to_lead(namespace: &str, lease: &str) -> Vec<Self> {
        let reason = format!("the leader holds the lease {namespace}/{lease}");
        let verbs = [Verb::Create, Verb::Get, Verb::Update];
        let of = |verb: Verb| {
            let permission = Permission::on(&LEASE, verb).namespace(namespace);
            if verb == Verb::Create { permission } else { permission.named(lease) }
        };
        verbs.into_iter().map(|verb| Self::new(of(verb), reason.as_str())).collect()
    }

    /// To write references to an owner of this kind which keep it from going first: servers with the
    /// admission plugin `OwnerReferencesPermissionEnforcement` ask for it.
    #[must_use]
    pub fn to_block_deletion(owner: &Kind, reason: &str) -> Self {
        let permission = Permission::on(owner, Verb::Update).part("finalizers");
        Self { unseen: true, ..Self::new(permission, reason) }
    }

    /// The same of the object of one name, where there is one.
    #[must_use]
    pub fn of(mut self, name: Option<&str>) -> Self {
        if let Some(name) = name {
            self.permission = self.permission.named(name);
        }
        self
    }

    /// The same in one namespace, where there is one.
    #[must_use]
    pub fn within(mut self, namespace: Option<&str>) -> Self {
        if let Some(namespace) = namespace {
            self.permission = self.permission.namespace(namespace);
        }
        self
    }
}
