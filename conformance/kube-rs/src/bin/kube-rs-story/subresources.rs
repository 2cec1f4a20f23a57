//! Parts of objects that are asked for by themselves.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::{Node, ServiceAccount};
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, ResourceExt};
use serde_json::json;

use crate::objects::deployment;
use crate::told::{Outcome, Story, json, named, refusal};

pub async fn tell(story: &Story) -> Outcome {
    story.made::<Deployment>(deployment("parts")).await?;
    let deployments = story.api::<Deployment>();
    status(story, &deployments).await?;
    scale(story, &deployments).await?;
    let restarted = deployments.restart("parts").await?;
    let template = restarted.spec.and_then(|spec| spec.template.metadata);
    let notes = template.and_then(|metadata| metadata.annotations).unwrap_or_default();
    story.say("restarted", notes.into_keys().collect::<Vec<_>>().join(" "));
    token(story).await?;
    node(story).await
}

async fn status(story: &Story, deployments: &Api<Deployment>) -> Outcome {
    let merge =
        json!({ "spec": { "replicas": 7 }, "status": { "replicas": 3, "readyReplicas": 2 } });
    let patch = Patch::Merge(&merge);
    let patched = deployments.patch_status("parts", &PatchParams::default(), &patch).await?;
    let replicas = patched.spec.and_then(|spec| spec.replicas);
    story.say("patched", format!("{}, spec {replicas:?}", json(&patched.status)?));
    let mut read = deployments.get_status("parts").await?;
    if let Some(status) = &mut read.status {
        status.ready_replicas = Some(3);
    }
    read.metadata.labels = Some([("label".to_owned(), "of status".to_owned())].into());
    let replaced = deployments.replace_status("parts", &PostParams::default(), &read).await?;
    let labels = replaced.labels().len();
    let generation = replaced.metadata.generation;
    story.say("replaced", format!("{}, {labels} labels, {generation:?}", json(&replaced.status)?));
    let wrong = json!({ "status": { "replicas": -1 } });
    let (plain, wrong) = (PatchParams::default(), Patch::Merge(&wrong));
    story.say("a wrong one", refusal(deployments.patch_status("parts", &plain, &wrong).await));
    Ok(())
}

async fn scale(story: &Story, deployments: &Api<Deployment>) -> Outcome {
    let scale = deployments.get_scale("parts").await?;
    story.say("scale", format!("{} {}", json(&scale.spec)?, json(&scale.status)?));
    let more = Patch::Merge(json!({ "spec": { "replicas": 5 } }));
    let mut scale = deployments.patch_scale("parts", &PatchParams::default(), &more).await?;
    story.say("patched scale", json(&scale.spec)?);
    scale.spec.get_or_insert_default().replicas = Some(2);
    let scaled = deployments.replace_scale("parts", &PostParams::default(), &scale).await?;
    story.say("replaced scale", json(&scaled.spec)?);
    scale.spec.get_or_insert_default().replicas = Some(-2);
    scale.metadata.resource_version = None;
    let refused = deployments.replace_scale("parts", &PostParams::default(), &scale).await;
    story.say("a wrong scale", refusal(refused));
    let now = deployments.get("parts").await?;
    let replicas = now.spec.and_then(|spec| spec.replicas);
    story.say("after all", format!("{replicas:?} {:?}", now.metadata.generation));
    Ok(())
}

async fn token(story: &Story) -> Outcome {
    let accounts = story.api::<ServiceAccount>();
    let account = ServiceAccount { metadata: named("gardener"), ..ServiceAccount::default() };
    accounts.create(&PostParams::default(), &account).await?;
    let spec = TokenRequestSpec {
        audiences: Some(vec!["story".to_owned()]),
        expiration_seconds: Some(1200),
        ..TokenRequestSpec::default()
    };
    let asked = TokenRequest { spec: Some(spec), ..TokenRequest::default() };
    let given = accounts.create_token_request("gardener", &PostParams::default(), &asked).await?;
    let parts = given.status.and_then(|status| status.token).map(|token| token.split('.').count());
    story.say("a token", format!("{} {parts:?} parts", json(&given.spec)?));
    Ok(())
}

async fn node(story: &Story) -> Outcome {
    let nodes = Api::<Node>::all(story.client.clone());
    let node = Node { metadata: named("shed"), ..Node::default() };
    nodes.create(&PostParams::default(), &node).await?;
    for cordoned in [nodes.cordon("shed").await?, nodes.uncordon("shed").await?] {
        let spec = cordoned.spec.unwrap_or_default();
        story.say("cordoned", spec.unschedulable.unwrap_or_default());
    }
    Ok(())
}
