//! `watchkeeper generate --from-cluster`, of a cluster that is served at a port.

use tokio::task::JoinSet;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::registry::Registry;
use watchkeeper_cluster::{Cluster, Endpoint};

use crate::*;

async fn install(cluster: &Cluster) {
    let registry = Registry::new().with::<CustomResourceDefinition>();
    let client = cluster.client("test");
    let api = client.api::<CustomResourceDefinition>();
    // There is something else among them.
    let documents = registry.read(&read(&definitions())).expect("manifests");
    for definition in documents.iter().filter_map(|of| of.get::<CustomResourceDefinition>()) {
        api.create(definition, &Default::default()).await.expect("it is installed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn types_are_made_of_what_a_cluster_serves() {
    let cluster = Cluster::builder().seed(1).build();
    install(&cluster).await;
    let mut endpoint = Endpoint::bind(0).await.expect("a port");
    let kubeconfig = endpoint.kubeconfig().expect("a kubeconfig").display().to_string();
    // The runtime's other threads serve while this one blocks on the program.
    let mut serving = JoinSet::new();
    serving.spawn(async move { endpoint.serve(&cluster, std::future::pending()).await });

    let folder = folder("cluster");
    let arguments = ["generate", "--from-cluster", "--kubeconfig", &kubeconfig, "--out", "crds.rs"];
    let told = done(&folder, &arguments).told;
    assert!(told.contains("wrote crds.rs\n"), "{told}");
    let groups: Vec<_> = std::fs::read_dir(folder.join("crds")).expect("the groups").collect();
    assert_eq!(groups.len(), 2, "the module of one group and its folder: {groups:?}");
    let types = folder.join("crds/lights_example_com/v1.rs");
    assert!(read(&types).contains("pub struct LampSpec {"));
    done(&folder, &[&arguments[..], &["--check"]].concat());

    let group = |name| [&arguments[..], &["--check", "--group", name]].concat();
    done(&folder, &group("lights.example.com"));
    let told = refused(&folder, &group("nobody.example.com"));
    assert_eq!(told, "watchkeeper: the cluster has no group nobody.example.com\n");
    serving.shutdown().await;
}

#[test]
fn a_cluster_that_is_not_there_is_one_sentence() {
    let folder = folder("nowhere");
    let arguments = ["generate", "--from-cluster", "--kubeconfig", "nowhere", "--out", "crds.rs"];
    let told = refused(&folder, &arguments);
    assert!(told.starts_with("watchkeeper: ") && told.contains("nowhere"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}
