//! The collector's decisions, told as stories about owners and dependents.

use std::sync::Arc;

use watchkeeper_api::{Kind, ObjectKey, Scope};

use super::graph::{FOREGROUND, Graph, Node, ORPHAN, OwnerLink, Verdict};

fn kind() -> Arc<Kind> {
    Arc::new(Kind::new("", "v1", "ConfigMap", "configmaps", Scope::Namespaced))
}

fn link(uid: &str, blocks: bool) -> OwnerLink {
    OwnerLink {
        api_version: "v1".to_owned(),
        kind: "ConfigMap".to_owned(),
        name: uid.to_owned(),
        uid: uid.to_owned(),
        blocks,
    }
}

fn node(uid: &str, owners: &[&str]) -> Node {
    Node {
        kind: kind(),
        key: ObjectKey::from(("default", uid)),
        uid: uid.to_owned(),
        owners: owners.iter().map(|owner| link(owner, true)).collect(),
        deleting: false,
        foreground: false,
        orphan: false,
    }
}

#[test]
fn a_dependent_goes_after_its_only_owner_did() {
    let mut graph = Graph::default();
    graph.observe(node("owner", &[]));
    graph.observe(node("child", &["owner"]));
    assert_eq!(graph.judge("child"), Verdict::Keep);
    assert_eq!(graph.forget("owner"), ["child"]);
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
}

#[test]
fn an_owner_never_seen_is_asked_for_before_anything_is_deleted() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    assert_eq!(graph.judge("child"), Verdict::Ask(vec![link("owner", true)]));
    graph.is_absent("owner", true);
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
}

#[test]
fn a_dependent_with_another_owner_only_forgets_the_one_that_went() {
    let mut graph = Graph::default();
    graph.observe(node("a", &[]));
    graph.observe(node("b", &[]));
    graph.observe(node("child", &["a", "b"]));
    graph.forget("a");
    assert_eq!(graph.judge("child"), Verdict::Forget(vec!["a".to_owned()]));
}

#[test]
fn an_owner_in_the_foreground_waits_for_the_dependents_that_block_it() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::Await(vec!["child".to_owned()]));
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
    graph.observe(Node { deleting: true, ..node("child", &["owner"]) });
    assert_eq!(graph.judge("owner"), Verdict::Keep);
    assert!(graph.forget("child").contains(&"owner".to_owned()));
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
}

#[test]
fn a_dependent_that_does_not_block_is_not_waited_for() {
    let mut graph = Graph::default();
    graph.observe(Node { owners: vec![link("owner", false)], ..node("child", &[]) });
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
}

#[test]
fn a_dependent_with_dependents_of_its_own_goes_in_the_foreground_too() {
    let mut graph = Graph::default();
    graph.observe(node("grandchild", &["child"]));
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: true });
}

#[test]
fn a_dependent_of_two_does_not_go_with_the_one_that_waits_for_it() {
    let mut graph = Graph::default();
    graph.observe(node("other", &[]));
    graph.observe(node("child", &["owner", "other"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::Await(vec!["child".to_owned()]));
    assert_eq!(graph.judge("child"), Verdict::Forget(vec!["owner".to_owned()]));
}

#[test]
fn owners_that_wait_for_one_another_are_let_go() {
    let waiting = |uid, owner| Node { deleting: true, foreground: true, ..node(uid, &[owner]) };
    let mut graph = Graph::default();
    graph.observe(node("b", &["a"]));
    graph.observe(waiting("a", "b"));
    assert_eq!(graph.judge("b"), Verdict::Unblock);
    graph.observe(Node { owners: vec![link("a", false)], ..node("b", &[]) });
    assert_eq!(graph.judge("b"), Verdict::Delete { foreground: true });
    graph.observe(Node { owners: vec![link("a", false)], ..waiting("b", "a") });
    assert_eq!(graph.judge("a"), Verdict::Finish(FOREGROUND));
    graph.forget("a");
    assert_eq!(graph.judge("b"), Verdict::Finish(FOREGROUND));
}

#[test]
fn a_reference_to_another_namespace_is_told_once_both_are_seen() {
    let elsewhere = |uid: &str| {
        let mut owner = node(uid, &[]);
        owner.key = ObjectKey::from(("elsewhere", uid));
        owner
    };
    let told = |misplaced: Vec<(Node, OwnerLink)>| -> Vec<(String, String)> {
        misplaced.into_iter().map(|(node, owner)| (node.uid, owner.uid)).collect()
    };
    let expected = [("child".to_owned(), "owner".to_owned())];
    let (child, owner) = (node("child", &["owner"]), elsewhere("owner"));
    let mut graph = Graph::default();
    assert!(graph.misplaced(&child).is_empty(), "nobody knows where the owner is");
    graph.observe(child.clone());
    assert_eq!(told(graph.misplaced(&owner)), expected);
    graph.observe(owner.clone());
    assert!(graph.misplaced(&owner).is_empty() && graph.misplaced(&child).is_empty());
    graph.forget("child");
    assert_eq!(told(graph.misplaced(&child)), expected);
    assert!(graph.misplaced(&node("other", &["child"])).is_empty());
}

#[test]
fn an_orphaning_owner_releases_its_dependents_first() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, orphan: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::Release(vec!["child".to_owned()]));
    let again = graph.observe(node("child", &[]));
    assert!(again.contains(&"owner".to_owned()), "the owner is looked at again: {again:?}");
    assert_eq!(graph.judge("owner"), Verdict::Finish(ORPHAN));
    graph.forget("owner");
    assert_eq!(graph.judge("child"), Verdict::Keep);
}

