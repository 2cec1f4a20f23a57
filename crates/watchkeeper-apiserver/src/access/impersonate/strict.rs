//! Whom nobody becomes on a narrow way, whatever is allowed: members of `system:masters`, who may do
//! everything and so more than the way is for, and those whose parts no authenticator would tell.

use super::{AUTHENTICATION, Attributes, Step, extra as each_extra, need};
use crate::error::quoted;
use crate::kind_validation::names;
use crate::user::{MASTERS, User};

/// From how many groups or values on it is first asked whether every one is allowed.
const MANY: usize = 4;

/// What is asked for the groups; `of_mode` gives a need the verb of the way.
pub(super) fn groups(user: &User, of_mode: &impl Fn(Attributes) -> Attributes) -> Vec<Step> {
    let group = |name: &str| of_mode(need(AUTHENTICATION, "groups", "", "", name));
    let never = |name: &str, why: &str| vec![Step::Never(group(name), why.to_owned())];
    if user.is_in("") {
        return never("", "impersonating the empty string group is not allowed");
    }
    if user.is_in(MASTERS) {
        return never(MASTERS, "impersonating the system:masters group is not allowed");
    }
    several(group("*"), user.groups.iter().map(|name| group(name)).collect(), user.groups.len())
}

/// What is asked for what else is known.
pub(super) fn extra(user: &User, of_mode: &impl Fn(Attributes) -> Attributes) -> Vec<Step> {
    let all = |key, value| of_mode(need(AUTHENTICATION, "userextras", key, "", value));
    if let Some(why) = user.extra.iter().find_map(|(key, values)| wrong(key, values)) {
        return vec![Step::Never(all("", ""), why)];
    }
    let each: Vec<Attributes> = each_extra(user).map(of_mode).collect();
    let count = each.len().max(user.extra.len());
    several(all("*", "*"), each, count)
}

fn several(all: Attributes, each: Vec<Attributes>, count: usize) -> Vec<Step> {
    if count >= MANY {
        return vec![Step::All(all, each)];
    }
    each.into_iter().map(Step::Need).collect()
}

/// What is wrong with a key or its values.
fn wrong(key: &str, values: &[String]) -> Option<String> {
    if key.is_empty() {
        return Some("impersonating the empty string key in extra is not allowed".to_owned());
    }
    if let Some(why) = wrong_key(key) {
        return Some(format!("impersonating an invalid key in extra is not allowed: {why}"));
    }
    if key != key.to_lowercase() {
        let key = quoted(key);
        return Some(format!("impersonating a non-lowercase key in extra is not allowed: {key}"));
    }
    if values.is_empty() {
        return Some("impersonating empty values in extra is not allowed".to_owned());
    }
    let is_told = values.iter().all(|value| !value.is_empty());
    (!is_told).then(|| "impersonating the empty string value in extra is not allowed".to_owned())
}

/// Why a key is no path below a domain (`IsDomainPrefixedPath`).
fn wrong_key(key: &str) -> Option<String> {
    const PATH: &str = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    let invalid =
        |text: &str, why: &str| format!("extra.key: Invalid value: {}: {why}", quoted(text));
    let parts = key.split_once('/').filter(|(host, path)| !host.is_empty() && !path.is_empty());
    let Some((host, path)) = parts else {
        return Some(invalid(key, r#"must be a domain-prefixed path (such as "acme.io/foo")"#));
    };
    let is_of_path =
        |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
    let mut why: Vec<String> =
        names::subdomain(host).iter().map(|why| invalid(host, why)).collect();
    if !path.bytes().all(is_of_path) {
        why.push(invalid(path, &format!("Invalid path (regex used for validation is '{PATH}')")));
    }
    match &why[..] {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}
