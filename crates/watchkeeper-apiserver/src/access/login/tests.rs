use http::Request;

use super::{Credentials, Untrusted, Who, asks_for_credentials, bearer, login, user};
use crate::access::Authorization;
use crate::clock::Now;
use crate::config::Config;
use crate::rng::Rng;
use crate::storage::Store;
use crate::user::User;

#[test]
fn a_token_comes_after_the_word_bearer() {
    for (header, expected) in [
        ("Bearer a", Some("a")),
        ("bEARER a", Some("a")),
        ("  Bearer a  ", Some("a")),
        ("Bearer a b", Some("a")),
        ("Bearer  a", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("Basic a", None),
    ] {
        let request = Request::builder().header("authorization", header).body(());
        let (head, ()) = request.expect("a request").into_parts();
        assert_eq!(bearer(&head), expected, "{header:?}");
    }
    let (head, ()) = Request::new(()).into_parts();
    assert_eq!(bearer(&head), None);
}

#[test]
fn credentials_are_asked_for_where_there_are_any() {
    let authorization = Authorization::Rbac;
    let users = vec![("a".to_owned(), User::new("alice"))];
    for (config, expected) in [
        (Config::default(), false),
        (Config { token: Some("a".to_owned()), ..Config::default() }, true),
        (Config { users, ..Config::default() }, true),
        (Config { authorization, ..Config::default() }, true),
    ] {
        assert_eq!(asks_for_credentials(&config), expected, "{config:?}");
    }
}

/// Who that is who sends this, or the code of the refusal.
fn told(
    config: &Config,
    path: &str,
    token: &str,
    seen: impl FnOnce(&mut http::Extensions),
) -> String {
    let mut request = Request::builder().uri(path);
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let (mut head, ()) = request.body(()).expect("a request").into_parts();
    seen(&mut head.extensions);
    let credentials = Credentials::new(config, &Rng::new(0));
    match login(&Store::new(1), config, &credentials, &mut head, Now::default()) {
        Ok(user) => user.name.clone(),
        Err(error) => error.code.to_string(),
    }
}

const fn nothing(_: &mut http::Extensions) {}

#[test]
fn whoever_is_let_in_is_somebody() {
    let open = Config::default();
    let with_token = Config { token: Some("root".to_owned()), ..Config::default() };
    let users = vec![("a".to_owned(), User::new("alice"))];
    let with_users = Config { users, anonymous: true, ..Config::default() };
    let (admin, nobody) = ("system:admin", "system:anonymous");
    for (config, path, token, expected) in [
        (&open, "/api", "", admin),
        (&open, "/api", "x", admin),
        (&with_token, "/api", "root", admin),
        (&with_token, "/api", "x", "401"),
        (&with_token, "/api", "", "401"),
        (&with_token, "/healthz", "", nobody),
        (&with_token, "/version/", "", nobody),
        (&with_token, "/healthz/ping", "", "401"),
        (&with_token, "/healthz", "x", "401"),
        (&with_users, "/api", "a", "alice"),
        (&with_users, "/api", "x", "401"),
        (&with_users, "/api", "", nobody),
    ] {
        assert_eq!(told(config, path, token, nothing), expected, "{path} {token}");
    }
    let by_listener = |all: &mut http::Extensions| drop(all.insert(User::new("bob")));
    assert_eq!(told(&with_token, "/api", "root", by_listener), "bob", "a listener knows better");
    let untrusted = |all: &mut http::Extensions| {
        let _ = all.insert(Untrusted);
    };
    for (config, token, expected) in [
        (&with_users, "", "401"),
        (&with_users, "a", "alice"),
        (&with_token, "root", admin),
        (&open, "", admin),
    ] {
        assert_eq!(told(config, "/healthz", token, untrusted), expected, "{token}");
    }
}

#[test]
fn a_token_of_a_list_is_for_this_server() {
    let users = vec![("a".to_owned(), User::new("alice"))];
    let config = Config { users, issuer: "me".to_owned(), ..Config::default() };
    let mut credentials = Credentials::new(&config, &Rng::new(0));
    assert_eq!(credentials.audiences(), ["me"]);
    credentials.add("b".to_owned(), User::new("bob"));
    let judged = |token: &str, audiences: &[&str]| {
        let audiences: Vec<String> = audiences.iter().map(|one| (*one).to_owned()).collect();
        let judged = credentials.judge(&Store::new(1), token, &audiences, Now::default());
        judged.map(|judged| {
            format!("{} {:?} {:?}", judged.user.name, judged.user.groups, judged.audiences)
        })
    };
    let bob = r#"bob ["system:authenticated"] ["me"]"#;
    assert_eq!(judged("b", &["x", "me"]), Ok(bob.to_owned()));
    assert!(judged("a", &["me"]).is_ok_and(|told| told.starts_with("alice ")));
    let wrong = || Err("invalid bearer token".to_owned());
    assert_eq!(judged("b", &["x"]), wrong());
    assert_eq!(judged("c", &["me"]), wrong());
}

#[test]
fn who_was_not_noted_is_nobody() {
    let mut extensions = http::Extensions::new();
    assert_eq!(*user(&extensions), User::anonymous());
    extensions.insert(Who(std::sync::Arc::new(User::new("bob"))));
    assert_eq!(*user(&extensions), User::new("bob"));
}
