//! What a manager says it needs.

use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::{ConfigMap, Node, Pod};
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
