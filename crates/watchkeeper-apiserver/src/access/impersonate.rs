//! Acting as somebody else, by the `Impersonate-…` headers
//! (`apiserver/pkg/endpoints/filters/impersonation`, KEP-5284).
//!
//! There are two ways to be allowed that. The narrow ones name what is done on somebody's behalf:
//! `impersonate-on:user-info:list` on what is listed and `impersonate:user-info` on who it is; so
//! for service accounts and nodes. The old one is `impersonate` on who it is, whatever is done, and
//! the only one that leads to `system:masters`: what is allowed on a narrow way stays narrow.

mod strict;

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

/// One way to act as somebody: who that is then, and what is asked for it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) user: User,
    steps: Vec<Step>,
}

/// What a way asks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// Whether this is allowed.
    Need(Attributes),
    /// Whether this is allowed, which stands for all of the rest, or else each of them.
    All(Attributes, Vec<Attributes>),
    /// Nothing: this is not done, whatever is allowed.
    Never(Attributes, String),
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

/// Whom one is let act as; the error of the last way that got past its first step otherwise. `may`
/// says whether something is allowed, `refuse` that something is not, and why.
///
/// # Errors
///
/// 403.
pub(crate) fn choose(
    ways: Vec<Way>,
    may: impl Fn(&Attributes) -> Result<()>,
    refuse: impl Fn(&Attributes, &str) -> ApiError,
) -> Result<Option<User>> {
    let take = |step: &Step| match step {
        Step::Need(need) => may(need),
        Step::All(all, each) => may(all).or_else(|_| each.iter().try_for_each(&may)),
        Step::Never(what, why) => Err(refuse(what, why)),
    };
    let mut told: Option<ApiError> = None;
    for way in ways {
        let refused =
            way.steps.iter().enumerate().find_map(|(at, step)| Some((at, take(step).err()?)));
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
        extra: keys
            .map(|key| (decode_segment(key).into_owned(), all(&format!("{EXTRA}{key}"))))
            .collect(),
    }
}

/// The narrow way, where there is one.
fn narrow(user: &User, asked: &Attributes) -> Option<Way> {
    let is_plain = user.groups.is_empty() && user.uid.is_empty() && user.extra.is_empty();
    let (mode, whom, actual) = if let Some((namespace, name)) = user.account() {
        let whom = need(AUTHENTICATION, "serviceaccounts", "", namespace, name);
        ("serviceaccount", whom, user.clone())
    } else if let Some(node) = user.node() {
        let whom = need(AUTHENTICATION, "nodes", "", "", node);
        ("arbitrary-node", whom, user.clone().in_group("system:nodes"))
    } else {
        ("user-info", need(AUTHENTICATION, "users", "", "", &user.name), user.clone())
    };
    if mode != "user-info" && !is_plain {
        return None;
    }
    let on = Attributes {
        verb: format!("impersonate-on:{mode}:{}", asked.verb),
        target: asked.target.clone(),
    };
    let verb = format!("impersonate:{mode}");
    let of_mode = |need| Attributes { verb: verb.clone(), ..need };
    let mut steps = vec![Step::Need(on), Step::Need(of_mode(whom))];
    steps.extend(uid(user).map(of_mode).map(Step::Need));
    steps.extend(strict::groups(user, &of_mode));
    steps.extend(strict::extra(user, &of_mode));
    Some(Way { user: with_groups(&actual), steps })
}

/// The old way: the verb `impersonate` on each part.
fn legacy(user: &User) -> Way {
    let whom = match user.account() {
        Some((namespace, name)) => need("", "serviceaccounts", "", namespace, name),
        None => need("", "users", "", "", &user.name),
    };
    let groups = user.groups.iter().map(|group| need("", "groups", "", "", group));
    let needs = [whom].into_iter().chain(uid(user)).chain(groups).chain(extra(user));
    Way { user: with_groups(user), steps: needs.map(Step::Need).collect() }
}

fn uid(user: &User) -> Option<Attributes> {
    (!user.uid.is_empty()).then(|| need(AUTHENTICATION, "uids", "", "", &user.uid))
}

/// What is needed for what else is known of somebody.
fn extra(user: &User) -> impl Iterator<Item = Attributes> {
    user.extra.iter().flat_map(|(key, values)| {
        values.iter().map(move |value| need(AUTHENTICATION, "userextras", key, "", value))
    })
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
    if user.name == ANONYMOUS {
        user.in_group(UNAUTHENTICATED)
    } else if user.is_in(UNAUTHENTICATED) {
        user
    } else {
        user.in_group(AUTHENTICATED)
    }
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
