//! Patches of each kind, and who owns what.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Patch, PatchParams};
use kube::{Api, ResourceExt};
use serde_json::{Value, json};

use crate::objects::deployment;
use crate::told::{Outcome, Story, json, refusal};

pub async fn tell(story: &Story) -> Outcome {
    story.made::<Deployment>(deployment("patched")).await?;
    let deployments = story.api::<Deployment>();
    operations(story, &deployments).await?;
    merged(story, &deployments).await?;
    strategic(story, &deployments).await?;
    validated(story, &deployments).await?;
    applied(story).await
}

fn operations_of(operations: Value) -> Outcome<Patch<()>> {
    Ok(Patch::Json(serde_json::from_value(operations)?))
}

async fn operations(story: &Story, deployments: &Api<Deployment>) -> Outcome {
    let plain = PatchParams::default();
    let replace = operations_of(json!([
        { "op": "test", "path": "/metadata/name", "value": "patched" },
        { "op": "replace", "path": "/spec/replicas", "value": 4 },
        { "op": "add", "path": "/metadata/labels", "value": { "a": "1", "b/c": "2" } },
        { "op": "remove", "path": "/metadata/labels/b~1c" },
    ]))?;
    let patched = deployments.patch("patched", &plain, &replace).await?;
    let replicas = patched.spec.as_ref().and_then(|spec| spec.replicas);
    let labels = json(patched.labels())?;
    story.say("JSON", format!("{replicas:?} {labels} {:?}", patched.metadata.generation));
    let tested = operations_of(json!([{ "op": "test", "path": "/spec/replicas", "value": 5 }]))?;
    story.say("a test that fails", refusal(deployments.patch("patched", &plain, &tested).await));
    let nowhere = operations_of(json!([{ "op": "remove", "path": "/metadata/nowhere" }]))?;
    story.say("a path to nowhere", refusal(deployments.patch("patched", &plain, &nowhere).await));
    story.say("of nothing", refusal(deployments.patch("nowhere", &plain, &replace).await));
    Ok(())
}

async fn merged(story: &Story, deployments: &Api<Deployment>) -> Outcome {
    let plain = PatchParams::default();
    let merge =
        json!({ "metadata": { "labels": { "a": null, "d": "3" } }, "spec": { "paused": true } });
    let patched = deployments.patch("patched", &plain, &Patch::Merge(&merge)).await?;
    let paused = patched.spec.as_ref().and_then(|spec| spec.paused);
    story.say("merge", format!("{} {paused:?}", json(patched.labels())?));
    let wrong = json!({ "spec": { "replicas": "many" } });
    let refused = deployments.patch("patched", &plain, &Patch::Merge(&wrong)).await;
    story.say("merge of another type", refusal(refused));
    let dry = PatchParams::default().dry_run();
    let patched = deployments.patch("patched", &dry, &Patch::Merge(&merge_of_replicas(9))).await?;
    story.say("dry run", format!("{:?}", patched.spec.and_then(|spec| spec.replicas)));
    let now = deployments.get("patched").await?;
    story.say("after it", format!("{:?}", now.spec.and_then(|spec| spec.replicas)));
    let metadata = json!({ "metadata": { "annotations": { "note": "kept" } } });
    let patched = deployments.patch_metadata("patched", &plain, &Patch::Merge(&metadata)).await?;
    story.say("metadata alone", json(patched.annotations())?);
    Ok(())
}

fn merge_of_replicas(count: i32) -> Value {
    json!({ "spec": { "replicas": count } })
}

async fn strategic(story: &Story, deployments: &Api<Deployment>) -> Outcome {
    let containers =
        json!([{ "name": "main", "image": "nginx:1.29" }, { "name": "log", "$patch": "delete" }]);
    let patch = json!({ "spec": { "template": { "spec": { "containers": containers } } } });
    let plain = PatchParams::default();
    let patched = deployments.patch("patched", &plain, &Patch::Strategic(&patch)).await?;
    let spec = patched.spec.and_then(|spec| spec.template.spec).ok_or("no pod")?;
    let images = spec.containers.iter().map(|container| (&container.name, &container.image));
    story.say("strategic", format!("{:?}", images.collect::<Vec<_>>()));
    Ok(())
}

async fn validated(story: &Story, deployments: &Api<Deployment>) -> Outcome {
    let patch = Patch::Merge(json!({ "spec": { "unknown": 1, "replicas": 2 } }));
    let strict = PatchParams::default().validation_strict();
    story.say("strict", refusal(deployments.patch("patched", &strict, &patch).await));
    let ignore = PatchParams::default().validation_ignore();
    story.say("ignorant", refusal(deployments.patch("patched", &ignore, &patch).await));
    Ok(())
}

async fn applied(story: &Story) -> Outcome {
    let maps = story.api::<ConfigMap>();
    let (one, two) = (PatchParams::apply("one"), PatchParams::apply("two"));
    let patch = |data: Value| {
        let metadata = json!({ "name": "applied" });
        Patch::Apply(
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data }),
        )
    };
    let first = maps.patch("applied", &one, &patch(json!({ "a": "1", "b": "1" }))).await?;
    story.say("applied", json(&first.data)?);
    let other = patch(json!({ "a": "2", "c": "2" }));
    story.say("by another", refusal(maps.patch("applied", &two, &other).await));
    let forced = maps.patch("applied", &two.clone().force(), &other).await?;
    story.say("by force", json(&forced.data)?);
    let less = maps.patch("applied", &one, &patch(json!({}))).await?;
    story.say("what nobody asks for goes", json(&less.data)?);
    for managed in less.managed_fields() {
        let (manager, operation) = (&managed.manager, &managed.operation);
        let fields = json(&managed.fields_v1)?;
        story.say("managed", format!("{manager:?} {operation:?} {fields}"));
    }
    let merge = PatchParams { field_manager: Some("three".to_owned()), ..PatchParams::default() };
    let patched =
        maps.patch("applied", &merge, &Patch::Merge(json!({ "data": { "c": "3" } }))).await?;
    story.say(
        "managers",
        patched
            .managed_fields()
            .iter()
            .flat_map(|m| m.manager.clone())
            .collect::<Vec<_>>()
            .join(" "),
    );
    let unnamed = Patch::Apply(json!({ "apiVersion": "v1", "kind": "Secret" }));
    story.say("of another kind", refusal(maps.patch("applied", &one, &unnamed).await));
    Ok(())
}
