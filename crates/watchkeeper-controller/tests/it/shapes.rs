//! The forms of a controller that must compile with nothing annotated.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::{ConfigMap, Pod, Secret};
use watchkeeper_api::{Map, Object, ObjectKey, StaticKind, object};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::Client;
use watchkeeper_controller::{
    Action, Context, Controller, Failure, Normal, OrFail, Outcome, Request, controlled_by,
};

#[tokio::test]
async fn every_form_makes_a_controller_that_runs_until_it_is_stopped() {
    let client = crate::nowhere();
    let cache = Cache::new(&client);
    let (maps, deployments) = (cache.watch(), cache.watch());
    let (pods, sets, secrets) = (cache.watch(), cache.watch(), cache.watch());
    let controllers = [
        with_a_watch(&client, &maps, &deployments),
        without_state(&client, &pods),
        with_a_tuple(&client, &pods, &sets),
        with_a_method(&client, secrets),
        generic(&client, &sets),
        with_a_function(&client, &pods),
    ];
    for controller in controllers {
        controller.run(std::future::ready(())).await.unwrap();
    }
}

/// The longest of all durations is for ever, wherever one may be given.
#[tokio::test(start_paused = true)]
async fn a_controller_may_wait_for_ever() {
    let client = crate::nowhere();
    let cache = Cache::new(&client).read_deadline(Duration::MAX);
    let pods = cache.watch::<Pod>();
    let controller = Controller::new(&client, "pods", &pods)
        .sync_timeout(Duration::MAX)
        .resync(Duration::MAX)
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    let stop = tokio::time::sleep(Duration::from_secs(3600));
    tokio::select! {
        biased;
        ended = controller.run(stop) => ended.unwrap(),
        () = cache.run() => panic!("the cache ended first"),
    }
}

/// Two runs have two queues, and would work on one key at once.
#[tokio::test(start_paused = true)]
async fn a_controller_runs_once_at_a_time() {
    let client = crate::nowhere();
    let cache = Cache::new(&client);
    let pods = cache.watch::<Pod>();
    let controller = without_state(&client, &pods);
    let minute = || tokio::time::sleep(Duration::from_secs(60));
    let (first, second) = tokio::join!(biased; controller.run(minute()), controller.run(minute()));
    first.unwrap();
    let error = second.unwrap_err().to_string();
    assert_eq!(error, format!("controller {} runs already", controller.name()));
    controller.run(minute()).await.unwrap();
}

/// A watch lent to every call.
fn with_a_watch(
    client: &Client,
    maps: &Watch<ConfigMap>,
    deployments: &Watch<Deployment>,
) -> Controller {
    Controller::new(client, "maps", maps).owns(deployments).workers(2).with(maps.clone()).reconcile(
        async |maps, request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            let deployment = ctx.apply(&deployment_for(&map)).await?;
            let available = deployment.status.available_replicas;
            ctx.edit(&map, |map| drop(map.data.insert("available", available.to_string()))).await?;
            ctx.edit_status(&deployment, |status| status.observed_generation = 1).await?;
            ctx.event(&map, Normal, "Synced", "synced");
            Ok(Action::done())
        },
    )
}

fn deployment_for(map: &ConfigMap) -> Deployment {
    let labels = Map::from([("app", "nginx"), ("controller", map.name())]);
    object!(Deployment {
        metadata: {
            name: map.name(),
            namespace: map.namespace(),
            owner_references: [controlled_by(map)],
        },
        spec: {
            replicas: 1,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
            },
        },
    })
}

/// No state at all.
fn without_state(client: &Client, pods: &Watch<Pod>) -> Controller {
    Controller::new(client, "pods", pods).reconcile(async |request, ctx| {
        let delay = if request.name() == "a" { 1 } else { 2 };
        ctx.client().api::<Pod>().get(request.name()).await.terminal()?;
        Ok(Action::after(Duration::from_secs(delay)))
    })
}

/// A tuple of watches as the state, sources that tell of some changes, and mapped keys.
fn with_a_tuple(client: &Client, pods: &Watch<Pod>, sets: &Watch<ReplicaSet>) -> Controller {
    Controller::new(client, "sets", sets.when(|change| !change.object().is_deleting()))
        .owns(pods.when(|change| change.object().spec.node_name.is_empty()))
        .watches(pods, |pod| pod.label("set").map(|name| ObjectKey::from(("default", name))))
        .with((pods.clone(), sets.clone()))
        .reconcile(async |(pods, sets), request, _| {
            let (pod, set) = (pods.get(&request).await?, sets.get(&request).await?);
            match (pod, set) {
                (Some(_), Some(set)) if set.spec.replicas == Some(0) => Err("no replicas")?,
                _ => Ok(Action::done()),
            }
        })
}

struct Secrets {
    secrets: Watch<Secret>,
}

impl Secrets {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(secret) = self.secrets.get(&request).await? else { return Ok(Action::done()) };
        ctx.add_finalizer(&secret, "example.com/clean-up").await?;
        let text = secret.label("number").unwrap_or("1").parse::<u32>().terminal()?;
        ctx.delete(&secret).await.retry_after(Duration::from_secs(u64::from(text)))?;
        Ok(Action::done())
    }
}

/// A struct whose method is the function.
fn with_a_method(client: &Client, secrets: Watch<Secret>) -> Controller {
    Controller::new(client, "secrets", &secrets)
        .with(Secrets { secrets })
        .reconcile(Secrets::reconcile)
}

/// A controller of any kind.
fn generic<K: StaticKind>(client: &Client, watch: &Watch<K>) -> Controller {
    let builder = Controller::new(client, "any", watch).with(watch.clone());
    builder.reconcile(async |watch, request, ctx| {
        if let Some(object) = watch.get(&request).await? {
            ctx.remove_finalizer(&object, "example.com/clean-up").await?;
        }
        Ok(Action::done())
    })
}

async fn plain(state: &Arc<u32>, _request: Request, _ctx: Context) -> Outcome {
    Ok(Action::after(Duration::from_secs(u64::from(**state))))
}

/// A plain function.
fn with_a_function(client: &Client, pods: &Watch<Pod>) -> Controller {
    Controller::new(client, "plain", pods).with(Arc::new(1_u32)).reconcile(plain)
}
