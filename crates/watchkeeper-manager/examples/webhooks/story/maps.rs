//! Maps that are given a colour, and may only be red.

use std::sync::Arc;

use tokio::time::sleep;
use watchkeeper_api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::LabelSelector;
use watchkeeper_api::{Object as _, object};
use watchkeeper_client::{
    ApplyOptions, Asked, Client, CreateOptions, DeleteOptions, Error, ListOptions, NoticeHandler,
    Patch, PatchOptions, Result, Warning,
};
use watchkeeper_manager::webhook::{FieldError, Refusal, Review, Validator, Webhooks, defaulting};

use super::{NAMESPACE, PATIENCE, SOON, Told, create};

const COLOUR: &str = "colour";

/// They may be red, and those that are kept may not go.
struct Red;

fn is_red(map: &ConfigMap) -> Result<(), Refusal> {
    match map.data.get(COLOUR).map(|colour| &**colour) {
        Some("red") => Ok(()),
        other => {
            let wrong = FieldError::not_supported("data[colour]", other.unwrap_or(""), &["red"]);
            Err(Refusal::invalid(map, [wrong]))
        }
    }
}

impl Validator<ConfigMap> for Red {
    async fn validate_create(&self, map: &ConfigMap, _: &Review) -> Result<(), Refusal> {
        is_red(map)
    }

    async fn validate_update(
        &self,
        old: &ConfigMap,
        new: &ConfigMap,
        review: &Review,
    ) -> Result<(), Refusal> {
        if old.data == new.data && !review.is_dry_run() {
            review.warn("nothing but its metadata changes");
        }
        is_red(new)
    }

    async fn validate_delete(&self, map: &ConfigMap, _: &Review) -> Result<(), Refusal> {
        match map.label("kept") {
            Some(why) => Err(Refusal::denied(format!("it is kept: {why}"))),
            None => Ok(()),
        }
    }
}

/// What the program answers.
pub(super) fn webhooks() -> Webhooks {
    let given = defaulting(|map: &mut ConfigMap, review| {
        if review.name == "bad" {
            // Without a word on stderr.
            std::panic::resume_unwind(Box::new("so bad"));
        }
        let colour = map.data.slot(COLOUR);
        if colour.is_empty() {
            *colour = "red".into();
            review.warn("it shall be red");
        }
        Ok(())
    });
    Webhooks::new().defaulter(given).validator(Red)
}

/// Of this namespace only: others have maps of their own.
fn here() -> Option<Box<LabelSelector>> {
    let selector = object!(LabelSelector {
        match_labels: { "kubernetes.io/metadata.name": NAMESPACE },
    });
    Some(Box::new(selector))
}

/// Asked about maps of this namespace.
pub(super) fn mutating(mut of: MutatingWebhookConfiguration) -> MutatingWebhookConfiguration {
    of.webhooks.iter_mut().for_each(|webhook| webhook.namespace_selector = here());
    of
}

/// The same, also about those that go.
pub(super) fn validating(mut of: ValidatingWebhookConfiguration) -> ValidatingWebhookConfiguration {
    for webhook in &mut of.webhooks {
        webhook.namespace_selector = here();
        for rule in &mut webhook.rules {
            rule.operations.push("DELETE".into());
        }
    }
    of
}

pub(super) fn map(name: &str, colour: &str) -> ConfigMap {
    object!(ConfigMap {
        metadata: { name: name, namespace: NAMESPACE }, data: { "colour": colour },
    })
}

/// Waits until the server asks, and trusts who answers: it hears of configurations a moment later.
pub(super) async fn are_asked(client: &Client) -> Result<()> {
    // Without ears: warnings of tries are no part of the story.
    let maps = client.clone().notices(Arc::new(Deaf)).api::<ConfigMap>();
    let maps = maps.namespace(NAMESPACE);
    let (red, blue) = (map("try", ""), map("try", "blue"));
    let options = CreateOptions::dry_run();
    for _ in 0..PATIENCE {
        let given = maps.create(&red, &options).await;
        let refused = maps.create(&blue, &options).await;
        let is_given =
            given.is_ok_and(|map| map.data.get(COLOUR).is_some_and(|found| &**found == "red"));
        if is_given && refused.is_err_and(|error| error.is_invalid()) {
            return Ok(());
        }
        sleep(SOON).await;
    }
    Err(Error::other("the server does not ask"))
}

struct Deaf;

impl NoticeHandler for Deaf {
    fn warning(&self, _: &Asked<'_>, _: &Warning) {}
}

pub(super) async fn walk(client: &Client, told: &Told) -> Result<()> {
    let maps = client.api::<ConfigMap>().namespace(NAMESPACE);
    let colour = |map: &ConfigMap| map.data.get(COLOUR).map(ToString::to_string);
    let given = create(client, &map("a", "")).await?;
    told.tell(format!("created without a colour: {:?}", colour(&given)));
    told.refused("created blue", create(client, &map("b", "blue")).await);
    told.refused("of a defaulter that panics", create(client, &map("bad", "")).await);
    let tried = maps.create(&map("c", ""), &CreateOptions::dry_run()).await?;
    told.tell(format!("tried: {:?}", colour(&tried)));
    told.refused("tried, and read", maps.get("c").await);

    let blue = Patch::merge(&serde_json::json!({ "data": { COLOUR: "blue" } }));
    told.refused("painted blue", maps.patch("a", &blue, &PatchOptions::default()).await);
    let none = Patch::merge(&serde_json::json!({ "data": { COLOUR: null } }));
    let again = maps.patch("a", &none, &PatchOptions::default()).await?;
    told.tell(format!("its colour taken: {:?}", colour(&again)));
    let label =
        Patch::merge(&serde_json::json!({ "metadata": { "labels": { "kept": "for-now" } } }));
    maps.patch("a", &label, &PatchOptions::default()).await?;
    told.refused("deleted while it is kept", maps.delete("a", &DeleteOptions::default()).await);

    let mut applied = map("applied", "");
    applied.data = watchkeeper_api::Map::from([("size", "1")]);
    let applied = maps.apply(&applied, &ApplyOptions::default()).await?;
    told.tell(format!("applied: {:?}", applied.data));
    told.refused(
        "all deleted",
        maps.delete_collection(&DeleteOptions::default(), &ListOptions::default()).await,
    );
    let left = maps.list_all(&ListOptions::default()).await?.items;
    let left = left.iter().map(|map| map.name()).filter(|name| !name.starts_with("kube-"));
    told.tell(format!("left: {:?}", left.collect::<Vec<_>>()));
    let label = Patch::merge(&serde_json::json!({ "metadata": { "labels": null } }));
    maps.patch("a", &label, &PatchOptions::default()).await?;
    maps.delete("a", &DeleteOptions::default()).await?;
    Ok(())
}
