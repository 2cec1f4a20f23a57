//! The smallest controller: it counts the keys of each config map that asks for it.
//!
//! A config map with the annotation `example.com/count` gets the number of its keys as the
//! annotation's value.

use watchkeeper::prelude::*;

/// The annotation that asks for a count and carries it.
pub const COUNT: &str = "example.com/count";

/// Adds the counter to `manager`.
pub fn counter(manager: &Manager) {
    let maps = manager.watch::<ConfigMap>();
    manager.controller("minimal", &maps).with(maps).reconcile(async |maps, request, ctx| {
        let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
        let count = (map.data.len() + map.binary_data.len()).to_string();
        if map.annotation(COUNT).is_some_and(|told| told != count) {
            ctx.edit(&*map, |map| {
                map.metadata.annotations.insert(COUNT, count.as_str());
            })
            .await?;
        }
        Ok(Action::done())
    });
}
