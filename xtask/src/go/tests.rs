//! Which Go is new enough.

use super::{needed, version};

#[test]
fn versions_are_compared_as_numbers() {
    assert!(version("go1.26.8") >= version("1.26.0"));
    assert!(version("go1.26.8\n") >= version("1.26"));
    assert!(version("go1.27-devel_5f6f1c0 Tue") > version("1.26.8"));
    assert!(version("go1.9.7") < version("1.26.0"));
    assert!(version("") < version("1.26.0"));
}

#[test]
fn a_module_names_its_go() {
    assert_eq!(needed("module a\n\ngo 1.26.0\n\nrequire b v1.0.0\n"), Some("1.26.0"));
    assert_eq!(needed("module a\n"), None);
}
