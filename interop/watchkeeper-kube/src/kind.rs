//! What kube calls a kind, as ours.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use watchkeeper_api::{Kind, Scope};

/// How the types of kube and k8s-openapi say whether their objects live in namespaces.
///
/// Parts of other objects, such as an `Eviction`, say neither: they are no objects of their own.
#[diagnostic::on_unimplemented(
    message = "objects of the scope `{Self}` have no path of their own",
    note = "send parts of other objects by `api.subresource(…)`"
)]
pub trait KnownScope: sealed::Sealed {
    /// The scope.
    const SCOPE: Scope;
}

mod sealed {
    #[expect(unnameable_types, reason = "nobody but this crate implements it")]
    pub trait Sealed {}
    impl Sealed for super::NamespaceResourceScope {}
    impl Sealed for super::ClusterResourceScope {}
}

impl KnownScope for NamespaceResourceScope {
    const SCOPE: Scope = Scope::Namespaced;
}

impl KnownScope for ClusterResourceScope {
    const SCOPE: Scope = Scope::Cluster;
}

/// Asks a type what it is called.
#[must_use]
pub fn named<K>() -> Kind
where
    K: kube::Resource<DynamicType = (), Scope: KnownScope>,
{
    let owned = |name: Cow<'_, str>| Cow::Owned(name.into_owned());
    Kind {
        group: owned(K::group(&())),
        version: owned(K::version(&())),
        kind: owned(K::kind(&())),
        plural: owned(K::plural(&())),
        scope: <K::Scope as KnownScope>::SCOPE,
    }
}

/// What a type is called, asked once: a type without constants has no place of its own to keep it.
/// One entry a type of the program, so the table is bounded.
pub(crate) fn kept<K>() -> &'static Kind
where
    K: kube::Resource<DynamicType = (), Scope: KnownScope> + 'static,
{
    static KINDS: RwLock<BTreeMap<TypeId, &'static Kind>> = RwLock::new(BTreeMap::new());
    let id = TypeId::of::<K>();
    let known = KINDS.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
    known.unwrap_or_else(|| {
        let mut kinds = KINDS.write().unwrap_or_else(PoisonError::into_inner);
        kinds.entry(id).or_insert_with(|| Box::leak(Box::new(named::<K>())))
    })
}
