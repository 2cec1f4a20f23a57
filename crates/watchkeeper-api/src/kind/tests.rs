//! Paths and names of kinds.

use super::{Kind, Scope};

#[test]
fn paths() {
    let pod = Kind::new("", "v1", "Pod", "pods", Scope::Namespaced);
    let node = Kind::new("", "v1", "Node", "nodes", Scope::Cluster);
    assert_eq!(pod.path(Some("a"), Some("b")), "/api/v1/namespaces/a/pods/b");
    assert_eq!(pod.path(Some(""), None), "/api/v1/pods");
    assert_eq!(node.path(Some("a"), Some("b")), "/api/v1/nodes/b");
    assert_eq!(
        pod.path(Some(".."), Some("a/b?c%é")),
        "/api/v1/namespaces/%2E%2E/pods/a%2Fb%3Fc%25%C3%A9"
    );
    assert_eq!(node.path(None, Some("system:node.a")), "/api/v1/nodes/system:node.a");
}

#[test]
fn names() {
    let foo = Kind::dynamic("example.com/v1", "Foo", "foos", Scope::Namespaced);
    assert_eq!(foo.api_version(), "example.com/v1");
    assert_eq!(foo.group_resource(), "foos.example.com");
    assert_eq!(foo.list_kind(), "FooList");
    assert_eq!(foo.to_string(), "example.com/v1/Foo");
    assert!(foo.is("example.com/v1", "Foo") && !foo.is("v1", "Foo"));
}

#[test]
fn what_objects_state_is_stated_again() {
    for (stated, group, version) in [
        ("", "", ""),
        ("v1", "", "v1"),
        ("apps/v1", "apps", "v1"),
        ("a/b/c", "a", "b/c"),
        ("apps/", "apps", ""),
        ("/.io/v1", "", "/.io/v1"),
        ("//v1", "", "//v1"),
    ] {
        let kind = Kind::dynamic(stated, "Foo", "foos", Scope::Namespaced);
        assert_eq!((&*kind.group, &*kind.version), (group, version), "{stated}");
        assert_eq!(kind.api_version(), stated);
        assert!(kind.is(stated, "Foo"), "{stated}");
    }
    // As upstream reads it.
    assert_eq!(Kind::dynamic("/v1", "Foo", "foos", Scope::Cluster).api_version(), "v1");
}
