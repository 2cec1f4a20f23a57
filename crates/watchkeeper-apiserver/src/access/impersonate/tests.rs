use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::{choose, ways};
use crate::access::{Attributes, forbidden};
use crate::user::User;

fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
    let entry = |(name, value): &(&'static str, &'static str)| {
        (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).expect("a value"))
    };
    lines.iter().map(entry).collect()
}

fn list_pods() -> Attributes {
    Attributes::of(&Method::GET, "/api/v1/pods", "")
}

/// What becomes of a wish when these verbs on these resources are allowed.
fn outcome(lines: &[(&'static str, &'static str)], allowed: &[&str]) -> Result<User, String> {
    let ways = ways(&headers(lines), &list_pods()).map_err(|error| error.message)?;
    let may = |need: &Attributes| {
        let refusal = forbidden(&User::new("me"), need, "");
        if allowed.iter().any(|one| refusal.message.contains(one)) { Ok(()) } else { Err(refusal) }
    };
    let chosen = choose(ways, may).map_err(|error| error.message)?;
    Ok(chosen.unwrap_or_else(|| User::new("me")))
}

#[test]
fn who_names_nobody_stays() {
    assert_eq!(outcome(&[], &[]), Ok(User::new("me")));
    let why = outcome(&[("impersonate-group", "devs")], &[]).expect_err("refused");
    let user = r#"&user.DefaultInfo{Name:"", UID:"", Groups:[]string{"devs"}, Extra:map[string][]string(nil)}"#;
    assert_eq!(why, format!("requested {user} without impersonating a user name"));
    let lines = [("impersonate-uid", "7"), ("impersonate-extra-a", "b")];
    let why = outcome(&lines, &[]).expect_err("refused");
    let user =
        r#"{Name:"", UID:"7", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"b"}}}"#;
    assert!(why.contains(user), "{why}");
}

#[test]
fn names_are_of_any_bytes() {
    let why = outcome(&[("impersonate-user", "jürgen")], &[]).expect_err("refused");
    assert!(why.contains("impersonate-on:user-info:list"), "{why}");
    let lines = [
        ("impersonate-user", "jürgen"),
        ("impersonate-group", "köche"),
        ("impersonate-extra-a", "ß"),
    ];
    let user = outcome(&lines, &["impersonate resource"]).expect("allowed");
    assert_eq!((&*user.name, &*user.groups[0], &*user.extra["a"][0]), ("jürgen", "köche", "ß"));
    let bytes = HeaderValue::from_bytes(b"j\xfcrgen").expect("a value");
    let headers = [(HeaderName::from_static("impersonate-user"), bytes)].into_iter().collect();
    let ways = ways(&headers, &list_pods()).expect("somebody");
    assert!(ways.iter().all(|way| way.user.name == "j\u{fffd}rgen"), "{ways:?}");
    assert_eq!(ways.len(), 2);
}

#[test]
fn the_old_way_asks_for_each_part() {
    let alice = ("impersonate-user", "alice");
    let user = outcome(&[alice], &["impersonate resource \"users\""]).expect("allowed");
    assert_eq!(user, User::new("alice").authenticated());
    let lines = [alice, ("impersonate-group", "devs")];
    let why = outcome(&lines, &["impersonate resource \"users\""]).expect_err("refused");
    let expected = "groups \"devs\" is forbidden: User \"me\" cannot impersonate resource \"groups\" in \
                    API group \"\" at the cluster scope";
    assert_eq!(why, expected);
    let lines = [alice, ("impersonate-uid", "7"), ("impersonate-extra-team%2fcolor", "blue")];
    let parts =
        ["impersonate resource \"users\"", "resource \"uids\"", "\"userextras/team/color\""];
    let user = outcome(&lines, &parts).expect("allowed");
    assert_eq!((&*user.uid, &user.extra["team/color"][..]), ("7", &["blue".to_owned()][..]));
}

#[test]
fn a_narrow_way_names_what_is_done() {
    let alice = [("impersonate-user", "alice")];
    let why = outcome(&alice, &[]).expect_err("refused");
    let expected = "pods is forbidden: User \"me\" cannot impersonate-on:user-info:list resource \
                    \"pods\" in API group \"\" at the cluster scope";
    assert_eq!(why, expected);
    let on = "impersonate-on:user-info:list resource \"pods\"";
    let why = outcome(&alice, &[on]).expect_err("refused");
    assert!(why.contains("cannot impersonate:user-info resource \"users\""), "{why}");
    let user = outcome(&alice, &[on, "impersonate:user-info resource \"users\""]);
    assert_eq!(user, Ok(User::new("alice").authenticated()));
}

#[test]
fn accounts_and_nodes_have_ways_and_groups_of_their_own() {
    let cook = [("impersonate-user", "system:serviceaccount:a:cook")];
    let whom = "impersonate:serviceaccount resource \"serviceaccounts\" in API group \
                \"authentication.k8s.io\" in the namespace \"a\"";
    let user = outcome(&cook, &["impersonate-on:serviceaccount:list", whom]);
    assert_eq!(user, Ok(User::service_account("a", "cook")));
    let node = [("impersonate-user", "system:node:n")];
    let user = outcome(&node, &["impersonate-on:arbitrary-node:list", "resource \"nodes\""]);
    assert_eq!(user.expect("allowed").groups, ["system:nodes", "system:authenticated"]);
    let with_group = [cook[0], ("impersonate-group", "devs")];
    let why =
        outcome(&with_group, &["impersonate-on", whom]).expect_err("only the old way is left");
    assert!(why.starts_with("serviceaccounts \"cook\" is forbidden"), "{why}");
}

#[test]
fn nobody_is_not_authenticated() {
    let user = outcome(&[("impersonate-user", "system:anonymous")], &["impersonate"]);
    assert_eq!(user.expect("allowed").groups, ["system:unauthenticated"]);
}
