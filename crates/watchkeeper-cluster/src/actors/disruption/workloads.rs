//! How many pods the workloads of a budget ask for.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet, StatefulSet};
use watchkeeper_api::core::v1::{Pod, ReplicationController};
use watchkeeper_api::meta::v1::LabelSelector;
use watchkeeper_api::policy::v1::PodDisruptionBudget;
use watchkeeper_api::{Object, ObjectKey, Owner};
use watchkeeper_cache::{Item, Watch};
use watchkeeper_client::RestMapper;
use watchkeeper_controller::{Context, EventType};
use watchkeeper_manager::Manager;

/// The workloads that are known by their kind, and what finds those that are not.
#[derive(Debug)]
pub(super) struct Workloads {
    pub(super) deployments: Watch<Deployment>,
    pub(super) replica_sets: Watch<ReplicaSet>,
    pub(super) stateful_sets: Watch<StatefulSet>,
    pub(super) controllers: Watch<ReplicationController>,
    /// Keeps what it has learned of the kinds that there are.
    kinds: OnceLock<RestMapper>,
}

impl Workloads {
    pub(super) fn new(manager: &Manager) -> Self {
        Self {
            deployments: manager.watch(),
            replica_sets: manager.watch(),
            stateful_sets: manager.watch(),
            controllers: manager.watch(),
            kinds: OnceLock::new(),
        }
    }

    /// The sum of what the workloads of these pods ask for. Pods of nobody do not count, which is told.
    ///
    /// # Errors
    ///
    /// What keeps a pod's workload from being known.
    pub(super) async fn scale(
        &self,
        budget: &PodDisruptionBudget,
        pods: &[Arc<Pod>],
        ctx: &Context,
    ) -> Result<i32, String> {
        let mut scales: BTreeMap<String, i32> = BTreeMap::new();
        let mut of_nobody = 0;
        for pod in pods {
            let Some(owner) = pod.controller() else {
                of_nobody += 1;
                continue;
            };
            if scales.contains_key(owner.uid) {
                continue;
            }
            let (uid, scale) = self.of_owner(pod, owner, ctx).await?;
            scales.insert(uid, scale);
        }
        if of_nobody > 0 {
            ctx.event(budget, EventType::Warning, "UnmanagedPods", unmanaged(budget));
        }
        Ok(scales.into_values().fold(0, i32::saturating_add))
    }

    /// The workload of a pod, by its uid, and what it asks for.
    async fn of_owner(
        &self,
        pod: &Pod,
        owner: Owner<'_>,
        ctx: &Context,
    ) -> Result<(String, i32), String> {
        let namespace = pod.namespace().unwrap_or_default();
        let replicas = |replicas: Option<i32>| replicas.unwrap_or(1);
        let group = owner.api_version.split_once('/').map_or("", |(group, _)| group);
        let known = match (group, owner.kind) {
            ("apps", "ReplicaSet") => find(&self.replica_sets, namespace, owner).and_then(|set| {
                let deployment = set.controller().filter(|owner| owner.kind == "Deployment");
                let Some(owner) = deployment else {
                    return Some((set.uid().to_owned(), replicas(set.spec.replicas)));
                };
                let deployment = find(&self.deployments, namespace, owner)?;
                Some((deployment.uid().to_owned(), replicas(deployment.spec.replicas)))
            }),
            ("apps", "StatefulSet") => find(&self.stateful_sets, namespace, owner)
                .map(|set| (set.uid().to_owned(), replicas(set.spec.replicas))),
            ("", "ReplicationController") => find(&self.controllers, namespace, owner)
                .map(|one| (one.uid().to_owned(), replicas(one.spec.replicas))),
            _ => self.of_any(namespace, group, owner, ctx).await?,
        };
        known.ok_or_else(|| format!("found no controllers for pod \"{}\"", pod.name()))
    }

    /// What a workload of any other kind asks for, if that can be scaled; `None` if it is not there.
    async fn of_any(
        &self,
        namespace: &str,
        group: &str,
        owner: Owner<'_>,
        ctx: &Context,
    ) -> Result<Option<(String, i32)>, String> {
        let kinds = self.kinds.get_or_init(|| ctx.client().mapper());
        let kind = owner.kind.to_lowercase();
        let kind = if group.is_empty() { kind } else { format!("{kind}.{group}") };
        let found = kinds.resource(&kind).await.map_err(|error| match error.is_not_found() {
            true => {
                let Owner { kind, api_version, .. } = owner;
                format!("no matches for kind \"{kind}\" in version \"{api_version}\"")
            }
            false => error.to_string(),
        })?;
        if found.part("scale").is_none() {
            let resource = found.kind.group_resource();
            return Err(format!("{resource} does not implement the scale subresource"));
        }
        let api = ctx.client().dynamic(found.kind).namespace(namespace);
        match api.get_scale(owner.name).await {
            Ok(scale) if scale.metadata.uid == *owner.uid => {
                Ok(Some((owner.uid.to_owned(), scale.spec.replicas)))
            }
            Ok(_) => Ok(None),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// What upstream says of pods without a controller.
fn unmanaged(budget: &PodDisruptionBudget) -> String {
    let selector = budget.spec.selector.as_deref().map(text).unwrap_or_default();
    format!(
        "Pods selected by this PodDisruptionBudget (selector: {selector}) were found to be unmanaged. \
         As a result, the status of the PDB cannot be calculated correctly, which may result in \
         undefined behavior. To account for these pods please set \".spec.minAvailable\" field of the \
         PDB to an integer value."
    )
}

/// A selector as Go prints it.
pub(super) fn text(selector: &LabelSelector) -> String {
    let labels = selector.match_labels.iter().map(|(key, value)| format!("{key}: {value},"));
    let requirements = selector.match_expressions.iter().map(|one| {
        let values: Vec<&str> = one.values.iter().map(|value| &**value).collect();
        let (key, operator, values) = (&one.key, &one.operator, values.join(" "));
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
    });
    let (labels, requirements): (String, String) = (labels.collect(), requirements.collect());
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},\
         MatchExpressions:[]LabelSelectorRequirement{{{requirements}}},}}"
    )
}

/// The very owner, if it is there.
fn find<K: Item + Object>(watch: &Watch<K>, namespace: &str, owner: Owner<'_>) -> Option<Arc<K>> {
    let found = watch.peek(ObjectKey::new(namespace, owner.name));
    found.filter(|found| found.uid() == owner.uid)
}
