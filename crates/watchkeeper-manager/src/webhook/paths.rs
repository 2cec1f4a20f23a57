//! Where webhooks are asked.

use watchkeeper_api::Kind;

/// Where conversions between versions are asked for, whatever the kind.
pub const CONVERT_PATH: &str = "/convert";

/// Where a kind is defaulted: `/mutate-<group>-<version>-<kind>`, the dots of the group as dashes (upstream:
/// `generateMutatePath`).
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_manager::webhook::mutate_path;
///
/// assert_eq!(mutate_path(&Deployment::KIND), "/mutate-apps-v1-deployment");
/// assert_eq!(mutate_path(&Pod::KIND), "/mutate--v1-pod"); // the group without a name
/// ```
#[must_use]
pub fn mutate_path(kind: &Kind) -> String {
    path("mutate", kind)
}

/// Where a kind is validated: `/validate-<group>-<version>-<kind>` (upstream: `generateValidatePath`).
#[must_use]
pub fn validate_path(kind: &Kind) -> String {
    path("validate", kind)
}

fn path(what: &str, kind: &Kind) -> String {
    let (group, version) = (kind.group.replace('.', "-"), &kind.version);
    format!("/{what}-{group}-{version}-{}", kind.kind.to_lowercase())
}
