//! What is committed beside the sample is what its types say.

use std::path::Path;

use sample_controller::foo::Foo;
use sample_controller::manifest::Manifest;
use watchkeeper::api::json;
use watchkeeper::prelude::*;
use watchkeeper_codegen::Crds;

#[test]
fn the_committed_crd_is_the_one_of_the_type() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts/crd.yaml");
    let crds = Crds::new().text("Foo", &json::to_string(&Foo::crd())).expect("a definition");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        crds.write(&path).expect("it can be written");
    }
    let stale = crds.stale(&path).expect("it can be read");
    assert!(stale.is_none(), "set UPDATE_EXPECT=1:\n{}", stale.expect("stale").diff());
}

#[test]
fn the_example_is_a_foo() {
    let foo = Manifest::example().expect("a Foo").foo;
    assert_eq!(foo.name(), "example-foo");
}
