//! Bytes are whole, and what is asked for less than one of them is told: by containers, by claims
//! of volumes, by what runs pods.

use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::error::{child, item};

use super::items;
use crate::error::quoted;

/// The annotation that was there before the field.
const CLASS: &str = "volume.beta.kubernetes.io/storage-class";

/// Of an amount of bytes that is not whole.
pub(super) fn fraction(place: &str, amount: &Value) -> Option<String> {
    let amount = Quantity::from(amount.as_str()?);
    let is_whole = amount.amount().ok()?.milli_value() % 1000 == 0;
    let told = amount.canonical().ok().filter(|_| !is_whole)?;
    let told = quoted(told.as_str());
    Some(format!("{place}: fractional byte value {told} is invalid, must be an integer"))
}

/// `GetWarningsForPersistentVolumeClaim`.
pub(super) fn of_claim(claim: &Value) -> Vec<String> {
    let mut warnings = Vec::new();
    if !claim["metadata"]["annotations"][CLASS].is_null() {
        warnings.push(format!(
            "metadata.annotations[{CLASS}]: deprecated since v1.8; use \"storageClassName\" \
             attribute instead"
        ));
    }
    of_claim_spec(&claim["spec"], "spec", &mut warnings);
    warnings
}

/// `GetWarningsForPersistentVolumeClaimSpec`.
pub(super) fn of_claim_spec(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    for part in ["requests", "limits"] {
        let place = format!("{path}.resources.{part}[storage]");
        warnings.extend(fraction(&place, &spec["resources"][part]["storage"]));
    }
}

/// What a stateful set is warned of besides its template. Upstream leaves out where the spec of a
/// claim is when the set is made, and writes it as Go does when it changes.
pub(super) fn of_stateful_set(old: Option<&Value>, set: &Value) -> Vec<String> {
    let (mut warnings, spec) = (Vec::new(), &set["spec"]);
    for (index, claim) in items(&spec["volumeClaimTemplates"]).iter().enumerate() {
        let place = item("spec.volumeClaimTemplates", index);
        let place = if old.is_some() { child(&place, "Spec") } else { place };
        of_claim_spec(&claim["spec"], &place, &mut warnings);
    }
    if spec["revisionHistoryLimit"].as_i64().is_some_and(|limit| limit < 0) {
        warnings.push(
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; a \
             value >= 0 is recommended"
                .to_owned(),
        );
    }
    warnings
}
