//! What a manager says it needs.

use watchkeeper_api::ObjectKey;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::{ConfigMap, Node, Pod, Secret};
use watchkeeper_client::access::{Need, Permission};
use watchkeeper_client::{Client, Select, Verb};
use watchkeeper_controller::Action;
use watchkeeper_manager::Manager;

fn said(manager: &Manager) -> Vec<String> {
    let mut said: Vec<String> =
        manager.needs().iter().map(|need| need.permission.to_string()).collect();
    said.dedup();
    said
}

#[test]
fn a_watch_is_needed_where_it_watches() {
    let manager = Manager::new(&Client::unconnected());
    let _pods = manager.watch::<Pod>();
    let _maps = manager.watch_only(Select::<ConfigMap>::all().namespace("shop"));
    let _nodes = manager.watch_only(Select::<Node>::all().namespace("ignored"));
    assert_eq!(
        said(&manager),
        [
            "list configmaps in shop",
            "watch configmaps in shop",
            "list nodes",
            "watch nodes",
            "list pods",
            "watch pods",
        ]
    );
}

#[test]
fn a_client_of_one_namespace_needs_nothing_of_the_others() {
    let manager = Manager::new(&Client::unconnected().namespaced("shop"));
    let nodes = manager.watch::<Node>();
    let pods = manager.watch::<Pod>();
    manager
        .controller("pods", &pods)
        .watches(&nodes, |_node| None::<ObjectKey>)
        .applies::<ConfigMap>()
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    manager
        .controller("nodes", &nodes)
        .applies::<Secret>()
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    let said = said(&manager);
    let about = |what: &str| -> Vec<&str> {
        said.iter().map(String::as_str).filter(|said| said.contains(what)).collect()
    };
    assert_eq!(about("pods"), ["list pods in shop", "watch pods in shop"]);
    assert_eq!(about("events"), ["create events in shop", "patch events in shop"]);
    assert_eq!(about("nodes"), ["list nodes", "watch nodes"]);
    assert_eq!(about("configmaps"), ["create configmaps in shop", "patch configmaps in shop"]);
    assert_eq!(about("secrets"), ["create secrets in shop", "patch secrets in shop"]);
}

#[test]
fn a_watch_of_one_object_needs_no_other() {
    let manager = Manager::new(&Client::unconnected());
    let maps = Select::<ConfigMap>::all().namespace("shop");
    let settings = manager.watch_only(maps.clone().fields("metadata.name=settings"));
    assert_eq!((settings.in_namespace(), settings.named()), (Some("shop"), Some("settings")));
    manager.controller("settings", &settings).reconcile(async |_request, _ctx| Ok(Action::done()));
    let needs = ["list configmaps settings in shop", "watch configmaps settings in shop"];
    let of_maps = |said: &String| said.contains("configmaps");
    assert_eq!(said(&manager).into_iter().filter(of_maps).collect::<Vec<_>>(), needs);
    // What is told of all but one is not told of one.
    for fields in ["metadata.name!=settings", "metadata.namespace=shop", "metadata.name="] {
        assert_eq!(maps.clone().fields(fields).named(), None, "{fields}");
    }
    assert_eq!(maps.fields("a=b,metadata.name==x").named(), Some("x"));
}

#[test]
fn an_election_needs_its_lease() {
    let manager = Manager::new(&Client::unconnected().with_default_namespace("system"))
        .leader_election("shop");
    assert_eq!(
        said(&manager),
        [
            "create leases.coordination.k8s.io in system",
            "get leases.coordination.k8s.io shop in system",
            "update leases.coordination.k8s.io shop in system",
        ]
    );
}

#[test]
fn a_controller_needs_what_it_is_built_of() {
    let manager = Manager::new(&Client::unconnected());
    let deployments = manager.watch_only(Select::<Deployment>::all().namespace("shop"));
    let sets = manager.watch_only(Select::<ReplicaSet>::all().namespace("shop"));
    let scale = Permission::on(&ReplicaSet::KIND, Verb::Patch).part("scale").namespace("shop");
    manager
        .controller("deployments", &deployments)
        .owns(&sets)
        .applies::<ReplicaSet>()
        .needing([Need::new(scale, "it scales them")])
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    manager.need(Need::to_lead("system", "deployments"));
    assert_eq!(
        said(&manager),
        [
            "create events in shop",
            "patch events in shop",
            "list deployments.apps in shop",
            "watch deployments.apps in shop",
            "update deployments.apps/finalizers in shop",
            "create replicasets.apps in shop",
            "list replicasets.apps in shop",
            "patch replicasets.apps in shop",
            "watch replicasets.apps in shop",
            "patch replicasets.apps/scale in shop",
            "create leases.coordination.k8s.io in system",
            "get leases.coordination.k8s.io deployments in system",
            "update leases.coordination.k8s.io deployments in system",
        ]
    );
}
