//@ shows: F: for<'a> ReconcileFn<'a, T> + 'static, // else `.with((state, captured))`
//! A reconcile function with a state, which borrows another watch from outside.

use watchkeeper::core::v1::{Node, Pod};
use watchkeeper_cache::Cache;
use watchkeeper_client::Client;
use watchkeeper_controller::{Action, Controller};

fn controller(client: &Client, cache: &Cache) -> Controller {
    let (pods, nodes) = (cache.watch::<Pod>(), cache.watch::<Node>());
    Controller::new(client, "pods", &pods).with(pods).reconcile(async |pods, request, _ctx| {
        if let Some(pod) = pods.get(&request).await? {
            nodes.get(("", &*pod.spec.node_name)).await?;
        }
        Ok(Action::done())
    })
}

fn main() {
    let _ = controller;
}
