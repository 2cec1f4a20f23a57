//! Typed accessors for every group and version, on the embedded server.

use std::fmt::Debug;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, object};
use watchkeeper_client::{Api, CreateOptions, DeleteOptions, ListOptions};

use crate::live::{Live, live};

/// Makes a test's table of the generated one.
macro_rules! accessors {
    ($($group:ident.$version:ident.$resource:ident($($namespace:literal)?): $path:literal $kind:literal;)*) => {
        /// What each accessor is, beside what the facts say: the path that it asks, and its kind.
        pub(super) async fn all(live: &super::Live) -> Vec<[(String, String); 2]> {
            let mut found = Vec::new();
            $({
                let api = live.client.$group().$version().$resource($($namespace)?);
                let is = (super::asked(live, &api).await, api.kind().kind.to_string());
                found.push([is, ($path.to_owned(), $kind.to_owned())]);
            })*
            found
        }
    };
}

mod calls;

/// The path that is asked when an accessor lists; whether the server has such a resource does not matter.
async fn asked<K: Object + Debug>(live: &Live, api: &Api<K>) -> String {
    let _ = api.list(&ListOptions::default()).await;
    let asked = live.asked().concat();
    let path = asked.strip_prefix("GET ").unwrap_or_default();
    path.split('?').next().unwrap_or_default().to_owned()
}

#[tokio::test(start_paused = true)]
async fn every_group_and_version_is_reached_by_its_name() {
    let live = live();
    for [is, said] in calls::all(&live).await {
        assert_eq!(is, said);
    }
}

#[tokio::test(start_paused = true)]
async fn an_accessor_is_the_typed_api_of_that_namespace() {
    let client = live().client;
    let maps = client.core().v1().config_maps("default");
    let map = object!(ConfigMap { metadata: { name: "x" }, data: { "a": "1" } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    assert_eq!(
        client
            .core()
            .v1()
            .config_maps("")
            .list_all(&ListOptions::default())
            .await
            .unwrap()
            .items
            .len(),
        1
    );
    assert!(client.core().v1().config_maps("kube-system").get_opt("x").await.unwrap().is_none());
    maps.delete("x", &DeleteOptions::default()).await.unwrap();
}
