//! What pods of Windows have of their own, and what they have not.

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::{Check, Place, all_containers, names};

/// What the context of a pod has inside, by where it is in the API.
const OF_POD: [&str; 15] = [
    "securityContext.appArmorProfile",
    "securityContext.seLinuxOptions",
    "hostUsers",
    "hostPID",
    "hostIPC",
    "securityContext.seccompProfile",
    "securityContext.fsGroup",
    "securityContext.fsGroupChangePolicy",
    "securityContext.sysctls",
    "shareProcessNamespace",
    "securityContext.runAsUser",
    "securityContext.runAsGroup",
    "securityContext.supplementalGroups",
    "securityContext.supplementalGroupsPolicy",
    "securityContext.seLinuxChangePolicy",
];
const OF_CONTAINER: [&str; 10] = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
];

const MOST_BYTES: usize = 64 * 1024;
const LONGEST_DOMAIN: usize = 255;
const LONGEST_USER: usize = 104;

/// A pod of Windows has nothing that only Linux has (`validateWindows`).
pub(super) fn nothing_of_linux(check: &mut Check<'_>, spec: &Place<'_>) {
    const DETAIL: &str = "cannot be set for a windows pod";
    for path in OF_POD {
        let place = path.split('.').fold(spec.clone(), |place, name| place.member(name));
        let is_off = ["hostPID", "hostIPC"].contains(&path) && place.value == Some(&false.into());
        let is_no_setting = path.ends_with("sysctls") && place.is_empty();
        if !place.is_missing() && !is_off && !is_no_setting {
            check.push(FieldError::forbidden(place.path, DETAIL));
        }
    }
    for container in all_containers(spec) {
        let context = container.member("securityContext");
        for place in OF_CONTAINER.map(|name| context.member(name)) {
            if !place.is_missing() {
                check.push(FieldError::forbidden(place.path, DETAIL));
            }
        }
    }
}

/// A pod of Linux has no options of Windows (`validateLinux`).
pub(super) fn not_in_linux(check: &mut Check<'_>, spec: &Place<'_>) {
    let containers = all_containers(spec);
    for of in std::iter::once(spec).chain(&containers) {
        let options = of.member("securityContext").member("windowsOptions");
        if !options.is_missing() {
            let detail = "windows options cannot be set for a linux pod";
            check.push(FieldError::forbidden(options.path, detail));
        }
    }
}

/// Whether a pod or container says that it is processes of the node, and where.
fn is_process<'a>(of: &Place<'a>) -> (Option<bool>, Place<'a>) {
    let options = of.member("securityContext").member("windowsOptions");
    let place = options.member("hostProcess");
    (place.value.and_then(serde_json::Value::as_bool), place)
}

/// Containers that are processes of the node are so all together (`validateWindowsHostProcessPod`).
pub(super) fn processes_of_host(check: &mut Check<'_>, spec: &Place<'_>) {
    let (of_pod, _) = is_process(spec);
    let containers = all_containers(spec);
    let mut processes = 0;
    for container in &containers {
        let (own, place) = is_process(container);
        if let (Some(of_pod), Some(own)) = (of_pod, own)
            && of_pod != own
        {
            let detail = format!(
                "pod hostProcess value must be identical if both are specified, was {of_pod}"
            );
            check.push(FieldError::invalid(&*place.path, own, detail));
        }
        if own.or(of_pod) == Some(true) {
            processes += 1;
        }
    }
    if processes == 0 {
        return;
    }
    if processes != containers.len() {
        let detail = "If pod contains any hostProcess containers then all containers must be HostProcess \
                      containers";
        check.push(FieldError::invalid(&*spec.path, "", detail));
    }
    if spec.member("hostNetwork").value != Some(&true.into()) {
        let detail = "hostNetwork must be true if pod contains any hostProcess containers";
        check.push(FieldError::invalid(child(&spec.path, "hostNetwork"), false, detail));
    }
}

/// Whose account is used, and as whom a container runs (`validateWindowsSecurityContextOptions`).
pub(super) fn options(check: &mut Check<'_>, options: &Place<'_>) {
    let [name, account, user] = ["gmsaCredentialSpecName", "gmsaCredentialSpec", "runAsUserName"]
        .map(|name| options.member(name));
    if !name.is_missing() {
        check.all(&name, name.text(), names::subdomain(name.text()));
    }
    let detail = match account.text().len() {
        _ if account.is_missing() => None,
        0 => Some("gmsaCredentialSpec cannot be an empty string"),
        length if length > MOST_BYTES => Some("gmsaCredentialSpec size must be under 64 KiB"),
        _ => None,
    };
    if let Some(detail) = detail {
        check.push(FieldError::invalid(&*account.path, account.text(), detail));
    }
    if !user.is_missing() {
        for detail in wrong_user(user.text()) {
            check.push(FieldError::invalid(&*user.path, user.text(), detail));
        }
    }
}

/// `user`, or `domain\user`.
fn wrong_user(text: &str) -> Vec<&'static str> {
    let parts: Vec<&str> = text.split('\\').collect();
    let (domain, user) = match parts[..] {
        _ if text.is_empty() => return vec!["runAsUserName cannot be an empty string"],
        _ if text.bytes().any(|byte| byte.is_ascii_control()) => {
            return vec!["runAsUserName cannot contain control characters"];
        }
        [user] => (None, user),
        [domain, user] => (Some(domain), user),
        _ => return vec!["runAsUserName cannot contain more than one backslash"],
    };
    let is_only_dots = !user.is_empty() && user.chars().all(|c| matches!(c, '.' | ' '));
    let told = [
        (
            domain.is_some_and(|domain| domain.len() > LONGEST_DOMAIN),
            "runAsUserName's Domain length must be under 256 characters",
        ),
        (
            domain.is_some_and(|domain| !is_of_net_bios(domain) && !is_of_dns(domain)),
            "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
        ),
        (user.is_empty(), "runAsUserName's User cannot be empty"),
        (
            user.len() > LONGEST_USER,
            "runAsUserName's User length must not be longer than 104 characters",
        ),
        (is_only_dots, "runAsUserName's User cannot contain only periods or spaces"),
        (
            user.contains([
                '"', '/', '\\', ':', ';', '|', '=', ',', '+', '*', '?', '<', '>', '@', '[', ']',
            ]),
            "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
        ),
    ];
    told.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, detail)| detail).collect()
}

fn is_of_net_bios(domain: &str) -> bool {
    let is_refused = |c: char| matches!(c, '\\' | '/' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    (1..=15).contains(&domain.chars().count())
        && !domain.contains(is_refused)
        && !domain.starts_with('.')
}

fn is_of_dns(domain: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric();
    let is_part = |part: &str| {
        part.len() <= 63
            && part.starts_with(is_inner)
            && part.ends_with(is_inner)
            && part.chars().all(|c| is_inner(c) || c == '-')
    };
    domain.split('.').all(is_part)
}
