//! Acting as somebody else, by the `Impersonate-…` headers
//! (`apiserver/pkg/endpoints/filters/impersonation`, KEP-5284).
//!
//! There are two ways to be allowed that. The narrow ones name what is done on somebody's behalf:
//! `impersonate-on:user-info:list` on what is listed and `impersonate:user-info` on who it is; so
//! for service accounts and nodes. The old one is `impersonate` on who it is, whatever is done.

use http::HeaderMap;

use super::attributes::{Attributes, Target};
use crate::error::{ApiError, Result, quoted};
use crate::request::query::decode_segment;
use crate::user::{ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, User};

use super::rule::quoted_list;

const USER: &str = "impersonate-user";
const GROUP: &str = "impersonate-group";
const UID: &str = "impersonate-uid";
const EXTRA: &str = "impersonate-extra-";
/// The group of who is impersonated in the narrow ways.
const AUTHENTICATION: &str = "authentication.k8s.io";

/// One way to act as somebody: who that is then, and what must be allowed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) user: User,
    pub(crate) needs: Vec<Attributes>,
}

/// Whether there is any header of an impersonation.
pub(crate) fn is_asked_for(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with("impersonate-"))
}

/// The ways to act as the one that a request names, the old one last; none when it names nobody.
///
/// # Errors
///
/// 400 for a part of somebody without a name.
pub(crate) fn ways(headers: &HeaderMap, asked: &Attributes) -> Result<Vec<Way>> {
    let user = named(headers);
    if user.name.is_empty() {
        if user == User::default() {
            return Ok(Vec::new());
        }
        let message = format!("requested {} without impersonating a user name", go(&user));
        return Err(ApiError::bad_request(message));
    }
    Ok(narrow(&user, asked).into_iter().chain([legacy(&user)]).collect())
}

/// Whom one is let act as; the error of the way that got furthest otherwise.
///
/// # Errors
///
/// 403.
pub(crate) fn choose(
    ways: Vec<Way>,
    may: impl Fn(&Attributes) -> Result<()>,
) -> Result<Option<User>> {
    let mut told: Option<ApiError> = None;
    for way in ways {
        let refused =
            way.needs.iter().enumerate().find_map(|(at, need)| Some((at, may(need).err()?)));
        match refused {
            None => return Ok(Some(way.user)),
            // Who may act as the user in the old way is told what else is missing for that.
            Some((at, error)) if told.is_none() || at > 0 => told = Some(error),
            Some(_) => {}
        }
    }
    told.map_or(Ok(None), Err)
}

/// Who the headers name, in the groups that they name. No value is passed over, whatever its bytes:
/// who cannot be named would be the one who asks, with more rights than were wanted.
fn named(headers: &HeaderMap) -> User {
    let all = |name: &str| -> Vec<String> {
        let values = headers.get_all(name).into_iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
    };
    let first = |name: &str| all(name).into_iter().next().unwrap_or_default();
    let keys = headers.keys().filter_map(|name| name.as_str().strip_prefix(EXTRA));
    User {
        name: first(USER),
        uid: first(UID),
        groups: all(GROUP),
        extra: keys.map(|key| (decode_segment(key), all(&format!("{EXTRA}{key}")))).collect(),
    }
}

/// The narrow way, where there is one.
fn narrow(user: &User, asked: &Attributes) -> Option<Way> {
    let is_plain = user.groups.is_empty() && user.uid.is_empty() && user.extra.is_empty();
    let (mode, whom, user) = if let Some((namespace, name)) = user.account() {
        let whom = vec![need(AUTHENTICATION, "serviceaccounts", "", namespace, name)];
        ("serviceaccount", whom, with_groups(user))
    } else if let Some(node) = user.name.strip_prefix("system:node:") {
        let whom = vec![need(AUTHENTICATION, "nodes", "", "", node)];
        let user = user.clone().in_group("system:nodes");
        ("arbitrary-node", whom, with_groups(&user))
    } else {
        let mut whom = vec![need(AUTHENTICATION, "users", "", "", &user.name)];
        whom.extend(user.groups.iter().map(|one| need(AUTHENTICATION, "groups", "", "", one)));
        whom.extend(parts(user));
        ("user-info", whom, with_groups(user))
    };
    if mode != "user-info" && !is_plain {
        return None;
    }
    let on = Attributes {
        verb: format!("impersonate-on:{mode}:{}", asked.verb),
        target: asked.target.clone(),
    };
    let whom = whom
        .into_iter()
        .map(|need| Attributes { verb: format!("impersonate:{mode}"), target: need.target });
    Some(Way { user, needs: [on].into_iter().chain(whom).collect() })
}

/// The old way: the verb `impersonate` on each part.
fn legacy(user: &User) -> Way {
    let mut needs = vec![match user.account() {
        Some((namespace, name)) => need("", "serviceaccounts", "", namespace, name),
        None => need("", "users", "", "", &user.name),
    }];
    needs.extend(user.groups.iter().map(|group| need("", "groups", "", "", group)));
    needs.extend(parts(user));
    Way { user: with_groups(user), needs }
}

/// What is needed for the rest of somebody.
fn parts(user: &User) -> Vec<Attributes> {
    let mut needs = Vec::new();
    for (key, values) in &user.extra {
        let of = |value: &String| need(AUTHENTICATION, "userextras", key, "", value);
        needs.extend(values.iter().map(of));
    }
    if !user.uid.is_empty() {
        needs.push(need(AUTHENTICATION, "uids", "", "", &user.uid));
    }
    needs
}

fn need(group: &str, resource: &str, sub: &str, namespace: &str, name: &str) -> Attributes {
    let text = str::to_owned;
    let target = Target::Resource {
        group: text(group),
        resource: text(resource),
        subresource: text(sub),
        namespace: text(namespace),
        name: text(name),
    };
    Attributes { verb: text("impersonate"), target }
}

/// The user in the groups that were asked for and in those that follow from the name.
fn with_groups(user: &User) -> User {
    let mut user = user.clone();
    if let Some((namespace, name)) = user.account().filter(|_| user.groups.is_empty()) {
        user.groups = User::service_account(namespace, name).groups;
    }
    if !user.is_in(AUTHENTICATED) && !user.is_in(UNAUTHENTICATED) {
        let is_anonymous = user.name == ANONYMOUS;
        user.groups.push(if is_anonymous { UNAUTHENTICATED } else { AUTHENTICATED }.to_owned());
    }
    user
}

/// A user as Go prints it.
fn go(user: &User) -> String {
    let list = |list: &[String]| {
        if list.is_empty() {
            return "[]string(nil)".to_owned();
        }
        let items = quoted_list(list).replace("\" \"", "\", \"");
        format!("[]string{{{}}}", items.trim_start_matches('[').trim_end_matches(']'))
    };
    let extra = if user.extra.is_empty() {
        "(nil)".to_owned()
    } else {
        let entry =
            |(key, values): (&String, &Vec<String>)| format!("{}:{}", quoted(key), list(values));
        format!("{{{}}}", user.extra.iter().map(entry).collect::<Vec<_>>().join(", "))
    };
    format!(
        "&user.DefaultInfo{{Name:{}, UID:{}, Groups:{}, Extra:map[string][]string{extra}}}",
        quoted(&user.name),
        quoted(&user.uid),
        list(&user.groups)
    )
}

#[cfg(test)]
mod tests;
