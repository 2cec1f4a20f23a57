//! What is committed beside the sample is what its types say.

use sample_controller::foo::Foo;
use sample_controller::manifest::Manifest;
use watchkeeper::api::json;
use watchkeeper::prelude::*;

const CRD: &str = include_str!("../../artifacts/crd.json");

#[test]
fn the_committed_crd_is_the_one_of_the_type() {
    let bytes = json::to_vec(&Foo::crd());
    let value: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(
        CRD.trim(),
        format!("{value:#}"),
        "stale; run `cargo run -p sample-controller -- --print-crd > examples/sample-controller/artifacts/crd.json`"
    );
}

#[test]
fn the_example_is_a_foo() {
    let foo = Manifest::example().expect("a Foo").foo;
    assert_eq!(foo.name(), "example-foo");
}
