//! Which objects: one value for lists, watches and caches.

use std::fmt::{self, Display};
use std::marker::PhantomData;

use watchkeeper_api::{Kind, Object, Scope, StaticKind, Unstructured};

use crate::options::{ListOptions, WatchOptions};
use crate::shard::Shard;

/// A selection of objects of one kind.
///
/// ```
/// # use watchkeeper_api::StaticKind;
/// # use watchkeeper_client::Select;
/// # fn f<Pod: StaticKind>() {
/// let web = Select::<Pod>::all().namespace("shop").labels("app=web");
/// # }
/// ```
pub struct Select<K> {
    kind: Kind,
    namespace: Option<String>,
    labels: String,
    fields: String,
    shard: Option<Shard>,
    _object: PhantomData<fn() -> K>,
}

impl<K: StaticKind> Select<K> {
    /// Every object of the kind.
    #[must_use]
    pub fn all() -> Self {
        Self::of(K::static_kind().clone())
    }
}

impl Select<Unstructured> {
    /// Every object of a kind known at run time.
    #[must_use]
    pub fn kind(kind: Kind) -> Self {
        Self::of(kind)
    }
}

impl<K: Object> Select<K> {
    /// Every object of `kind`, decoded as `K`.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self {
            kind,
            namespace: None,
            labels: String::new(),
            fields: String::new(),
            shard: None,
            _object: PhantomData,
        }
    }

    /// Every object of a resource of which group, version and plural are known (upstream:
    /// `GroupVersionResource`): `("apps/v1", "deployments")`. Caches ask the server for the rest; elsewhere
    /// the kind has no name, and is taken to live in namespaces.
    #[must_use]
    pub fn resource(api_version: &str, plural: &str) -> Self {
        Self::of(Kind::dynamic(api_version, "", plural, Scope::Namespaced))
    }

    /// The same selection, of this kind.
    #[must_use]
    pub fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Only those of one shard (KEP-5866). Servers that know of shards send no others; of those that do not,
    /// caches leave the others out.
    #[must_use]
    pub fn shard(mut self, shard: Shard) -> Self {
        self.shard = Some(shard);
        self
    }

    /// Only those of one namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Only those whose labels match, as the server understands it: `app=web,tier!=cache`.
    #[must_use]
    pub fn labels(mut self, selector: impl Display) -> Self {
        self.labels = selector.to_string();
        self
    }

    /// Only those whose fields match: `metadata.name=x`.
    #[must_use]
    pub fn fields(mut self, selector: impl Display) -> Self {
        self.fields = selector.to_string();
        self
    }

    /// The kind selected from.
    #[must_use]
    pub const fn target(&self) -> &Kind {
        &self.kind
    }

    /// The one namespace, if it is one.
    #[must_use]
    pub fn in_namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The label selector; empty selects all.
    #[must_use]
    pub fn label_selector(&self) -> &str {
        &self.labels
    }

    /// The field selector; empty selects all.
    #[must_use]
    pub fn field_selector(&self) -> &str {
        &self.fields
    }

    /// The one name, if the fields select by it: `metadata.name=x`. It is what a permission to list and
    /// watch them may be limited to.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        name_in(&self.fields)
    }

    /// The shard, if it is one.
    #[must_use]
    pub const fn in_shard(&self) -> Option<&Shard> {
        self.shard.as_ref()
    }

    /// Whether the shard, if it is one, has this object.
    #[must_use]
    pub fn may_hold(&self, object: &impl Object) -> bool {
        self.shard.as_ref().is_none_or(|shard| shard.has(object))
    }

    fn shard_selector(&self) -> String {
        self.shard.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// To list them.
    #[must_use]
    pub fn list_options(&self) -> ListOptions {
        ListOptions {
            labels: self.labels.clone(),
            fields: self.fields.clone(),
            shard: self.shard_selector(),
            ..ListOptions::default()
        }
    }

    /// To watch them.
    #[must_use]
    pub fn watch_options(&self) -> WatchOptions {
        WatchOptions {
            labels: self.labels.clone(),
            fields: self.fields.clone(),
            shard: self.shard_selector(),
            ..WatchOptions::default()
        }
    }
}

/// The name that a field selector asks for (upstream: `Selector.RequiresExactMatch`).
pub(crate) fn name_in(fields: &str) -> Option<&str> {
    let mut names = fields.split(',').filter_map(|term| term.strip_prefix("metadata.name="));
    names.next().map(|name| name.trim_start_matches('=')).filter(|name| !name.is_empty())
}

impl<K> Clone for Select<K> {
    fn clone(&self) -> Self {
        Self {
            kind: self.kind.clone(),
            namespace: self.namespace.clone(),
            labels: self.labels.clone(),
            fields: self.fields.clone(),
            shard: self.shard.clone(),
            _object: PhantomData,
        }
    }
}

impl<K> fmt::Debug for Select<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Select")
            .field("kind", &self.kind)
            .field("namespace", &self.namespace)
            .field("labels", &self.labels)
            .field("fields", &self.fields)
            .field("shard", &self.shard)
            .finish()
    }
}
