//! The types of k8s-openapi as objects.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Serialize;
use serde::de::DeserializeOwned;
use watchkeeper_api::{HasStatus, Kind, Object, StaticKind};

use crate::implement::wrapper;
use crate::kind::KnownScope;
use crate::status::OpenApiStatus;
use crate::value::Serde;

/// A type that knows what it is called as constants: the kinds of k8s-openapi, and those made by its
/// derive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of k8s-openapi with a path of its own",
    note = "for a struct of your own with `#[derive(kube::CustomResource)]`, write `#[kube(derive = \"watchkeeper_kube::Object\")]` and use it as it is",
    note = "for such a struct of another crate, use `watchkeeper_kube::KubeCustom<{Self}>`"
)]
pub trait OpenApiKind:
    k8s_openapi::Resource<Scope: KnownScope>
    + k8s_openapi::Metadata<Ty = ObjectMeta>
    + Serialize
    + DeserializeOwned
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<K> OpenApiKind for K where
    K: k8s_openapi::Resource<Scope: KnownScope>
        + k8s_openapi::Metadata<Ty = ObjectMeta>
        + Serialize
        + DeserializeOwned
        + Clone
        + Send
        + Sync
        + 'static
{
}

/// An object of k8s-openapi as one of ours. It derefs to what it holds.
///
/// It is read, watched, cached, created, applied and patched as any [`Object`]; a program names it
/// once, `type Deployment = Kube<apps::Deployment>`. It travels as JSON, and holds as much memory as
/// it does in kube; managed fields are left out unless asked for.
///
/// It has no [`HasMeta`](watchkeeper_api::HasMeta), as its metadata is kube's: helpers that change
/// the metadata of an object (`set_controller`, [`Upsert`](watchkeeper_client::Upsert)) take lean
/// types only. kube's own work on what it holds.
///
/// A value that serde refuses to write, such as a map whose keys are no texts, is refused by whoever
/// is sent it.
///
/// ```
/// use k8s_openapi::api::core::v1 as openapi;
/// use watchkeeper_api::Object;
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_client::{Client, CreateOptions};
/// use watchkeeper_kube::Kube;
///
/// type ConfigMap = Kube<openapi::ConfigMap>;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> watchkeeper_client::Result<()> {
/// let client = Client::new(ApiServer::new());
/// let maps = client.api::<ConfigMap>().namespace("default");
/// let mut map = ConfigMap::default();
/// map.metadata.name = Some("a".into());
/// map.data = Some([("colour".to_owned(), "red".to_owned())].into());
/// let made = maps.create(&map, &CreateOptions::default()).await?;
/// assert_eq!(made.key().to_string(), "default/a");
/// assert_eq!(made.data, map.data);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Kube<K>(pub K);

impl<K> Kube<K> {
    /// The object of kube.
    pub fn into_inner(self) -> K {
        self.0
    }
}

wrapper!(Kube<K: OpenApiKind>);

crate::__object!([K: OpenApiKind] Kube<K>, |this| &this.0, |value| Self(value));

/// Where the constants of a type become our kind.
struct Named<K>(PhantomData<K>);

impl<K: OpenApiKind> Named<K> {
    const KIND: &'static Kind = &Kind::new(
        K::GROUP,
        K::VERSION,
        K::KIND,
        K::URL_PATH_SEGMENT,
        <K::Scope as KnownScope>::SCOPE,
    );
}

impl<K: OpenApiKind> StaticKind for Kube<K> {
    fn static_kind() -> &'static Kind {
        Named::<K>::KIND
    }
}

impl<K: OpenApiKind + OpenApiStatus> HasStatus for Kube<K> {
    type Status = Serde<Option<K::Status>>;

    fn status(&self) -> &Self::Status {
        Serde::of(self.0.status())
    }

    fn status_mut(&mut self) -> &mut Self::Status {
        Serde::of_mut(self.0.status_mut())
    }
}