#[test]
fn an_owner_is_looked_at_again_when_a_reference_no_longer_blocks_it() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    let again = graph.observe(Node { owners: vec![link("owner", false)], ..node("child", &[]) });
    assert!(again.contains(&"owner".to_owned()), "{again:?}");
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
}

#[test]
fn what_is_gone_leaves_nothing_behind() {
    let mut graph = Graph::default();
    graph.observe(node("owner", &[]));
    graph.observe(node("child", &["owner"]));
    graph.forget("owner");
    graph.forget("child");
    assert_eq!(format!("{graph:?}"), format!("{:?}", Graph::default()));
}

#[test]
fn an_owner_in_another_namespace_is_none() {
    let mut graph = Graph::default();
    let mut owner = node("owner", &[]);
    owner.key = ObjectKey::from(("elsewhere", "owner"));
    graph.observe(owner);
    graph.observe(node("child", &["owner"]));
    assert_eq!(graph.judge("child"), Verdict::Ask(vec![link("owner", true)]));
    graph.is_absent("owner", true);
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
}

#[test]
fn an_object_of_the_cluster_is_not_collected_for_an_owner_in_a_namespace() {
    let mut graph = Graph::default();
    let mut child = node("child", &["owner"]);
    child.key = ObjectKey::from("child");
    graph.observe(child);
    let mut owner = node("owner", &[]);
    graph.observe(owner.clone());
    assert_eq!(graph.judge("child"), Verdict::Keep);
    (owner.deleting, owner.foreground) = (true, true);
    graph.observe(owner);
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
    graph.forget("owner");
    assert_eq!(graph.judge("child"), Verdict::Keep);
}

#[test]
fn the_objects_of_a_kind_go_with_it() {
    let mut graph = Graph::default();
    graph.observe(node("owner", &[]));
    let mut child = node("child", &["owner"]);
    child.kind = Arc::new(Kind::new("apps", "v1", "Deployment", "deployments", Scope::Namespaced));
    graph.observe(child);
    assert_eq!(graph.forget_kind("", "configmaps"), ["child"]);
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
}

mod on_a_cluster {
    //! The same against the server, with what may go wrong on the way.

    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::{Context, Poll};
    use std::time::Duration;

    use tower_service::Service;
    use watchkeeper_api::Object as _;
    use watchkeeper_api::core::v1::{ConfigMap, Node};
    use watchkeeper_api::meta::v1::OwnerReference;
    use watchkeeper_apiserver::error::ApiError;
    use watchkeeper_apiserver::hooks::{Verdict, Write};
    use watchkeeper_apiserver::server::Hangup;
    use watchkeeper_apiserver::{ApiServer, Body, Clock, Hook};
    use watchkeeper_client::{Client, DeleteOptions, Propagation};

    use crate::Cluster;

    const NAME: &str = "garbage-collector";

    fn cluster() -> Cluster {
        Cluster::builder().seed(1).clock(Clock::default()).build()
    }

