//! S-01 to S-13 of the sample controller, with upstream's weak points mended.

use std::time::Duration;

use expect_test::expect;
use sample_controller::foo::Foo;
use serde_json::json;
use tokio::time::sleep;
use watchkeeper::client::{DeleteOptions, Propagation};
use watchkeeper::prelude::*;

use crate::world::run;

#[tokio::test(start_paused = true)]
async fn s_01_a_foo_that_is_added_or_updated_is_reconciled() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        expect![[r#"
            foo a 1
            deployment web 1/1
            1 replica sets, 1 pods"#]]
        .assert_eq(&world.picture().await);
        world.patch::<Foo>("a", json!({"spec": {"replicas": 3}})).await;
        world.settled().await;
        expect![[r#"
            foo a 3
            deployment web 3/3
            1 replica sets, 3 pods"#]]
        .assert_eq(&world.picture().await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_01_a_resync_looks_again_and_writes_nothing() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        let mark = world.writes().len();
        sleep(Duration::from_secs(300)).await;
        assert_eq!(world.writes().len(), mark, "{:#?}", &world.writes()[mark..]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_02_a_deployment_deleted_by_hand_comes_back() {
    run(1, async |world| {
        world.foo("a", "web", Some(2)).await;
        world.settled().await;
        let before = world.get::<Deployment>("web").await.expect("made");
        world.delete::<Deployment>("web").await;
        world.settled().await;
        let after = world.get::<Deployment>("web").await.expect("made again");
        assert_ne!(before.uid(), after.uid());
        expect![[r#"
            foo a 2
            deployment web 2/2
            1 replica sets, 2 pods"#]]
        .assert_eq(&world.picture().await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_02_a_deployment_edited_by_hand_is_set_back() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        world.patch::<Deployment>("web", json!({"spec": {"replicas": 4}})).await;
        world.settled().await;
        assert_eq!(world.get::<Deployment>("web").await.expect("there").spec.replicas, Some(1));
        let image = json!({"spec": {"template": {"spec": {"containers": [
            {"name": "nginx", "image": "other"}]}}}});
        world.patch::<Deployment>("web", image).await;
        world.settled().await;
        let deployment = world.get::<Deployment>("web").await.expect("there");
        assert_eq!(&*deployment.spec.template.spec.containers[0].image, "nginx:latest");
        expect![[r#"
            foo a 1
            deployment web 1/1
            1 replica sets, 1 pods"#]]
        .assert_eq(&world.picture().await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_03_a_deployment_of_another_owner_of_the_same_kind_name_is_ignored() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        let stranger = object!(Deployment {
            metadata: {
                name: "stranger",
                namespace: "default",
                owner_references: [{
                    api_version: "example.com/v1",
                    kind: "Foo",
                    name: "a",
                    uid: "00000000-0000-0000-0000-000000000000",
                    controller: true,
                }],
            },
            spec: {
                selector: { match_labels: &Map::from([("app", "x")]) },
                template: {
                    metadata: { labels: &Map::from([("app", "x")]) },
                    spec: { containers: [{ name: "x", image: "x" }] },
                },
            },
        });
        let mark = world.writes().len();
        let api = world.client.api::<Deployment>().namespace("default");
        api.create(&stranger, &Default::default()).await.expect("made");
        world.settled().await;
        assert_eq!(world.written_by("sample-controller", mark), Vec::<String>::new());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_04_a_foo_deleted_while_queued_is_nothing_to_do() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.delete::<Foo>("a").await;
        world.settled().await;
        expect!["0 replica sets, 0 pods"].assert_eq(&world.picture().await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_05_a_foo_without_a_deployment_name_is_told_so_once() {
    run(1, async |world| {
        world.foo("a", "", Some(1)).await;
        world.settled().await;
        sleep(Duration::from_secs(120)).await;
        expect![[r#"
            [
                "Warning DeploymentNameMissing x1 spec.deploymentName is empty: name the Deployment this Foo asks for",
            ]
        "#]]
        .assert_debug_eq(&world.events("Foo", "a").await);
        world.patch::<Foo>("a", json!({"spec": {"deploymentName": "web"}})).await;
        world.settled().await;
        assert!(world.get::<Deployment>("web").await.is_some());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_06_the_deployment_is_made_once_by_the_sample_controller() {
    run(1, async |world| {
        let mark = world.writes().len();
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        let writes = world.written_by("sample-controller", mark);
        let of_deployments: Vec<_> =
            writes.iter().filter(|line| line.contains(" deployments.apps ")).collect();
        // The one apply after it takes over what the create wrote; the object stays as it was.
        assert_eq!(
            of_deployments,
            ["create deployments.apps default/web", "patch deployments.apps default/web"]
        );
        let deployment = world.get::<Deployment>("web").await.expect("made");
        let owner = deployment.controller().expect("owned");
        assert_eq!((owner.kind, owner.name, owner.block_owner_deletion), ("Foo", "a", true));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_07_a_deployment_that_is_not_its_own_is_left_alone_with_a_warning() {
    run(1, async |world| {
        let theirs = object!(Deployment {
            metadata: { name: "web", namespace: "default" },
            spec: {
                replicas: 1,
                selector: { match_labels: &Map::from([("app", "theirs")]) },
                template: {
                    metadata: { labels: &Map::from([("app", "theirs")]) },
                    spec: { containers: [{ name: "theirs", image: "theirs" }] },
                },
            },
        });
        let api = world.client.api::<Deployment>().namespace("default");
        api.create(&theirs, &Default::default()).await.expect("made");
        world.settled().await;
        world.foo("a", "web", Some(3)).await;
        sleep(Duration::from_secs(60)).await;
        let after = world.get::<Deployment>("web").await.expect("there");
        assert!(after.controller().is_none());
        assert_eq!(after.spec.replicas, Some(1));
        let events = world.events("Foo", "a").await;
        assert_eq!(events.len(), 1, "{events:?}");
        assert!(events[0].starts_with("Warning ErrResourceExists x"), "{events:?}");
        assert!(events[0].ends_with("Resource \"web\" already exists and is not managed by Foo"));
        world.delete::<Deployment>("web").await;
        sleep(Duration::from_secs(1200)).await;
        assert!(world.get::<Deployment>("web").await.expect("its own now").controller().is_some());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_08_replicas_left_open_are_left_to_the_deployment() {
    run(1, async |world| {
        world.foo("a", "web", None).await;
        world.settled().await;
        world.patch::<Deployment>("web", json!({"spec": {"replicas": 2}})).await;
        world.settled().await;
        expect![[r#"
            foo a 2
            deployment web 2/2
            1 replica sets, 2 pods"#]]
        .assert_eq(&world.picture().await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_09_the_status_is_written_through_the_subresource_and_only_when_it_changes() {
    run(1, async |world| {
        let mark = world.writes().len();
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        let writes = world.written_by("sample-controller", mark);
        let of_foos: Vec<_> = writes.iter().filter(|line| line.contains(" foos.")).collect();
        assert_eq!(of_foos, ["patch foos.samplecontroller.k8s.io/status default/a"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_10_synced_is_told_when_something_changed() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        let told = world.events("Foo", "a").await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("Normal Synced x2 Foo synced successfully"), "{told:?}");
        sleep(Duration::from_secs(300)).await;
        assert_eq!(world.events("Foo", "a").await, told);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_11_a_failure_is_tried_again_until_it_succeeds() {
    run(1, async |world| {
        world.foo("a", "Not-A-Name", Some(1)).await;
        sleep(Duration::from_secs(30)).await;
        assert!(world.all::<Deployment>().await.is_empty());
        world.patch::<Foo>("a", json!({"spec": {"deploymentName": "a-name"}})).await;
        world.settled().await;
        assert!(world.get::<Deployment>("a-name").await.is_some());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_12_the_deployment_looks_as_upstreams() {
    run(1, async |world| {
        world.foo("a", "web", Some(2)).await;
        world.settled().await;
        let deployment = world.get::<Deployment>("web").await.expect("made");
        let labels: Map = [("app", "nginx"), ("controller", "a")].into();
        let selector = deployment.spec.selector.as_deref().expect("a selector");
        assert_eq!(selector.match_labels, labels);
        assert_eq!(deployment.spec.template.metadata.labels, labels);
        let container = &deployment.spec.template.spec.containers[0];
        assert_eq!((&*container.name, &*container.image), ("nginx", "nginx:latest"));
        assert_eq!(deployment.spec.replicas, Some(2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn s_13_the_schema_refuses_what_is_out_of_bounds() {
    run(1, async |world| {
        let foo = object!(Foo {
            metadata: { name: "a", namespace: "default" },
            spec: { deployment_name: "web", replicas: 11 },
        });
        let api = world.client.api::<Foo>().namespace("default");
        let error = api.create(&foo, &Default::default()).await.expect_err("refused");
        assert!(error.is_invalid(), "{error}");
        assert!(error.to_string().contains("spec.replicas"), "{error}");
        assert!(error.to_string().contains("should be less than or equal to 10"), "{error}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_renamed_deployment_leaves_nothing_behind() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        world.patch::<Foo>("a", json!({"spec": {"deploymentName": "renamed"}})).await;
        world.settled().await;
        expect![[r#"
            foo a 1
            deployment renamed 1/1
            1 replica sets, 1 pods"#]]
        .assert_eq(&world.picture().await);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_foo_deleted_with_orphans_leaves_its_deployment() {
    run(1, async |world| {
        world.foo("a", "web", Some(1)).await;
        world.settled().await;
        let api = world.client.api::<Foo>().namespace("default");
        let options = DeleteOptions::default().propagation(Propagation::Orphan);
        api.delete("a", &options).await.expect("a deletion");
        world.settled().await;
        assert!(world.get::<Foo>("a").await.is_none());
        let deployment = world.get::<Deployment>("web").await.expect("it stays");
        assert!(deployment.controller().is_none());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_deleted_foo_takes_everything_with_it() {
    run(1, async |world| {
        world.foo("a", "web", Some(3)).await;
        world.foo("b", "other", Some(1)).await;
        world.settled().await;
        world.delete::<Foo>("a").await;
        world.settled().await;
        expect![[r#"
            foo b 1
            deployment other 1/1
            1 replica sets, 1 pods"#]]
        .assert_eq(&world.picture().await);
    })
    .await;
}
