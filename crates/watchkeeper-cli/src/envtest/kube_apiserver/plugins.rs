//! Admission plugins: which there are, and which may be asked for or done without
//! (`kubernetes/pkg/kubeapiserver/options/plugins.go`).

use super::super::flags::Flags;
use crate::Outcome;

/// What our server has of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    /// It is always on.
    Always,
    /// It is on or off.
    Switch,
    /// It does nothing that others do not do anyhow.
    Nothing,
    /// It is not there. The real server has it on unless told otherwise, so asking for it says nothing new.
    NotThere,
    /// It is not there, nor on at the real server unless somebody asks for it, and so means it.
    OnlyIfAsked,
}

const SERVICE_ACCOUNT: &str = "ServiceAccount";

/// Every plugin of the real server.
const PLUGINS: &[(&str, Has)] = &[
    ("AlwaysAdmit", Has::Nothing),
    ("AlwaysDeny", Has::OnlyIfAsked),
    ("AlwaysPullImages", Has::OnlyIfAsked),
    ("CertificateApproval", Has::NotThere),
    ("CertificateSigning", Has::NotThere),
    ("CertificateSubjectRestriction", Has::NotThere),
    ("ClusterTrustBundleAttest", Has::NotThere),
    ("DefaultIngressClass", Has::NotThere),
    ("DefaultStorageClass", Has::Always),
    ("DefaultTolerationSeconds", Has::Always),
    ("DenyServiceExternalIPs", Has::OnlyIfAsked),
    ("EventRateLimit", Has::OnlyIfAsked),
    ("ExtendedResourceToleration", Has::OnlyIfAsked),
    ("ImagePolicyWebhook", Has::OnlyIfAsked),
    ("JobValidation", Has::NotThere),
    ("LimitPodHardAntiAffinityTopology", Has::OnlyIfAsked),
    ("LimitRanger", Has::Always),
    ("MutatingAdmissionPolicy", Has::Always),
    ("MutatingAdmissionWebhook", Has::Always),
    ("NamespaceAutoProvision", Has::OnlyIfAsked),
    ("NamespaceExists", Has::Nothing),
    ("NamespaceLifecycle", Has::Always),
    ("NodeDeclaredFeatureValidator", Has::NotThere),
    ("NodeRestriction", Has::OnlyIfAsked),
    ("OwnerReferencesPermissionEnforcement", Has::OnlyIfAsked),
    ("PersistentVolumeClaimResize", Has::NotThere),
    ("PodGroupProtection", Has::NotThere),
    ("PodGroupWorkloadExists", Has::NotThere),
    ("PodNodeSelector", Has::OnlyIfAsked),
    ("PodResizeValidator", Has::NotThere),
    ("PodSecurity", Has::NotThere),
    ("PodTolerationRestriction", Has::OnlyIfAsked),
    ("PodTopologyLabels", Has::NotThere),
    ("Priority", Has::Always),
    ("ResourceQuota", Has::Always),
    ("RuntimeClass", Has::NotThere),
    (SERVICE_ACCOUNT, Has::Switch),
    ("StorageObjectInUseProtection", Has::NotThere),
    ("TaintNodesByCondition", Has::NotThere),
    ("ValidatingAdmissionPolicy", Has::Always),
    ("ValidatingAdmissionWebhook", Has::Always),
];

const ENABLE: &str = "enable-admission-plugins";
const DISABLE: &str = "disable-admission-plugins";

/// Whether the plugin `ServiceAccount` is on, as it is unless told otherwise.
///
/// # Errors
/// A plugin that is asked for and not there, one that cannot be done without, and one that nobody knows.
pub(super) fn service_accounts(flags: &Flags, notes: &mut Vec<String>) -> Outcome<bool> {
    for name in flags.all(ENABLE) {
        match find(ENABLE, name)? {
            Has::Always | Has::Switch | Has::Nothing => {}
            Has::NotThere => notes.push(format!("the admission plugin {name} is not there")),
            Has::OnlyIfAsked => {
                return Err(format!("--{ENABLE}={name}: this plugin is not to be had here"));
            }
        }
    }
    for name in flags.all(DISABLE) {
        if find(DISABLE, name)? == Has::Always {
            return Err(format!("--{DISABLE}={name}: this plugin is always on here"));
        }
    }
    Ok(!flags.all(DISABLE).any(|name| name == SERVICE_ACCOUNT))
}

fn find(flag: &str, name: &str) -> Outcome<Has> {
    let found = PLUGINS.iter().find(|(own, _)| *own == name);
    found.map(|(_, has)| *has).ok_or_else(|| format!("--{flag} plugin {name:?} is unknown"))
}
