//! The service account actor: each namespace has its `default` account and the root certificate.

use watchkeeper_api::core::v1::{ConfigMap, Namespace, ServiceAccount};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Error, Map, Object, ObjectKey};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

/// The config map that carries the root certificate.
const ROOT_CA: &str = "kube-root-ca.crt";
/// The annotation of it that says what it is for, and what upstream says there.
const DESCRIPTION: &str = "kubernetes.io/description";
const ITS_USE: &str = "Contains a CA bundle that can be used to verify the kube-apiserver when using \
                       internal endpoints such as the internal service IP or \
                       kubernetes.default.svc. No other usage is guaranteed across distributions of \
                       Kubernetes clusters.";

/// Adds the service account actor to `manager`. With `root_ca` (PEM) the certificate is published
/// as well.
pub fn service_account(manager: &Manager, root_ca: Option<String>) {
    let namespaces = manager.watch::<Namespace>();
    let accounts = manager.watch::<ServiceAccount>();
    let maps = manager.watch::<ConfigMap>();
    manager
        .controller("serviceaccount-controller", &namespaces)
        .watches(&accounts, |account: &ServiceAccount| {
            (account.name() == "default").then(|| home(account))
        })
        .watches(&maps, |map: &ConfigMap| (map.name() == ROOT_CA).then(|| home(map)))
        .with(Watches { namespaces, accounts, maps, root_ca })
        .reconcile(Watches::reconcile);
}

/// The namespace of an object, as a key.
fn home(object: &impl Object) -> ObjectKey {
    ObjectKey::from(object.namespace().unwrap_or_default())
}

#[derive(Debug)]
struct Watches {
    namespaces: Watch<Namespace>,
    accounts: Watch<ServiceAccount>,
    maps: Watch<ConfigMap>,
    root_ca: Option<String>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(namespace) = self.namespaces.get(&request).await? else {
            return Ok(Action::done());
        };
        if namespace.is_deleting() {
            return Ok(Action::done());
        }
        self.account(namespace.name(), &ctx).await?;
        self.certificate(namespace.name(), &ctx).await?;
        Ok(Action::done())
    }

    async fn account(&self, namespace: &str, ctx: &Context) -> Result<(), Failure> {
        if self.accounts.get(&ObjectKey::from((namespace, "default"))).await?.is_some() {
            return Ok(());
        }
        let account = ServiceAccount {
            metadata: metadata(namespace, "default"),
            ..ServiceAccount::default()
        };
        unless_exists(ctx.create(&account).await)
    }

    async fn certificate(&self, namespace: &str, ctx: &Context) -> Result<(), Failure> {
        let Some(pem) = &self.root_ca else { return Ok(()) };
        let wanted = Map::from([("ca.crt", pem.as_str())]);
        match self.maps.get(&ObjectKey::from((namespace, ROOT_CA))).await? {
            None => {
                let mut metadata = metadata(namespace, ROOT_CA);
                metadata.annotations.insert(DESCRIPTION, ITS_USE);
                let map = ConfigMap { metadata, data: wanted, ..ConfigMap::default() };
                unless_exists(ctx.create(&map).await)
            }
            Some(map) if map.data != wanted || !is_described(&map) => {
                ctx.edit(&*map, |map: &mut ConfigMap| {
                    map.data = wanted;
                    map.metadata.annotations.insert(DESCRIPTION, ITS_USE);
                })
                .await?;
                Ok(())
            }
            Some(_) => Ok(()),
        }
    }
}

/// Anything may be said of it, but not nothing.
fn is_described(map: &ConfigMap) -> bool {
    map.annotation(DESCRIPTION).is_some_and(|text| !text.is_empty())
}

fn metadata(namespace: &str, name: &str) -> ObjectMeta {
    ObjectMeta { name: name.into(), namespace: namespace.into(), ..ObjectMeta::default() }
}

/// Somebody else having made it is as good as having made it. A namespace that is gone, or on its way, needs nothing.
fn unless_exists<K>(result: watchkeeper_api::Result<K>) -> Result<(), Failure> {
    let is_fine = |error: &Error| {
        error.is_already_exists()
            || error.is_not_found()
            || error.cause("NamespaceTerminating").is_some()
    };
    match result {
        Err(error) if !is_fine(&error) => Err(error.into()),
        _ => Ok(()),
    }
}
