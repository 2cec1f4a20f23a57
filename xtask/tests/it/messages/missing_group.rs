//@ error: write `#[object(group = "…", version = "…")]`: the group is missing
//! A kind without a group, used as if all were well.

use watchkeeper::meta::v1::ObjectMeta;
use watchkeeper::{CustomResource as _, HasMeta as _, HasStatus as _, Object as _, json};
use watchkeeper_cache::Cache;
use watchkeeper_client::Client;
use watchkeeper_controller::{Action, Controller};
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(version = "v1", status)]
struct Lamp {
    metadata: ObjectMeta,
    status: LampStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampStatus {
    shines: bool,
}

fn controller(client: &Client, cache: &Cache) -> Controller {
    let lamps = cache.watch::<Lamp>();
    Controller::new(client, "lamps", &lamps).with(lamps).reconcile(async |lamps, request, ctx| {
        let Some(lamp) = lamps.get(&request).await? else { return Ok(Action::done()) };
        ctx.edit_status(&lamp, |status| status.shines = true).await?;
        ctx.apply(&Lamp::default()).await?;
        Ok(Action::done())
    })
}

fn main() {
    let mut lamp = Lamp::default();
    lamp.metadata_mut().labels.insert("a", "b");
    lamp.status_mut().shines = true;
    println!("{} {} {:?} {:?}", lamp.name(), json::to_string(&lamp), Lamp::crd(), Lamp::KIND);
    let _ = controller;
}
