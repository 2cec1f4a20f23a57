//! A kind of one's own: its definition from a type, and what is held to it.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{ApiResource, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::discovery::oneshot;
use kube::runtime::conditions;
use kube::runtime::wait::await_condition;
use kube::{Api, CustomResourceExt, ResourceExt};
use serde_json::{Value, json};

use crate::discovery::kind;
use crate::garden::{DEFINITION, Garden, garden};
use crate::told::{NAMESPACE, Outcome, Story, json, names, refusal};

pub async fn tell(story: &Story) -> Outcome {
    defined(story).await?;
    let gardens = story.api::<Garden>();
    made(story, &gardens).await?;
    wrong(story).await?;
    patched(story, &gardens).await?;
    parts(story, &gardens).await
}

async fn defined(story: &Story) -> Outcome {
    let definitions = Api::<CustomResourceDefinition>::all(story.client.clone());
    let apply = PatchParams::apply("story").force();
    definitions.patch(DEFINITION, &apply, &Patch::Apply(Garden::crd())).await?;
    let established = conditions::is_crd_established();
    let defined = await_condition(definitions.clone(), DEFINITION, established).await?;
    let defined = defined.ok_or("the definition is gone")?;
    story.say("spec", json(&defined.spec)?);
    let status = defined.status.unwrap_or_default();
    for condition in status.conditions.unwrap_or_default() {
        let (reason, message) = (condition.reason, condition.message);
        story.say(&condition.type_, format!("{} {reason:?} {message:?}", condition.status));
    }
    story
        .say("accepted", format!("{} {:?}", json(&status.accepted_names)?, status.stored_versions));
    let again = definitions.patch(DEFINITION, &apply, &Patch::Apply(Garden::crd())).await?;
    story.say("applied again", format!("{:?}", again.metadata.generation));
    let gvk = GroupVersionKind::gvk("story.example.com", "v1", "Garden");
    // Discovery follows a little later.
    let (resource, able) = loop {
        if let Ok(found) = oneshot::pinned_kind(&story.client, &gvk).await {
            break found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    story.say("discovered", kind(&resource, &able));
    Ok(())
}

async fn made(story: &Story, gardens: &Api<Garden>) -> Outcome {
    let kind = ApiResource::erase::<Garden>(&());
    let dynamic = Api::<DynamicObject>::namespaced_with(story.client.clone(), NAMESPACE, &kind);
    let data = json!({
        "spec": { "beds": 2, "plants": [{ "name": "rose", "colour": "red" }], "fence": true },
        "status": { "ready": 2 },
    });
    let object = DynamicObject::new("small", &kind).data(data);
    let made = dynamic.create(&PostParams::default(), &object).await?;
    story.say("made", format!("{} {:?}", made.data, made.metadata.generation));
    let typed = gardens.get("small").await?;
    story.say("with a type", format!("{:?} {:?}", typed.spec, typed.status));
    gardens.create(&PostParams::default(), &garden("large", 9)).await?;
    for fields in ["spec.soil=loam", "spec.soil=sand", "spec.beds=2"] {
        let listed = gardens.list(&ListParams::default().fields(fields)).await;
        let told = listed.map(|list| names(&list));
        story.say(fields, told.unwrap_or_else(|error| refusal::<()>(Err(error))));
    }
    Ok(())
}

async fn wrong(story: &Story) -> Outcome {
    let kind = ApiResource::erase::<Garden>(&());
    let gardens = Api::<DynamicObject>::namespaced_with(story.client.clone(), NAMESPACE, &kind);
    let plants =
        |names: &[&str]| names.iter().map(|name| json!({ "name": name })).collect::<Value>();
    let specs = [
        ("wrong", json!({})),
        ("wrong", json!({ "beds": 11 })),
        // One at a time: of members of one object Go tells in any order.
        ("wrong", json!({ "beds": "many" })),
        ("wrong", json!({ "beds": 1, "plants": plants(&["ivy", "oak"]) })),
        ("wrong", json!({ "beds": 5, "plants": plants(&["X", "a b", "a-very-long-name"]) })),
        ("wrong", json!({ "beds": 9, "plants": plants(&["aa", "bb", "cc", "dd", "ee", "ff"]) })),
        ("eden", json!({ "beds": 1 })),
    ];
    for (name, spec) in specs {
        let object = DynamicObject::new(name, &kind).data(json!({ "spec": spec }));
        let refused = gardens.create(&PostParams::default(), &object).await;
        story.say(&format!("with {spec}"), refusal(refused));
    }
    let none = DynamicObject::new("wrong", &kind);
    story.say("without", refusal(gardens.create(&PostParams::default(), &none).await));
    let list = DynamicObject::new("wrong", &kind).data(json!({ "spec": [1] }));
    story.say("with a list", refusal(gardens.create(&PostParams::default(), &list).await));
    Ok(())
}

async fn patched(story: &Story, gardens: &Api<Garden>) -> Outcome {
    let plain = PatchParams::default();
    let sand = json!({ "spec": { "soil": "sand" } });
    let moved = gardens.patch("small", &plain, &Patch::Merge(&sand)).await;
    story.say("a rule of two states", refusal(moved));
    story.say("strategic", refusal(gardens.patch("small", &plain, &Patch::Strategic(&sand)).await));
    let fence = Patch::Merge(json!({ "spec": { "fence": true, "beds": 3 } }));
    let strict = PatchParams::default().validation_strict();
    story.say("strict", refusal(gardens.patch("small", &strict, &fence).await));
    let mut applied = garden("small", 4);
    applied.metadata.namespace = Some(NAMESPACE.to_owned());
    let apply = PatchParams::apply("gardener");
    let refused = gardens.patch("small", &apply, &Patch::Apply(&applied)).await;
    story.say("applied", refusal(refused));
    let applied = gardens.patch("small", &apply.force(), &Patch::Apply(&applied)).await?;
    story.say("by force", format!("{:?} {:?}", applied.spec, applied.metadata.generation));
    for managed in applied.managed_fields() {
        let fields = json(&managed.fields_v1)?;
        story.say("managed", format!("{:?} {:?} {fields}", managed.operation, managed.subresource));
    }
    Ok(())
}

async fn parts(story: &Story, gardens: &Api<Garden>) -> Outcome {
    let plain = PatchParams::default();
    let status = Patch::Merge(json!({ "spec": { "beds": 7 }, "status": { "ready": 1 } }));
    let patched = gardens.patch_status("small", &plain, &status).await?;
    let generation = patched.metadata.generation;
    story.say("status", format!("{:?} {:?} {generation:?}", patched.spec.beds, patched.status));
    for wrong in [json!({ "ready": "soon" }), json!({ "selector": { "b": 1 } })] {
        let patch = Patch::Merge(json!({ "status": wrong }));
        let refused = gardens.patch_status("small", &plain, &patch).await;
        story.say(&format!("a status with {wrong}"), refusal(refused));
    }
    let scale = gardens.get_scale("small").await?;
    story.say("scale", format!("{} {}", json(&scale.spec)?, json(&scale.status)?));
    let more = Patch::Merge(json!({ "spec": { "replicas": 6 } }));
    let scale = gardens.patch_scale("small", &plain, &more).await?;
    story.say("scaled", json(&scale.spec)?);
    let too_many = Patch::Merge(json!({ "spec": { "replicas": 60 } }));
    story.say("scaled too far", refusal(gardens.patch_scale("small", &plain, &too_many).await));
    let now = gardens.get("small").await?;
    story.say("after all", format!("{:?} {:?}", now.spec.beds, now.metadata.generation));
    Ok(())
}
