//! Custom resources of kube: those of other crates, and the definition of any.

use std::fmt;
use std::ops::{Deref, DerefMut};

use kube::CustomResourceExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::{CustomResource, Kind, Object, StaticKind};

use crate::implement::wrapper;
use crate::kind::{self, KnownScope};
use crate::lean::to_lean;

/// A struct of `#[derive(kube::CustomResource)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a custom resource of kube",
    note = "for a kind of k8s-openapi, use `watchkeeper_kube::Kube<{Self}>`"
)]
pub trait CustomKind:
    kube::Resource<DynamicType = (), Scope: KnownScope>
    + CustomResourceExt
    + Serialize
    + DeserializeOwned
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<K> CustomKind for K where
    K: kube::Resource<DynamicType = (), Scope: KnownScope>
        + CustomResourceExt
        + Serialize
        + DeserializeOwned
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// A custom resource of another crate as an object of ours: of `gateway-api`, or whatever `kopium`
/// made. It derefs to what it holds.
///
/// Structs of one's own need no wrapper: see [`Object`](derive@crate::Object), which also knows their
/// status. Of this one, write it by `patch_status`.
///
/// ```
/// mod theirs {
///     #[derive(kube::CustomResource, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
///     #[derive(Clone, Debug)]
///     #[kube(group = "example.com", version = "v1", kind = "Lamp", namespaced)]
///     pub struct LampSpec { pub colour: String }
/// }
/// use watchkeeper_api::{CustomResource, Object, StaticKind};
/// type Lamp = watchkeeper_kube::KubeCustom<theirs::Lamp>;
///
/// let lamp = Lamp::from(theirs::Lamp::new("a", theirs::LampSpec { colour: "red".into() }));
/// assert_eq!(lamp.name(), "a");
/// assert_eq!(Lamp::static_kind().group_resource(), "lamps.example.com");
/// assert_eq!(Lamp::crd().metadata.name, "lamps.example.com");
/// ```
#[derive(Clone, Copy, Default, PartialEq)]
pub struct KubeCustom<K>(pub K);

impl<K> KubeCustom<K> {
    /// The object of kube.
    pub fn into_inner(self) -> K {
        self.0
    }
}

wrapper!(KubeCustom<K: CustomKind>);

crate::__object!([K: CustomKind] KubeCustom<K>, |this| &this.0, |value| Self(value));

impl<K: CustomKind> StaticKind for KubeCustom<K> {
    fn static_kind() -> &'static Kind {
        kind::kept::<K>()
    }
}

impl<K: CustomKind> CustomResource for KubeCustom<K> {
    fn crd() -> CustomResourceDefinition {
        definition::<K>()
    }
}

/// The definition that kube makes of a type, as ours.
///
/// # Panics
///
/// Where kube's does: when a schema cannot be told structurally.
#[must_use]
pub fn definition<K: CustomResourceExt>() -> CustomResourceDefinition {
    to_lean(&K::crd()).unwrap_or_else(|error| unreachable!("{}: {error}", K::crd_name()))
}
