//! Deleting, with all that can be said about it.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, StaticKind as _, object};
use watchkeeper_client::{
    Client, CreateOptions, DeleteOptions, Deleted, ListOptions, Patch, PatchOptions, Propagation,
    Result,
};

use super::{NAMESPACE, Told, maps};

pub(super) async fn deletes(client: &Client, told: &Told) -> Result<()> {
    let maps = maps(client);
    let map = object!(ConfigMap { metadata: { name: "held", finalizers: ["example.com/hold"] } });
    let map = maps.create(&map, &CreateOptions::default()).await?;
    let old = DeleteOptions { resource_version: Some("1".to_owned()), ..DeleteOptions::default() };
    let refused = maps.delete("held", &old).await;
    told.tell(format!("at an old version: conflict {}", refused.is_err_and(|e| e.is_conflict())));
    let options = DeleteOptions {
        resource_version: Some(map.resource_version().to_owned()),
        ..DeleteOptions::only(map.uid()).propagation(Propagation::Background).grace_period(0)
    };
    match maps.delete("held", &options).await? {
        Deleted::Pending(map) => told.tell(format!("held: deleting {}", map.is_deleting())),
        Deleted::Gone { .. } => told.tell("gone, though it is held"),
    }
    let free = Patch::merge(&serde_json::json!({ "metadata": { "finalizers": null } }));
    maps.patch("held", &free, &PatchOptions::default()).await?;
    told.tell(format!("let go: {}", maps.get_opt("held").await?.is_none()));
    let which = ListOptions::default().labels("page=yes");
    let dry = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
    for options in [dry, DeleteOptions::default().grace_period(0), DeleteOptions::default()] {
        let page = maps.delete_collection(&options, &which).await?;
        let mut names: Vec<_> = page.items.iter().map(Object::name).collect();
        names.sort_unstable();
        told.tell(format!("deleted as a collection: {}", names.join(" ")));
    }
    let metadata = client.metadata(ConfigMap::static_kind().clone()).namespace(NAMESPACE);
    let gone = metadata.delete("upsert", &DeleteOptions::default()).await?;
    told.tell(format!("deleted by its metadata: {}", matches!(gone, Deleted::Gone { .. })));
    let left = metadata.delete_collection(&DeleteOptions::default(), &which).await?;
    told.tell(format!("left: {}", left.items.len()));
    Ok(())
}
