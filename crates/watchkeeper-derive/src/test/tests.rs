//! What the attribute refuses, in which words.

use super::*;

fn refused(options: &str, test: &str) -> String {
    let test: ItemFn = syn::parse_str(test).expect("a function");
    let options: TokenStream = options.parse().expect("tokens");
    expand(options, &test).expect_err("no such test").to_string()
}

#[test]
fn what_is_no_test_is_refused_in_words() {
    assert_eq!(refused("", "fn a() {}"), "the test is an `async fn`");
    let two = "async fn a(one: TestCluster, two: TestCluster) {}";
    assert_eq!(refused("", two), "a test takes a `TestCluster` or nothing");
    assert_eq!(refused("", "async fn a<T>() {}"), "nobody says what a test is generic over");
}

#[test]
fn options_are_known_by_name_and_fit() {
    let why = refused("node = 3", "async fn a() {}");
    assert_eq!(why, "unknown option: there are nodes, seed, rbac, minutes and crate");
    assert_eq!(
        refused("nodes = 70000", "async fn a() {}"),
        "number too large to fit in target type"
    );
    assert_eq!(refused("nodes", "async fn a() {}"), "expected `=`");
}

#[test]
fn what_is_not_said_is_the_default() {
    let test: ItemFn = syn::parse_str("async fn a(test: TestCluster) {}").expect("a function");
    let options: TokenStream = "nodes = 3, rbac, minutes = 2".parse().expect("tokens");
    let made = expand(options, &test).expect("a test").to_string();
    for part in ["nodes : 3", "rbac : true", "from_secs (120u64)", "Default :: default ()"] {
        assert!(made.contains(part), "{made}");
    }
}
