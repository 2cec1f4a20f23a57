//! What stays of a stateful set's pod: its number, its names, its claims.

use watchkeeper_api::apps::v1::StatefulSet;
use watchkeeper_api::core::v1::{
    PersistentVolumeClaim, PersistentVolumeClaimVolumeSource, Pod, PodTemplateSpec, Volume,
};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Object, Shared};

use crate::actors::revisions::HASH_LABEL;
use crate::actors::template::pod_from;

/// The labels of a pod that tell its name and its number.
const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
const POD_INDEX: &str = "apps.kubernetes.io/pod-index";

/// The number of the set's pod of this name; `None` if no pod of the set is called so.
pub(crate) fn ordinal(set: &StatefulSet, name: &str) -> Option<i64> {
    number_after(name.strip_prefix(set.name())?)
}

/// What `-7` says.
fn number_after(rest: &str) -> Option<i64> {
    let digits = rest.strip_prefix('-')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<i32>().ok().filter(|_| plain).map(i64::from)
}

/// The numbers that the set asks for: the first one, and the one after the last.
pub(crate) fn range(set: &StatefulSet) -> std::ops::Range<i64> {
    let start = set.spec.ordinals.as_ref().map_or(0, |ordinals| i64::from(ordinals.start));
    start..start + i64::from(set.spec.replicas.unwrap_or(1).max(0))
}

/// What the claim of a template is called for the pod of this number.
fn claim_name(set: &StatefulSet, template: &PersistentVolumeClaim, ordinal: i64) -> String {
    format!("{}-{}-{ordinal}", template.name(), set.name())
}

/// The names of the claims of the pod of this number.
pub(crate) fn claim_names(set: &StatefulSet, ordinal: i64) -> Vec<String> {
    let templates = set.spec.volume_claim_templates.iter();
    templates.map(|template| claim_name(set, template, ordinal)).collect()
}

/// Whether a claim of this name is one of the set's.
pub(crate) fn uses(set: &StatefulSet, claim: &str) -> bool {
    set.spec.volume_claim_templates.iter().any(|template| {
        let rest = claim.strip_prefix(template.name()).and_then(|rest| rest.strip_prefix('-'));
        rest.and_then(|rest| ordinal(set, rest)).is_some()
    })
}

/// The claims of the pod of this number.
pub(crate) fn claims(set: &StatefulSet, ordinal: i64) -> Vec<PersistentVolumeClaim> {
    let selected = set.spec.selector.iter().flat_map(|selector| selector.match_labels.iter());
    let claim = |template: &PersistentVolumeClaim| {
        let mut labels = template.metadata.labels.clone();
        for (key, value) in selected.clone() {
            labels.insert(key, value);
        }
        PersistentVolumeClaim {
            metadata: ObjectMeta {
                name: claim_name(set, template, ordinal).as_str().into(),
                namespace: set.metadata.namespace.clone(),
                labels,
                annotations: template.metadata.annotations.clone(),
                finalizers: template.metadata.finalizers.clone(),
                ..ObjectMeta::default()
            },
            spec: template.spec.clone(),
            ..PersistentVolumeClaim::default()
        }
    };
    set.spec.volume_claim_templates.iter().map(claim).collect()
}

/// The set's pod of this number, from the template of a revision.
pub(crate) fn pod_of(
    set: &StatefulSet,
    template: &PodTemplateSpec,
    revision: &str,
    ordinal: i64,
) -> Pod {
    let mut pod = pod_from(set, template);
    pod.metadata.name = format!("{}-{ordinal}", set.name()).as_str().into();
    pod.spec.hostname = pod.metadata.name.clone();
    pod.spec.subdomain = set.spec.service_name.clone();
    pod.metadata.labels.insert(HASH_LABEL, revision);
    identify(&mut pod, set, ordinal);
    pod
}

/// Gives a pod the labels and volumes that one of this number has.
pub(crate) fn identify(pod: &mut Pod, set: &StatefulSet, ordinal: i64) {
    pod.metadata.labels.insert(POD_NAME, pod.metadata.name.clone());
    pod.metadata.labels.insert(POD_INDEX, ordinal.to_string().as_str());
    let templates = &set.spec.volume_claim_templates;
    let claimed = templates.iter().map(|template| Volume {
        name: template.metadata.name.clone(),
        persistent_volume_claim: Some(Box::new(PersistentVolumeClaimVolumeSource {
            claim_name: claim_name(set, template, ordinal).as_str().into(),
            ..PersistentVolumeClaimVolumeSource::default()
        })),
        ..Volume::default()
    });
    let is_claimed = |volume: &&Shared<Volume>| {
        templates.iter().any(|template| template.metadata.name == volume.name)
    };
    let others = pod.spec.volumes.iter().filter(|volume| !is_claimed(volume)).cloned();
    let volumes = claimed.map(Shared::from).chain(others).collect::<Vec<_>>();
    pod.spec.volumes = volumes.into();
}

/// Whether the pod has the labels and volumes of its number.
pub(crate) fn is_identified(pod: &Pod, set: &StatefulSet, ordinal: i64) -> bool {
    let claims = |template: &PersistentVolumeClaim| {
        let name = claim_name(set, template, ordinal);
        pod.spec.volumes.iter().any(|volume| {
            let claim = volume.persistent_volume_claim.as_ref();
            volume.name == template.metadata.name && claim.is_some_and(|it| *it.claim_name == *name)
        })
    };
    pod.label(POD_NAME) == Some(pod.name()) && set.spec.volume_claim_templates.iter().all(claims)
}
