//! Who converts between the versions of a definition, and which versions must stay for what is stored.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::super::{Check, Place, names, webhooks};

/// The versions of reviews that are known.
const KNOWN: [&str; 2] = ["v1", "v1beta1"];

/// `spec.conversion`. Places are told as the first version of the API had them.
pub(super) fn conversion(check: &mut Check<'_>) {
    let place = check.at("spec.conversion");
    if place.is_missing() {
        return;
    }
    let strategy = place.member("strategy");
    check.one_of(&strategy, &["None", "Webhook"]);
    let webhook = place.member("webhook");
    let client = Place {
        value: webhook.member("clientConfig").value,
        path: "spec.conversion.webhookClientConfig".to_owned(),
    };
    let versions = Place {
        value: webhook.member("conversionReviewVersions").value,
        path: "spec.conversion.conversionReviewVersions".to_owned(),
    };
    if strategy.text() == "Webhook" {
        whom_to_ask(check, &client);
        review_versions(check, &versions);
        return;
    }
    let detail = "should not be set when strategy is not set to Webhook";
    for unwanted in [client, versions].into_iter().filter(|place| !place.is_empty()) {
        check.push(FieldError::forbidden(unwanted.path, detail));
    }
}

fn whom_to_ask(check: &mut Check<'_>, client: &Place<'_>) {
    if client.is_missing() {
        let detail = "required when strategy is set to Webhook";
        return check.push(FieldError::required(&*client.path, detail));
    }
    webhooks::client(check, client);
}

fn review_versions(check: &mut Check<'_>, place: &Place<'_>) {
    let versions = place.items();
    if versions.is_empty() {
        return check.push(FieldError::required(&*place.path, ""));
    }
    let mut seen = BTreeSet::new();
    for version in &versions {
        if !seen.insert(version.text()) {
            check.push(FieldError::invalid(&*version.path, version.text(), "duplicate version"));
            continue;
        }
        check.all(version, version.text(), names::label_1035(version.text()));
    }
    if !seen.iter().any(|version| KNOWN.contains(version)) && !was_unknown(check) {
        let detail = format!("must include at least one of {}", KNOWN.join(", "));
        let value = place.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*place.path, value, detail));
    }
}

/// What was no version before need not become one.
fn was_unknown(check: &Check<'_>) -> bool {
    let versions = check.old.and_then(|old| {
        old.pointer("/spec/conversion/webhook/conversionReviewVersions")?.as_array()
    });
    let is_known = |version: &Value| version.as_str().is_some_and(|text| KNOWN.contains(&text));
    versions.is_some_and(|all| !all.is_empty() && !all.iter().any(is_known))
}

/// What is stored in a version can be read as long as the version is there.
pub(super) fn stored_versions(check: &mut Check<'_>) {
    if check.old.is_none() {
        return;
    }
    let (stored, versions) = (check.at("status.storedVersions"), check.at("spec.versions").items());
    for version in stored.items() {
        let name = version.text();
        if versions.iter().all(|known| known.member("name").text() != name) {
            let detail = format!(
                "missing from spec.versions; {name} was previously a storage version, and must \
                 remain in spec.versions until a storage migration ensures no data remains \
                 persisted in {name} and removes {name} from status.storedVersions"
            );
            check.push(FieldError::invalid(&*version.path, name, detail));
        }
    }
}
