//@ shows: F: CapturesNothing, // else `.with(state).reconcile(async |state, request, ctx| …)`
//! A reconcile function that moves a watch in.

use watchkeeper::core::v1::Pod;
use watchkeeper_cache::Cache;
use watchkeeper_client::Client;
use watchkeeper_controller::{Action, Controller};

fn controller(client: &Client, cache: &Cache) -> Controller {
    let pods = cache.watch::<Pod>();
    Controller::new(client, "pods", &pods).reconcile(async move |request, _ctx| {
        pods.get(&request).await?;
        Ok(Action::done())
    })
}

fn main() {
    let _ = controller;
}
