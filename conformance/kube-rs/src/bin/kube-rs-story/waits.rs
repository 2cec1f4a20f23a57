//! Conditions that are waited for while somebody brings them about.

use std::fmt::Debug;

use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::conditions;
use kube::runtime::wait::{Condition, await_condition, delete::delete_and_finalize};
use kube::{Resource, ResourceExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::objects::deployment;
use crate::told::{Outcome, Story, json, map};

pub async fn tell(story: &Story) -> Outcome {
    let containers = json!([{ "name": "main", "image": "nginx" }]);
    let pod = json!({ "metadata": { "name": "waited" }, "spec": { "containers": containers } });
    let running = json!({ "phase": "Running" });
    brought_about::<Pod>(story, pod, running, conditions::is_pod_running()).await?;

    let template = json!({ "spec": { "containers": containers, "restartPolicy": "Never" } });
    let job = json!({ "metadata": { "name": "waited" }, "spec": { "template": template } });
    brought_about::<Job>(story, job, completed(), conditions::is_job_completed()).await?;

    let reason = "NewReplicaSetAvailable";
    let progressing = json!({ "type": "Progressing", "status": "True", "reason": reason });
    let status = json!({ "conditions": [progressing] });
    let completed = conditions::is_deployment_completed();
    brought_about::<Deployment>(story, deployment("waited"), status, completed).await?;
    deleted(story).await
}

/// As the server wants a job that is over.
fn completed() -> Value {
    let time = "2026-01-01T00:00:00Z";
    let condition = |kind: &str| json!({ "type": kind, "status": "True", "lastTransitionTime": time, "lastProbeTime": time });
    json!({
        "startTime": time, "completionTime": time, "succeeded": 1,
        "conditions": [condition("SuccessCriteriaMet"), condition("Complete")],
    })
}

async fn brought_about<K>(
    story: &Story,
    object: Value,
    status: Value,
    condition: impl Condition<K>,
) -> Outcome
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    K: Clone + Debug + DeserializeOwned + Serialize + Send + 'static,
{
    let api = story.api::<K>();
    let object: K = story.made(object).await?;
    let name = object.name_any();
    let patch = Patch::Merge(json!({ "status": status }));
    let plain = PatchParams::default();
    let (waited, patched) = tokio::join!(
        await_condition(api.clone(), &name, condition),
        api.patch_status(&name, &plain, &patch),
    );
    patched?;
    let waited = waited?.ok_or("it is gone")?;
    let value = serde_json::to_value(&waited)?;
    story.say(&K::kind(&()), json(&value["status"])?);
    Ok(())
}

async fn deleted(story: &Story) -> Outcome {
    let maps = story.api::<ConfigMap>();
    let mut held = map("waited", &[]);
    held.finalizers_mut().push("example.com/hold".to_owned());
    let held = maps.create(&PostParams::default(), &held).await?;
    let uid = held.uid().ok_or("no uid")?;
    maps.delete("waited", &DeleteParams::default()).await?;
    let free = Patch::Merge(json!({ "metadata": { "finalizers": null } }));
    let plain = PatchParams::default();
    let (waited, freed) = tokio::join!(
        await_condition(maps.clone(), "waited", conditions::is_deleted(&uid)),
        maps.patch("waited", &plain, &free),
    );
    freed?;
    story.say("deleted", waited?.is_none());
    maps.create(&PostParams::default(), &map("waited", &[])).await?;
    delete_and_finalize(maps.clone(), "waited", &DeleteParams::default()).await?;
    story.say("deleted and waited for", maps.get_opt("waited").await?.is_none());
    Ok(())
}
