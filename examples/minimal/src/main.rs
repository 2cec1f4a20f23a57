//! The smallest controller: it counts the keys of each config map that asks for it.
//!
//! `cargo run --release -p minimal` connects as kubectl does (`KUBECONFIG`, `~/.kube/config`, or
//! the pod's service account) and runs until it is told to stop. A config map with the annotation
//! `example.com/count` gets the number of its keys as the annotation's value.

use watchkeeper::prelude::*;

/// The annotation that asks for a count and carries it.
const COUNT: &str = "example.com/count";

#[tokio::main(flavor = "current_thread")]
async fn main() -> watchkeeper::Result<()> {
    let client = watchkeeper::connect().await?.user_agent("minimal");
    let manager = Manager::new(&client);
    let maps = manager.watch::<ConfigMap>();
    manager.controller("minimal", &maps).with(maps).reconcile(async |maps, request, ctx| {
        let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
        let count = map.data.len().to_string();
        if map.annotation(COUNT).is_some_and(|told| told != count) {
            ctx.edit(&*map, |map| {
                map.metadata.annotations.insert(COUNT, count.as_str());
            })
            .await?;
        }
        Ok(Action::done())
    });
    manager.run(signals::shutdown()).await
}
