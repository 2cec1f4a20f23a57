//! A controller that keeps a config map for each garden, tells events, and cleans up after itself.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event as Told;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::Action;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::finalizer::{self, Event as Finalized, finalizer};
use kube::runtime::wait::await_condition;
use kube::runtime::{Controller, conditions, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use serde_json::json;
use tokio::sync::oneshot;

use crate::garden::{Garden, garden};
use crate::told::{Outcome, Story, json};

const FINALIZER: &str = "story.example.com/weeds";
/// Who it is to the server.
const NAME: &str = "gardener";

/// What a reconcile uses.
struct Context {
    client: Client,
    recorder: Recorder,
}

pub async fn tell(story: &Story) -> Outcome {
    let (gardens, maps) = (story.api::<Garden>(), story.api::<ConfigMap>());
    let reporter = Reporter { controller: NAME.to_owned(), instance: Some("one".to_owned()) };
    let recorder = Recorder::new(story.client.clone(), reporter);
    let context = Arc::new(Context { client: story.client.clone(), recorder });
    let (stop, stopped) = oneshot::channel::<()>();
    // Not those of the chapters before.
    let of_this = watcher::Config::default().labels("chapter=controller");
    let running = Controller::new(gardens.clone(), of_this)
        .owns(maps.clone(), watcher::Config::default())
        .graceful_shutdown_on(async { drop(stopped.await) })
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_millis(100)), context)
        .filter_map(|done| std::future::ready(done.ok()))
        .count();
    let story_of_it = async {
        let told = lived(story, &gardens, &maps).await;
        drop(stop);
        told
    };
    let (reconciled, told) = tokio::join!(running, story_of_it);
    told?;
    story.say("it ended, and had worked", reconciled > 0);
    Ok(())
}

async fn reconcile(
    garden: Arc<Garden>,
    context: Arc<Context>,
) -> Result<Action, finalizer::Error<kube::Error>> {
    let namespace = garden.namespace().unwrap_or_default();
    let gardens = Api::<Garden>::namespaced(context.client.clone(), &namespace);
    finalizer(&gardens, FINALIZER, garden, |event| async {
        match event {
            Finalized::Apply(garden) => tended(&garden, &gardens, &context).await,
            Finalized::Cleanup(garden) => cleared(&garden, &context).await,
        }
    })
    .await
}

async fn tended(garden: &Garden, gardens: &Api<Garden>, context: &Context) -> kube::Result<Action> {
    let (name, namespace) = (garden.name_any(), garden.namespace().unwrap_or_default());
    let mut map = ConfigMap::default();
    map.metadata.name = Some(format!("{name}-beds"));
    map.metadata.owner_references = garden.controller_owner_ref(&()).map(|owner| vec![owner]);
    map.data = Some([("beds".to_owned(), garden.spec.beds.to_string())].into());
    let maps = Api::<ConfigMap>::namespaced(context.client.clone(), &namespace);
    let apply = PatchParams::apply(NAME).force();
    maps.patch(&format!("{name}-beds"), &apply, &Patch::Apply(&map)).await?;
    let status =
        json!({ "ready": garden.spec.beds, "observedGeneration": garden.metadata.generation });
    let patch = Patch::Merge(json!({ "status": status }));
    gardens.patch_status(&name, &PatchParams::default(), &patch).await?;
    Ok(Action::await_change())
}

/// Tells of it, as often as it is asked, which is once; and removes what nobody else would here.
async fn cleared(garden: &Garden, context: &Context) -> kube::Result<Action> {
    let name = format!("{}-beds", garden.name_any());
    let event = Event {
        type_: EventType::Normal,
        reason: "Cleared".to_owned(),
        note: Some(format!("{} beds are cleared", garden.spec.beds)),
        action: "Clearing".to_owned(),
        secondary: None,
    };
    // The second one makes a series of them.
    for _ in 0..2 {
        context.recorder.publish(&event, &garden.object_ref(&())).await?;
    }
    let namespace = garden.namespace().unwrap_or_default();
    let maps = Api::<ConfigMap>::namespaced(context.client.clone(), &namespace);
    if maps.get_opt(&name).await?.is_some() {
        maps.delete(&name, &DeleteParams::default()).await?;
    }
    Ok(Action::await_change())
}

async fn lived(story: &Story, gardens: &Api<Garden>, maps: &Api<ConfigMap>) -> Outcome {
    let mut new = garden("home", 3);
    new.labels_mut().insert("chapter".to_owned(), "controller".to_owned());
    gardens.create(&PostParams::default(), &new).await?;
    let ready = ready(gardens, 3).await?;
    story.say("ready", format!("{:?} {:?}", ready.status, ready.finalizers()));
    let child = maps.get("home-beds").await?;
    let mut owners = child.owner_references().to_vec();
    owners.iter_mut().for_each(|owner| owner.uid.clear());
    story.say("its map", format!("{:?} {}", child.data, json(&owners)?));

    maps.delete("home-beds", &DeleteParams::default()).await?;
    let again = with_beds(maps, "3").await?;
    story.say("a map that was deleted is back", again.uid() != child.uid());
    let other = Patch::Merge(json!({ "data": { "beds": "0" } }));
    maps.patch("home-beds", &PatchParams::default(), &other).await?;
    story.say("a map that was changed", format!("{:?}", with_beds(maps, "3").await?.data));
    let more = Patch::Merge(json!({ "spec": { "beds": 5 } }));
    gardens.patch("home", &PatchParams::default(), &more).await?;
    let ready = self::ready(gardens, 5).await?;
    story.say("ready again", format!("{:?} {:?}", ready.status, with_beds(maps, "5").await?.data));

    let uid = ready.uid().ok_or("no uid")?;
    gardens.delete("home", &DeleteParams::default()).await?;
    await_condition(gardens.clone(), "home", conditions::is_deleted(&uid)).await?;
    let left = maps.get_opt("home-beds").await?.is_some();
    story.say("deleted, and its map is left", left);
    events(story).await
}

async fn ready(gardens: &Api<Garden>, beds: i32) -> Outcome<Garden> {
    let is_ready = |garden: Option<&Garden>| {
        let status = garden.and_then(|garden| garden.status.as_ref());
        status.is_some_and(|status| status.ready == beds)
    };
    let found = await_condition(gardens.clone(), "home", is_ready).await?;
    Ok(found.ok_or("the garden is gone")?)
}

async fn with_beds(maps: &Api<ConfigMap>, beds: &str) -> Outcome<ConfigMap> {
    let has_them = |map: Option<&ConfigMap>| {
        let data = map.and_then(|map| map.data.as_ref());
        data.and_then(|data| data.get("beds")).is_some_and(|found| found == beds)
    };
    let found = await_condition(maps.clone(), "home-beds", has_them).await?;
    Ok(found.ok_or("the map is gone")?)
}

async fn events(story: &Story) -> Outcome {
    let events = story.api::<Told>();
    let of_it = ListParams::default().fields("reportingController=gardener");
    for event in events.list(&of_it).await? {
        let regarding = event.regarding.unwrap_or_default();
        // How often depends on how often it was reconciled.
        let many = event.series.is_some_and(|series| series.count >= 2);
        let (kind, name) = (regarding.kind, regarding.name);
        let told = (event.type_, event.reason, event.action, event.note);
        story.say("event", format!("{kind:?} {name:?} {told:?}, a series: {many}"));
    }
    Ok(())
}
