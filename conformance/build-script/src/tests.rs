use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper::api::registry::Registry;
use watchkeeper::client::CreateOptions;
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

use super::kitchen_example_com::clients::KitchenExampleComClients as _;
use super::kitchen_example_com::{register, v1};

#[tokio::test]
async fn included_types_are_the_definitions() {
    let cluster = Cluster::builder().build();
    let client = cluster.client("test");
    let definitions = client.api::<CustomResourceDefinition>();
    definitions.create(&v1::Kettle::crd(), &CreateOptions::default()).await.expect("a definition");

    let kettles = client.kitchen_example_com().v1().kettles("default");
    let kettle = object!(v1::Kettle {
        metadata: { name: "a" },
        spec: { litres: 2, whistle: v1::KettleWhistle::Quiet },
    });
    let stored = kettles.create(&kettle, &CreateOptions::default()).await.expect("a Kettle");
    assert_eq!((stored.spec.litres, stored.spec), (2, kettle.spec));

    let large = object!(v1::Kettle { metadata: { name: "b" }, spec: { litres: 4 } });
    let refused = kettles.create(&large, &CreateOptions::default()).await.expect_err("too large");
    assert!(refused.to_string().contains("spec.litres"), "{refused}");
}

#[test]
fn included_types_read_manifests() {
    let manifest = r#"{
        "apiVersion": "kitchen.example.com/v1", "kind": "Kettle",
        "metadata": { "name": "a" }, "spec": { "litres": 1 }
    }"#;
    let documents = register(Registry::new()).read(manifest).expect("a manifest");
    assert_eq!(documents[0].get::<v1::Kettle>().expect("a Kettle").spec.litres, 1);
}