    async fn beside<T>(cluster: &Cluster, story: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            told = story => told,
            ended = cluster.run(std::future::pending()) => panic!("{ended:?}"),
        }
    }

    async fn wait(seconds: u64) {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    }

    async fn make(
        client: &Client,
        namespace: &str,
        name: &str,
        owner: Option<&ConfigMap>,
    ) -> ConfigMap {
        let mut made = ConfigMap::default();
        made.metadata.name = name.into();
        made.metadata.owner_references = owner.map(reference).into_iter().collect();
        let api = client.api::<ConfigMap>().namespace(namespace);
        api.create(&made, &Default::default()).await.expect("made")
    }

    fn reference(owner: &ConfigMap) -> OwnerReference {
        watchkeeper_controller::owner::owned_by(owner)
    }

    /// Answers the collector's first patch with a conflict, as if the object had changed.
    struct ConflictOnce(Arc<AtomicBool>);

    impl Hook for ConflictOnce {
        fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
            let meant = write.actor == NAME && write.key.ends_with("/child");
            if meant && !self.0.swap(true, Ordering::SeqCst) {
                return Verdict::Refuse(Box::new(ApiError::new(409, "Conflict", "it changed")));
            }
            Verdict::Proceed
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_orphaning_owner_goes_although_a_dependent_changed_meanwhile() {
        let cluster = cluster();
        let struck = Arc::new(AtomicBool::new(false));
        cluster.server().add_hook(ConflictOnce(struck.clone()));
        let client = cluster.client("test");
        beside(&cluster, async {
            let owner = make(&client, "default", "owner", None).await;
            make(&client, "default", "child", Some(&owner)).await;
            wait(5).await;
            let maps = client.api::<ConfigMap>().namespace("default");
            let orphan = DeleteOptions::default().propagation(Propagation::Orphan);
            maps.delete("owner", &orphan).await.expect("asked to go");
            wait(5).await;
            assert!(struck.load(Ordering::SeqCst));
            assert!(maps.get_opt("owner").await.expect("an answer").is_none());
            let child = maps.get("child").await.expect("it stays");
            assert_eq!(child.owners().count(), 0);
        })
        .await;
    }

    #[tokio::test(start_paused = true)]
    async fn owners_are_looked_for_where_they_may_be() {
        let cluster = cluster();
        let client = cluster.client("test");
        beside(&cluster, async {
            let owner = make(&client, "default", "owner", None).await;
            make(&client, "kube-public", "elsewhere", Some(&owner)).await;
            let mut node = Node::default();
            node.metadata.name = "of-the-cluster".into();
            node.metadata.owner_references = [reference(&owner)].into();
            client.api::<Node>().create(&node, &Default::default()).await.expect("made");
            wait(5).await;
            let there = client.api::<ConfigMap>().namespace("kube-public");
            assert!(there.get_opt("elsewhere").await.expect("an answer").is_none());
            let maps = client.api::<ConfigMap>().namespace("default");
            maps.delete("owner", &DeleteOptions::default()).await.expect("gone");
            wait(60).await;
            let node = client.api::<Node>().get("of-the-cluster").await.expect("it stays");
            assert!(!node.is_deleting());
        })
        .await;
    }

    /// A server that hangs up when asked for its kinds, while that is so.
    #[derive(Clone)]
    struct Secretive {
        server: ApiServer,
        silent: Arc<AtomicBool>,
    }

    impl<B> Service<http::Request<B>> for Secretive
    where
        ApiServer: Service<http::Request<B>, Response = http::Response<Body>, Error = Hangup>,
        <ApiServer as Service<http::Request<B>>>::Future: Send + 'static,
    {
        type Response = http::Response<Body>;
        type Error = Hangup;
        type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Hangup>> + Send>>;

        fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Hangup>> {
            Service::<http::Request<B>>::poll_ready(&mut self.server, cx)
        }

        fn call(&mut self, request: http::Request<B>) -> Self::Future {
            let kinds = matches!(request.uri().path(), "/api" | "/apis");
            if kinds && self.silent.load(Ordering::SeqCst) {
                return Box::pin(std::future::ready(Err(Hangup)));
            }
            Box::pin(self.server.call(request))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_cannot_tell_its_kinds_is_asked_again() {
        let cluster = cluster();
        let silent = Arc::new(AtomicBool::new(true));
        let service = Secretive { server: cluster.server().clone(), silent: silent.clone() };
        let client = Client::new(service).user_agent("test");
        let manager = watchkeeper_manager::Manager::new(&client);
        super::super::garbage_collector(&manager);
        let story = async {
            let client = cluster.client("test");
            let owner = make(&client, "default", "owner", None).await;
            make(&client, "default", "child", Some(&owner)).await;
            wait(5).await;
            silent.store(false, Ordering::SeqCst);
            let maps = client.api::<ConfigMap>().namespace("default");
            maps.delete("owner", &DeleteOptions::default()).await.expect("gone");
            wait(60).await;
            assert!(maps.get_opt("child").await.expect("an answer").is_none());
        };
        tokio::select! {
            biased;
            () = story => {}
            ended = manager.run(std::future::pending()) => panic!("{ended:?}"),
        }
    }
}
