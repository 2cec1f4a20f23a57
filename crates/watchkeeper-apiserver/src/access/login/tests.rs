use http::Request;

use super::{asks_for_credentials, bearer};
use crate::access::Authorization;
use crate::config::Config;
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
