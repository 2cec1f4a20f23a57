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
    let refuse = |what: &Attributes, why: &str| forbidden(&User::new("me"), what, why);
    let chosen = choose(ways, may, refuse).map_err(|error| error.message)?;
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
    let groups = |name, group| {
        let lines = [("impersonate-user", name), ("impersonate-group", group)];
        outcome(&lines, &["impersonate"]).expect("allowed").groups
    };
    let (in_one, both) =
        (["system:unauthenticated"], ["system:authenticated", "system:unauthenticated"]);
    assert_eq!(groups("system:anonymous", both[0]), both, "what is said does not make it so");
    assert_eq!(groups("system:anonymous", both[1]), in_one);
    assert_eq!(groups("alice", both[1]), in_one);
    assert_eq!(groups("alice", both[0]), both[..1]);
}

#[test]
fn who_only_looks_like_an_account_or_a_node_is_a_user() {
    for name in [
        "system:serviceaccount:a:b:c",
        "system:serviceaccount:a:",
        "system:serviceaccount:A:b",
        "system:node:A_B",
        "system:node:",
    ] {
        let narrow = outcome(&[("impersonate-user", name)], &NARROW).expect("a user");
        let old = outcome(&[("impersonate-user", name)], &["impersonate resource \"users\""]);
        for user in [narrow, old.expect("a user")] {
            assert_eq!(user.groups, ["system:authenticated"], "{name}");
        }
    }
}

/// All that a narrow way for `alice` asks, and nothing else.
const NARROW: [&str; 2] = ["impersonate-on:user-info:list", "impersonate:user-info"];

#[test]
fn no_narrow_way_leads_to_the_masters() {
    let alice = ("impersonate-user", "alice");
    let narrow = |more: &[(&'static str, &'static str)]| {
        outcome(&[&[alice], more].concat(), &NARROW).map(|user| user.groups)
    };
    let whom = |what: &str| {
        format!(
            "{what} is forbidden: User \"me\" cannot impersonate:user-info resource \"{}\" in API \
             group \"authentication.k8s.io\" at the cluster scope",
            what.split_once('.').map_or(what, |(resource, _)| resource)
        )
    };
    let devs = ("impersonate-group", "devs");
    assert_eq!(narrow(&[devs]), Ok(vec!["devs".to_owned(), "system:authenticated".to_owned()]));
    let masters = ("impersonate-group", "system:masters");
    let expected = whom("groups.authentication.k8s.io \"system:masters\"");
    let expected = format!("{expected}: impersonating the system:masters group is not allowed");
    assert_eq!(narrow(&[devs, masters]), Err(expected));
    let expected = whom("groups.authentication.k8s.io");
    let expected = format!("{expected}: impersonating the empty string group is not allowed");
    assert_eq!(narrow(&[devs, ("impersonate-group", ""), masters]), Err(expected));
    // The old way is as wide as it was.
    let user = outcome(&[alice, masters], &["impersonate resource"]).expect("allowed");
    assert!(user.is_in("system:masters"));
    let user = outcome(&[alice, ("impersonate-group", "")], &["impersonate resource"]);
    assert!(user.expect("allowed").is_in(""));
}

#[test]
fn a_narrow_way_wants_keys_that_say_whose_they_are() {
    let why = |name: &'static str, value: &'static str| {
        let lines = [("impersonate-user", "alice"), (name, value)];
        let old = outcome(&lines, &["impersonate resource"]);
        assert!(old.is_ok(), "the old way takes every key: {old:?}");
        let told = outcome(&lines, &NARROW).err()?;
        let start = "userextras.authentication.k8s.io is forbidden: User \"me\" cannot \
                     impersonate:user-info resource \"userextras\" in API group \
                     \"authentication.k8s.io\" at the cluster scope: ";
        Some(told.strip_prefix(start).unwrap_or(&told).to_owned())
    };
    assert_eq!(why("impersonate-extra-example.com%2fcolor", "blue"), None);
    let told = |text: &str| Some(format!("impersonating {text} in extra is not allowed"));
    assert_eq!(why("impersonate-extra-", "x"), told("the empty string key"));
    assert_eq!(why("impersonate-extra-a.b%2fc", ""), told("the empty string value"));
    let invalid = |text: &str| Some(format!("{}: {text}", told("an invalid key")?));
    let domain = r#"must be a domain-prefixed path (such as "acme.io/foo")"#;
    for (name, key) in [
        ("impersonate-extra-color", "color"),
        ("impersonate-extra-%2fcolor", "/color"),
        ("impersonate-extra-a.b%2f", "a.b/"),
    ] {
        let expected = invalid(&format!("extra.key: Invalid value: \"{key}\": {domain}"));
        assert_eq!(why(name, "x"), expected, "{name}");
    }
    let path = r"Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')";
    let expected = invalid(&format!("extra.key: Invalid value: \"b c\": {path}"));
    assert_eq!(why("impersonate-extra-a%2fb%20c", "x"), expected);
    let both = why("impersonate-extra-_%2fb%20c", "x").expect("refused");
    assert!(both.contains("[extra.key: Invalid value: \"_\": a lowercase RFC 1123"), "{both}");
    let expected = format!("{}: \"a/B\"", told("a non-lowercase key").expect("a text"));
    assert_eq!(why("impersonate-extra-a%2f%42", "x"), Some(expected));
}

