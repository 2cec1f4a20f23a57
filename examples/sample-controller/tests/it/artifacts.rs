//! What is committed beside the sample is what its types say.

use std::path::Path;

use sample_controller::foo::Foo;
use sample_controller::manifest::Manifest;
use watchkeeper::api::json;
use watchkeeper::api::rules::Rules;
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

/// Upstream's Foo has no rules in CEL; whoever gives it one is told here what a server would say.
#[test]
fn the_rules_of_a_foo_are_those_that_a_server_takes() {
    let rules = Rules::<Foo>::compile().expect("rules that a server takes");
    assert!(rules.is_empty(), "say what the new rule refuses, as below");
}

/// What a Foo with a rule looks like.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "samplecontroller.k8s.io", version = "v1alpha1", kind = "Named")]
struct Named {
    metadata: ObjectMeta,
    spec: NamedSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(validation(
    rule = "has(self.deploymentName) || !has(self.replicas)",
    message = "replicas without a deploymentName"
))]
struct NamedSpec {
    #[field(optional)]
    deployment_name: IStr,
    replicas: Option<i32>,
}

#[test]
fn a_rule_says_what_it_refuses() {
    let rules = Rules::<Named>::compile().expect("rules that a server takes");
    assert_eq!(rules.len(), 1);
    let mut named = Named::default();
    named.spec.replicas = Some(1);
    let told = rules.check(&named);
    let told: Vec<_> = told.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["spec: Invalid value: replicas without a deploymentName"]);
    named.spec.deployment_name = "web".into();
    assert_eq!(rules.check(&named), []);
}
