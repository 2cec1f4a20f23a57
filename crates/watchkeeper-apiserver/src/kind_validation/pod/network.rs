//! How a pod is reached and what it asks for names.

use watchkeeper_schema::FieldError;

use super::{Check, Place};
use crate::kind_validation::{addresses, names};

const MOST_SERVERS: usize = 3;
const MOST_SEARCHES: usize = 32;
const MOST_LETTERS: usize = 2048;
const LONGEST_HOST: usize = 64;

/// In the network of its node a pod has the ports of the node (`validatePodHostNetworkDeps`). Those of a template are
/// told later.
pub(super) fn ports_of_node(check: &mut Check<'_>, spec: &Place<'_>, is_pod: bool) {
    if spec.member("hostNetwork").value != Some(&true.into()) {
        return;
    }
    let containers = spec.member("containers").items();
    for port in containers.iter().flat_map(|container| container.member("ports").items()) {
        let number = |name: &str| port.member(name).number().unwrap_or_default();
        let (of_node, own) = (number("hostPort"), number("containerPort"));
        if (is_pod || of_node != 0) && of_node != own {
            let detail = "must match `containerPort` when `hostNetwork` is true";
            check.push(FieldError::invalid(port.member("hostPort").path, of_node, detail));
        }
    }
}

/// Who is asked for names, and how (`validatePodDNSConfig`).
pub(super) fn resolver(check: &mut Check<'_>, spec: &Place<'_>) {
    let config = spec.member("dnsConfig");
    let servers = config.member("nameservers");
    if spec.member("dnsPolicy").text() == "None" {
        if config.is_missing() {
            let detail = "must provide `dnsConfig` when `dnsPolicy` is None";
            return check.push(FieldError::required(&*config.path, detail));
        }
        if servers.is_empty() {
            let detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
            return check.push(FieldError::required(&*servers.path, detail));
        }
    }
    not_more(check, &servers, MOST_SERVERS, "nameservers");
    for server in servers.items() {
        let _ = addresses::address(check, &server);
    }
    searches(check, &config.member("searches"));
    for option in config.member("options").items() {
        if option.member("name").is_empty() {
            check.push(FieldError::required(&*option.path, "must not be empty"));
        }
    }
}

/// The root is searched in as well, and a dot at the end is none of the name.
fn searches(check: &mut Check<'_>, list: &Place<'_>) {
    not_more(check, list, MOST_SEARCHES, "search paths");
    let searches = list.items();
    let letters: usize = searches.iter().map(|search| search.text().len() + 1).sum();
    if letters.saturating_sub(1) > MOST_LETTERS {
        let value = list.value.cloned().unwrap_or_default();
        let detail = format!(
            "must not have more than {MOST_LETTERS} characters (including spaces) in the search list"
        );
        check.push(FieldError::invalid(&*list.path, value, detail));
    }
    for search in searches.iter().filter(|search| search.text() != ".") {
        let name = search.text().strip_suffix('.').unwrap_or(search.text());
        check.all(search, name, names::subdomain_with_underscores(name));
    }
}

/// A name that a pod has in place of its own (`validatePodHostName`).
pub(super) fn host_name(check: &mut Check<'_>, spec: &Place<'_>) {
    let name = spec.member("hostnameOverride");
    if name.is_missing() {
        return;
    }
    for (other, told) in [
        ("setHostnameAsFQDN", "may not be specified when setHostnameAsFQDN is true"),
        ("hostNetwork", "may not be specified when hostNetwork is true"),
    ] {
        if spec.member(other).value == Some(&true.into()) {
            check.push(FieldError::forbidden(&*name.path, told));
        }
    }
    if name.text().len() > LONGEST_HOST {
        check.push(FieldError::too_long(&*name.path, LONGEST_HOST as u64));
    }
    check.all(&name, name.text(), names::subdomain(name.text()));
}

/// A pod with users of its own has processes and messages of its own (`validateHostUsers`). Upstream spells the two so.
pub(super) fn users(check: &mut Check<'_>, spec: &Place<'_>) {
    if spec.member("hostUsers").value != Some(&false.into()) {
        return;
    }
    for (name, told) in
        [("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")]
    {
        if spec.member(name).value == Some(&true.into()) {
            check.push(FieldError::forbidden(spec.member(told).path, "when `hostUsers` is false"));
        }
    }
    for container in super::all_containers(spec) {
        let devices = container.member("volumeDevices");
        if !devices.is_empty() {
            check.push(FieldError::forbidden(devices.path, "when `hostUsers` is false"));
        }
    }
}

fn not_more(check: &mut Check<'_>, list: &Place<'_>, most: usize, what: &str) {
    if list.items().len() > most {
        let value = list.value.cloned().unwrap_or_default();
        let detail = format!("must not have more than {most} {what}");
        check.push(FieldError::invalid(&*list.path, value, detail));
    }
}
