//! Pods as their templates have them.

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{Pod, PodTemplateSpec};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_controller::controlled_by;

/// A pod from the template of its owner; the server completes the name (upstream: `GetPodFromTemplate`).
pub(super) fn pod_from(owner: &impl Object, template: &PodTemplateSpec) -> Pod {
    Pod {
        metadata: ObjectMeta {
            generate_name: format!("{}-", owner.name()).as_str().into(),
            namespace: owner.namespace().unwrap_or_default().into(),
            labels: template.metadata.labels.clone(),
            annotations: template.metadata.annotations.clone(),
            finalizers: template.metadata.finalizers.clone(),
            owner_references: [controlled_by(owner)].into(),
            ..ObjectMeta::default()
        },
        spec: template.spec.clone(),
        ..Pod::default()
    }
}
