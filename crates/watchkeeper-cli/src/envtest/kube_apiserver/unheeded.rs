//! Flags that our server does nothing about: told of, or refused where a test would be another one.

use super::super::flags::Flags;
use crate::Outcome;

/// What follows from a flag by being given.
const HEEDED: &[&str] = &[
    "anonymous-auth",
    "authorization-mode",
    "bind-address",
    "cert-dir",
    "client-ca-file",
    "disable-admission-plugins",
    "enable-admission-plugins",
    "feature-gates",
    "max-mutating-requests-inflight",
    "max-requests-inflight",
    "runtime-config",
    "secure-port",
    "service-account-issuer",
    "service-cluster-ip-range",
    "tls-cert-file",
    "tls-private-key-file",
    "token-auth-file",
];

/// What envtest always says, or what says how much is told: true here, or without meaning.
const UNSAID: &[&str] =
    &["allow-privileged", "etcd-servers", "service-account-key-file", "v", "vmodule"];

/// Flags that decide who may come in, what they may do, or what becomes of an object, in ways that are
/// not to be had: why, for each beginning of a name.
const REFUSED: &[(&str, &str)] = &[
    ("admission-control-config-file", "admission plugins cannot be configured"),
    ("admission-control", "plugins are named by --enable-admission-plugins"),
    ("api-audiences", "tokens are for their issuer alone"),
    ("audit-webhook-config-file", "nothing is audited"),
    ("authentication-config", OTHERS),
    ("authentication-token-webhook-config-file", OTHERS),
    ("authorization-config", RULES),
    ("authorization-policy-file", RULES),
    ("authorization-webhook-config-file", RULES),
    ("oidc-", OTHERS),
    ("requestheader-client-ca-file", OTHERS),
];

const OTHERS: &str = "users are known by certificates and tokens alone";
const RULES: &str = "roles and bindings alone decide who may do what";

/// Flags that may have one value here, which is the one that the real server has without them.
const FIXED: &[(&str, &str)] = &[
    ("default-not-ready-toleration-seconds", "300"),
    ("default-unreachable-toleration-seconds", "300"),
    ("enable-bootstrap-token-auth", "false"),
    ("service-node-port-range", "30000-32767"),
];

/// What is said and means nothing here, a sentence each.
///
/// # Errors
/// What cannot be done, and would make a test another one.
pub(super) fn notes(flags: &Flags) -> Outcome<Vec<String>> {
    // The real server has it off, but nothing that is refused then is refused here.
    if flags.last("allow-privileged").is_some() && !flags.is("allow-privileged", true)? {
        return Err("--allow-privileged=false: privileged containers are always taken".to_owned());
    }
    let mut notes = Vec::new();
    for name in flags.names() {
        let Some(value) = flags.last(name) else { continue };
        if HEEDED.contains(&name) || UNSAID.contains(&name) {
            continue;
        }
        if let Some((_, why)) = REFUSED.iter().find(|(own, _)| name.starts_with(own)) {
            return Err(format!("--{name} is not to be had: {why}"));
        }
        match FIXED.iter().find(|(own, _)| *own == name) {
            Some((_, only)) if *only == value => {}
            Some((_, only)) => {
                return Err(format!("--{name}={value} is not to be had: it is always {only}"));
            }
            None => notes.push(note(name)),
        }
    }
    Ok(notes)
}

fn note(name: &str) -> String {
    match name {
        "service-account-signing-key-file" => {
            "tokens of service accounts are signed with a key of the server's own".to_owned()
        }
        _ => format!("--{name} is not heeded"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::KNOWN;
    use super::{FIXED, HEEDED, REFUSED, UNSAID};

    #[test]
    fn every_flag_that_is_named_is_one_of_the_real_server() {
        let all: Vec<&str> = KNOWN.names().collect();
        let named = HEEDED.iter().chain(UNSAID).chain(FIXED.iter().map(|(name, _)| name));
        for name in named {
            assert!(all.contains(name), "{name}");
        }
        for (beginning, _) in REFUSED {
            assert!(all.iter().any(|name| name.starts_with(beginning)), "{beginning}");
        }
    }
}
