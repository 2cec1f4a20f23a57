//! What futures and handles may cross threads.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::{
    Api, ApplyOptions, Client, CreateOptions, DeleteOptions, ListOptions, ListStream, Patch,
    PatchOptions, Select, WatchOptions, WatchStream,
};

fn send<T: Send>(_: &T) {}
fn shared<T: Send + Sync + Clone + 'static>() {}

#[test]
fn handles_are_shared_and_futures_are_sent() {
    shared::<Client>();
    shared::<Api<ConfigMap>>();
    shared::<Select<ConfigMap>>();
    let _futures = |api: &Api<ConfigMap>, map: &ConfigMap, patch: &Patch| {
        send(&api.get("x"));
        send(&api.list_all(&ListOptions::default()));
        send(&api.watch(&WatchOptions::default()));
        send(&api.create(map, &CreateOptions::default()));
        send(&api.apply(map, &ApplyOptions::forced()));
        send(&api.patch("x", patch, &PatchOptions::default()));
        send(&api.delete("x", &DeleteOptions::default()));
        send(&api.delete_collection(&DeleteOptions::default(), &ListOptions::default()));
        send(&api.client().resolve("pods"));
    };
    let _streams = |list: &mut ListStream<ConfigMap>, watch: &mut WatchStream<ConfigMap>| {
        send(&list.next());
        send(&watch.next());
    };
}
