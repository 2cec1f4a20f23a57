//! Pods of which no node knows: what can be asked of them, and what is evicted.

use k8s_openapi::api::core::v1::{Binding, ObjectReference, Pod};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use kube::api::{AttachParams, EvictParams, LogParams, Patch, PatchParams, PostParams};
use kube::core::Status;
use kube::{Api, Client, ResourceExt};
use serde_json::{Value, json};

use crate::told::{NAMESPACE, Outcome, Story, json, named, refusal};

pub async fn tell(story: &Story) -> Outcome {
    let pods = story.api::<Pod>();
    let pod: Pod = story.made(pod("waits")).await?;
    story.say("a pod", json(&pod.spec)?);
    story.say("its status", json(&pod.status)?);
    refused(story, &pods).await?;
    changed(story, &pods).await?;
    evicted(story, &pods).await
}

fn pod(name: &str) -> Value {
    let resources = json!({ "requests": { "cpu": "100m" } });
    json!({
        "metadata": { "name": name, "labels": { "app": "pods" } },
        "spec": { "containers": [{ "name": "main", "image": "nginx", "resources": resources }] },
    })
}

/// Nobody can say what its containers do.
async fn refused(story: &Story, pods: &Api<Pod>) -> Outcome {
    let (log, attach) = (LogParams::default(), AttachParams::default());
    story.say("logs", refusal(pods.logs("waits", &log).await));
    let other = LogParams { container: Some("other".to_owned()), ..LogParams::default() };
    story.say("logs of no container", refusal(pods.logs("waits", &other).await));
    story.say("logs of no pod", refusal(pods.logs("nowhere", &log).await));
    story.say("exec", refusal(pods.exec("waits", ["date"], &attach).await));
    story.say("exec of nothing", refusal(pods.exec("waits", [""; 0], &attach).await));
    let other = AttachParams::default().container("other");
    story.say("exec in no container", refusal(pods.exec("waits", ["date"], &other).await));
    story.say("exec in no pod", refusal(pods.exec("nowhere", ["date"], &attach).await));
    story.say("attach", refusal(pods.attach("waits", &attach).await));
    story.say("port", refusal(pods.portforward("waits", &[80]).await));
    Ok(())
}

async fn changed(story: &Story, pods: &Api<Pod>) -> Outcome {
    let debugger = json!({ "name": "debug", "image": "busybox", "targetContainerName": "main" });
    let patch = Patch::Strategic(json!({ "spec": { "ephemeralContainers": [debugger] } }));
    let plain = PatchParams::default();
    let with = pods.patch_ephemeral_containers("waits", &plain, &patch).await?;
    let spec = with.spec.unwrap_or_default();
    story.say("a debugger", json(&spec.ephemeral_containers)?);
    let more = json!({ "name": "main", "resources": { "requests": { "cpu": "200m" } } });
    let patch = Patch::Strategic(json!({ "spec": { "containers": [more] } }));
    story.say("resources as anything else", refusal(pods.patch("waits", &plain, &patch).await));
    let resized = pods.patch_resize("waits", &plain, &patch).await;
    story.say("resized", refusal(resized));

    let target = ObjectReference { name: Some("shed".to_owned()), ..ObjectReference::default() };
    let binding = Binding { metadata: named("waits"), target };
    let create = PostParams::default();
    let bound: Status = pods.create_subresource("binding", "waits", &create, &binding).await?;
    story.say("bound", format!("{:?} {}", bound.status, bound.code));
    let spec = pods.get("waits").await?.spec.unwrap_or_default();
    story.say("its node", format!("{:?}", spec.node_name));
    let again = pods.create_subresource::<_, Status>("binding", "waits", &create, &binding).await;
    story.say("bound again", refusal(again));
    Ok(())
}

async fn evicted(story: &Story, pods: &Api<Pod>) -> Outcome {
    let budget = json!({
        "metadata": { "name": "budget" },
        "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": "pods" } } },
    });
    let budget: PodDisruptionBudget = story.made(budget).await?;
    run(pods, "waits").await?;
    let evict = EvictParams::default();
    // With what it does by default it would ask again and again.
    let mut config = story.config.clone();
    config.default_retry = false;
    let once = Api::<Pod>::namespaced(Client::try_from(config)?, NAMESPACE);
    story.say("not yet counted", refusal(once.evict("waits", &evict).await));
    allow(story, budget.metadata.generation, 0).await?;
    story.say("none may go", refusal(once.evict("waits", &evict).await));
    allow(story, budget.metadata.generation, 1).await?;
    let gone = pods.evict("waits", &evict).await?;
    story.say("one may go", format!("{:?} {}", gone.status, gone.code));
    let left = story.api::<PodDisruptionBudget>().get("budget").await?.status.unwrap_or_default();
    let disrupted = left.disrupted_pods.unwrap_or_default().into_keys().collect::<Vec<_>>();
    story.say("the budget", format!("{:?} {disrupted:?}", left.disruptions_allowed));
    let going = pods.get("waits").await?;
    let grace = going.metadata.deletion_grace_period_seconds;
    story.say("it goes", format!("{} {grace:?}", going.name_any()));
    story.made::<Pod>(pod("pending")).await?;
    let gone = pods.evict("pending", &evict).await?;
    story.say("what waits for a node", format!("{:?}", gone.status));
    story.say("no pod", refusal(pods.evict("nowhere", &evict).await));
    Ok(())
}

async fn run(pods: &Api<Pod>, name: &str) -> Outcome {
    let ready = json!({ "type": "Ready", "status": "True" });
    let status = json!({ "status": { "phase": "Running", "conditions": [ready] } });
    pods.patch_status(name, &PatchParams::default(), &Patch::Strategic(status)).await?;
    Ok(())
}

/// Says what the budget's controller would.
async fn allow(story: &Story, generation: Option<i64>, count: i32) -> Outcome {
    let status = json!({
        "observedGeneration": generation, "disruptionsAllowed": count,
        "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1,
    });
    let patch = Patch::Merge(json!({ "status": status }));
    let budgets = story.api::<PodDisruptionBudget>();
    budgets.patch_status("budget", &PatchParams::default(), &patch).await?;
    Ok(())
}
