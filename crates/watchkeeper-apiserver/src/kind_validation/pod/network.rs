//! How a pod is reached and what it asks for names.

use watchkeeper_schema::FieldError;

use super::{Check, Place};
use crate::kind_validation::addresses;

const MOST_SERVERS: usize = 3;
const MOST_SEARCHES: usize = 32;

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
    not_more(check, &config.member("searches"), MOST_SEARCHES, "search paths");
    for option in config.member("options").items() {
        if option.member("name").is_empty() {
            check.push(FieldError::required(&*option.path, "must not be empty"));
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
