//! Objects of built-in kinds: made, read, replaced, deleted.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::api::{ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams};
use kube::api::{PostParams, Preconditions};
use kube::core::GroupVersionKind;
use kube::{Api, ResourceExt};
use serde_json::json;

use crate::told::{NAMESPACE, Outcome, Story, json, map, named, names, refusal};

pub async fn tell(story: &Story) -> Outcome {
    made(story).await?;
    replaced(story).await?;
    defaults(story).await?;
    dynamic(story).await?;
    deleted(story).await
}

async fn made(story: &Story) -> Outcome {
    let (maps, create) = (story.api::<ConfigMap>(), PostParams::default());
    let a = maps.create(&create, &map("a", &[("color", "red")])).await?;
    let (labels, version) = (json(a.labels())?, a.resource_version().is_some());
    story.say("created", format!("{} {labels}, with a version: {version}", a.name_any()));
    story.say("again", refusal(maps.create(&create, &map("a", &[])).await));
    story.say("a bad name", refusal(maps.create(&create, &map("A_b", &[("-", "*")])).await));
    story.say("no name", refusal(maps.create(&create, &ConfigMap::default()).await));
    let mut generated = ConfigMap::default();
    generated.metadata.generate_name = Some("made-".to_owned());
    let name = maps.create(&create, &generated).await?.name_any();
    story.say("a name is made", format!("{} of {}", &name[..5], name.len()));
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    story.say("dry run", maps.create(&dry, &map("dry", &[])).await?.name_any());
    story.say("after it", format!("{:?}", maps.get_opt("dry").await?));
    story.say("not there", refusal(maps.get("nowhere").await));
    let metadata = maps.get_metadata("a").await?;
    let kind = metadata.types.as_ref().map(|types| types.kind.clone());
    story.say("metadata alone", format!("{kind:?} {}", json(metadata.labels())?));
    let elsewhere = Api::<ConfigMap>::namespaced(story.client.clone(), "nowhere");
    story.say("no namespace", refusal(elsewhere.create(&create, &map("a", &[])).await));
    Ok(())
}

async fn replaced(story: &Story) -> Outcome {
    let (maps, replace) = (story.api::<ConfigMap>(), PostParams::default());
    let old = maps.get("a").await?;
    let mut new = old.clone();
    new.data = Some([("key".to_owned(), "value".to_owned())].into());
    let new = maps.replace("a", &replace, &new).await?;
    story.say("replaced", format!("{:?}", new.data));
    story.say("of an old version", refusal(maps.replace("a", &replace, &old).await));
    story.say("of another name", refusal(maps.replace("b", &replace, &new).await));
    let mut entry = maps
        .entry("a")
        .await?
        .and_modify(|map| _ = map.labels_mut().insert("color".into(), "blue".into()))
        .or_insert(ConfigMap::default);
    entry.commit(&replace).await?;
    story.say("an entry", json(entry.get().labels())?);
    let mut entry = maps.entry("late").await?.or_insert(ConfigMap::default);
    entry.commit(&replace).await?;
    story.say("an entry that was empty", entry.get().name_any());
    Ok(())
}

/// What the server adds.
async fn defaults(story: &Story) -> Outcome {
    let service = json!({
        "metadata": { "name": "web" },
        "spec": { "selector": { "app": "web" }, "ports": [{ "port": 80 }] },
    });
    let mut service: Service = story.made(service).await?;
    let spec = service.spec.as_mut().ok_or("a service without spec")?;
    story.say("has an address", spec.cluster_ip.take().is_some());
    spec.cluster_ips = None;
    story.say("a service", json(spec)?);
    let deployment: Deployment = story.made(deployment("web")).await?;
    story.say("a deployment", json(&deployment.spec)?);
    story.say("its generation", format!("{:?}", deployment.metadata.generation));
    let mut wrong = deployment.spec.ok_or("a deployment without spec")?;
    wrong.selector.match_labels = Some([("app".to_owned(), "other".to_owned())].into());
    wrong.replicas = Some(-1);
    let wrong = Deployment { metadata: named("wrong"), spec: Some(wrong), status: None };
    let refused = story.api::<Deployment>().create(&PostParams::default(), &wrong).await;
    story.say("a wrong one", refusal(refused));
    Ok(())
}

pub fn deployment(name: &str) -> serde_json::Value {
    let containers =
        [json!({ "name": "main", "image": "nginx" }), json!({ "name": "log", "image": "busybox" })];
    json!({
        "metadata": { "name": name },
        "spec": {
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name } },
                "spec": { "containers": containers },
            },
        },
    })
}

/// Without a type.
async fn dynamic(story: &Story) -> Outcome {
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Secret"));
    let secrets = Api::<DynamicObject>::namespaced_with(story.client.clone(), NAMESPACE, &kind);
    let secret = DynamicObject::new("s", &kind).data(json!({ "stringData": { "k": "v" } }));
    let secret = secrets.create(&PostParams::default(), &secret).await?;
    story.say("dynamic", json(&secret.data)?);
    let listed = secrets.list(&ListParams::default()).await?;
    story.say("dynamic, listed", format!("{} {:?}", names(&listed), listed.types));
    Ok(())
}

async fn deleted(story: &Story) -> Outcome {
    let maps = story.api::<ConfigMap>();
    let uid = "00000000-0000-0000-0000-000000000000".to_owned();
    let only = Preconditions { uid: Some(uid), ..Preconditions::default() };
    let wrong = DeleteParams::default().preconditions(only);
    story.say("deleted, of another uid", refusal(maps.delete("a", &wrong).await));
    let status = maps.delete("a", &DeleteParams::default()).await?.right();
    let status = status.ok_or("the object is answered")?;
    let (summary, details) = (status.status, status.details.ok_or("no details")?);
    story.say("deleted", format!("{summary:?} {} {}", details.kind, details.name));
    story.say("again", refusal(maps.delete("a", &DeleteParams::default()).await));

    let mut held = map("held", &[]);
    held.finalizers_mut().push("example.com/hold".to_owned());
    maps.create(&PostParams::default(), &held).await?;
    let held = maps.delete("held", &DeleteParams::default()).await?.left();
    let held = held.ok_or("the object is not answered")?;
    story.say("held by a finalizer", held.metadata.deletion_timestamp.is_some());
    let free = Patch::Merge(json!({ "metadata": { "finalizers": null } }));
    maps.patch("held", &PatchParams::default(), &free).await?;
    story.say("no longer held", format!("{:?}", maps.get_opt("held").await?));

    for name in ["c1", "c2", "c3"] {
        maps.create(&PostParams::default(), &map(name, &[("many", "yes")])).await?;
    }
    let many = ListParams::default().labels("many=yes");
    let gone = maps.delete_collection(&DeleteParams::default(), &many).await?;
    story.say("many", gone.either(|list| names(&list), |status| format!("{status:?}")));
    story.say("left of them", maps.list(&many).await?.items.len());
    Ok(())
}
