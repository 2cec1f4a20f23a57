//! What there is.

use kube::core::{GroupVersion, GroupVersionKind};
use kube::discovery::{ApiCapabilities, ApiGroup, ApiResource, Discovery, Scope, oneshot};

use crate::told::{Outcome, Story, refusal};

pub async fn tell(story: &Story) -> Outcome {
    let client = &story.client;
    let version = client.apiserver_version().await?;
    story.say("version", format!("{}.{}", version.major, version.minor));

    let found = Discovery::new(client.clone()).run().await?;
    let told: Vec<String> = found.groups_alphabetical().into_iter().flat_map(group).collect();
    for line in &told {
        story.say("kind", line);
    }
    let at_once = Discovery::new(client.clone()).run_aggregated().await?;
    let again: Vec<String> = at_once.groups_alphabetical().into_iter().flat_map(group).collect();
    let lost: Vec<&String> = told.iter().filter(|line| !again.contains(line)).collect();
    let new: Vec<&String> = again.iter().filter(|line| !told.contains(line)).collect();
    story.say("aggregated, only one by one", format!("{lost:?}"));
    story.say("aggregated, only at once", format!("{new:?}"));

    let deployment = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let (resource, _) = found.resolve_gvk(&deployment).ok_or("no deployments")?;
    story.say("resolved", &resource.plural);
    let (resource, able) = oneshot::pinned_kind(client, &deployment).await?;
    story.say("pinned kind", kind(&resource, &able));
    let autoscaling = oneshot::group(client, "autoscaling").await?;
    let versions: Vec<&str> = autoscaling.versions().collect();
    let preferred = autoscaling.preferred_version_or_latest();
    story.say("one group", format!("{preferred} of {versions:?}"));
    let missing = GroupVersion::gv("nowhere.example.com", "v1");
    story.say("no group", refusal(oneshot::pinned_group(client, &missing).await));
    Ok(())
}

fn group(group: &ApiGroup) -> Vec<String> {
    let versions = group.versions().flat_map(|version| group.versioned_resources(version));
    let mut kinds: Vec<String> = versions.map(|(resource, able)| kind(&resource, &able)).collect();
    kinds.sort();
    kinds
}

/// A kind with all that can be done to it.
pub fn kind(resource: &ApiResource, able: &ApiCapabilities) -> String {
    let scope = if able.scope == Scope::Namespaced { "namespaced" } else { "cluster" };
    let mut parts: Vec<String> = able
        .subresources
        .iter()
        .map(|(part, able)| format!("{} {}({})", part.plural, part.kind, verbs(able)))
        .collect();
    parts.sort();
    let ApiResource { api_version, kind, plural, .. } = resource;
    format!("{api_version} {kind} {plural} {scope} ({}) {}", verbs(able), parts.join(" "))
}

fn verbs(able: &ApiCapabilities) -> String {
    let mut verbs = able.operations.clone();
    verbs.sort();
    verbs.join(",")
}