#[test]
fn who_may_have_any_group_may_have_many() {
    let lines = ["impersonate-user", "impersonate-group", "impersonate-group", "impersonate-group"];
    let three: Vec<_> = lines.into_iter().zip(["alice", "a", "b", "c"]).collect();
    let four = [&three[..], &[("impersonate-group", "d")]].concat();
    let user = "impersonate:user-info resource \"users\"";
    let any = "groups.authentication.k8s.io \"*\" is forbidden";
    let some = [NARROW[0], user, any];
    assert_eq!(outcome(&four, &some).expect("allowed").groups.len(), 5);
    let why = outcome(&three, &some).expect_err("each is asked for");
    assert!(why.starts_with("groups.authentication.k8s.io \"a\" is forbidden"), "{why}");
    let why = outcome(&four, &[NARROW[0], user]).expect_err("neither all nor each");
    assert!(why.starts_with("groups.authentication.k8s.io \"a\" is forbidden"), "{why}");
}

#[test]
fn the_old_way_asks_for_the_uid_before_the_groups() {
    let lines =
        [("impersonate-user", "alice"), ("impersonate-uid", "7"), ("impersonate-group", "devs")];
    let why = outcome(&lines, &["impersonate resource \"users\""]).expect_err("refused");
    assert!(why.starts_with("uids.authentication.k8s.io \"7\" is forbidden"), "{why}");
}

#[test]
fn who_is_named_without_a_name_is_told_as_go_prints_it() {
    let lines = [
        ("impersonate-group", "devs"),
        ("impersonate-group", "ops"),
        ("impersonate-extra-a", "b"),
        ("impersonate-extra-a", "c"),
        ("impersonate-extra-d", "e"),
    ];
    let user = r#"&user.DefaultInfo{Name:"", UID:"", Groups:[]string{"devs", "ops"}, Extra:map[string][]string{"a":[]string{"b", "c"}, "d":[]string{"e"}}}"#;
    let why = outcome(&lines, &[]).expect_err("refused");
    assert_eq!(why, format!("requested {user} without impersonating a user name"));
}

#[test]
fn an_account_or_a_node_of_which_more_is_said_has_the_old_way_only() {
    let count = |name: &'static str, more: &[(&'static str, &'static str)]| {
        let lines = [&[("impersonate-user", name)], more].concat();
        ways(&headers(&lines), &list_pods()).expect("somebody").len()
    };
    for name in ["system:serviceaccount:a:cook", "system:node:n"] {
        assert_eq!(count(name, &[]), 2, "{name}");
        for more in [
            ("impersonate-group", "devs"),
            ("impersonate-uid", "7"),
            ("impersonate-extra-a.b%2fc", "d"),
        ] {
            assert_eq!(count(name, &[more]), 1, "{name} {more:?}");
            assert_eq!(count("alice", &[more]), 2, "{more:?}");
        }
    }
}

#[test]
fn an_account_has_its_groups_unless_others_are_named() {
    let cook = ("impersonate-user", "system:serviceaccount:a:cook");
    let groups = |more: &[(&'static str, &'static str)]| {
        let user = outcome(&[&[cook], more].concat(), &["impersonate resource"]);
        user.expect("allowed").groups
    };
    assert_eq!(groups(&[]), User::service_account("a", "cook").groups);
    assert_eq!(groups(&[("impersonate-group", "devs")]), ["devs", "system:authenticated"]);
}

#[test]
fn who_may_have_anything_known_of_them_may_have_much() {
    let alice = ("impersonate-user", "alice");
    let keys = ["a%2fb", "a%2fc", "a%2fd", "a%2fe"];
    let lines = |count: usize| {
        let names = ["impersonate-extra-a%2fb", "impersonate-extra-a%2fc"];
        let extra = (0..count).map(|at| (names[at % 2], keys[at]));
        [alice].into_iter().chain(extra).collect::<Vec<_>>()
    };
    let any = "userextras.authentication.k8s.io \"*\" is forbidden";
    let some = [NARROW[0], "impersonate:user-info resource \"users\"", any];
    let user = outcome(&lines(4), &some).expect("allowed");
    assert_eq!((user.extra["a/b"].len(), user.extra["a/c"].len()), (2, 2));
    let why = outcome(&lines(3), &some).expect_err("each is asked for");
    assert!(why.starts_with("userextras.authentication.k8s.io \"a%2fb\" is forbidden"), "{why}");
}
