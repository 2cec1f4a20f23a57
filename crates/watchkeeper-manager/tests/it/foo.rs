//! The sample controller in the form that the documentation shows, with a custom resource made
//! from its Rust type.

use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{CustomResource, IStr, Map, Object, edit, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::{Action, Normal, controlled_by};
use watchkeeper_derive::{Fields, Object};
use watchkeeper_manager::Manager;

/// A Foo has a Deployment.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "samplecontroller.k8s.io", version = "v1alpha1", status)]
#[object(crate = "watchkeeper_api")]
pub(crate) struct Foo {
    metadata: ObjectMeta,
    spec: FooSpec,
    status: FooStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
pub(crate) struct FooSpec {
    deployment_name: IStr,
    #[field(minimum = 1, maximum = 10)]
    replicas: Option<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
pub(crate) struct FooStatus {
    #[field(optional)]
    available_replicas: i32,
}

fn foo_controller(manager: &Manager) {
    let foos = manager.watch::<Foo>();
    let deployments = manager.watch::<Deployment>();

    manager
        .controller("foo", &foos) // reconciles Foos
        .owns(&deployments) // … when their Deployments change, too
        .workers(2)
        .with(foos) // lent to every call
        .reconcile(async |foos, request, ctx| {
            let Some(foo) = foos.get(&request).await? else { return Ok(Action::done()) };
            let deployment = ctx.apply(&deployment_for(&foo)).await?;
            let available = deployment.status.available_replicas;
            ctx.edit_status(&foo, |status| status.available_replicas = available).await?;
            ctx.event(&foo, Normal, "Synced", "Foo synced successfully");
            Ok(Action::done())
        });
}

fn deployment_for(foo: &Foo) -> Deployment {
    let labels = Map::from([("app", "nginx"), ("controller", foo.name())]);
    object!(Deployment {
        metadata: {
            name: &foo.spec.deployment_name,
            namespace: foo.namespace(),
            owner_references: [controlled_by(foo)],
        },
        spec: {
            replicas: foo.spec.replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
            },
        },
    })
}

async fn install(client: &Client) {
    let definitions = client.api::<CustomResourceDefinition>();
    definitions.create(&Foo::crd(), &CreateOptions::default()).await.expect("installed");
    sleep(Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_foo_gets_its_deployment_and_follows_its_status() {
    let client = Client::new(ApiServer::builder().seed(7).build());
    install(&client).await;
    let manager = Manager::new(&client).seed(1);
    foo_controller(&manager);
    let script = async {
        let foos = client.api::<Foo>().namespace("default");
        let foo = object!(Foo {
            metadata: { name: "example-foo", namespace: "default" },
            spec: { deployment_name: "example-foo", replicas: 1 },
        });
        foos.create(&foo, &CreateOptions::default()).await.expect("created");
        sleep(Duration::from_secs(5)).await;

        let deployments = client.api::<Deployment>().namespace("default");
        let mut deployment = deployments.get("example-foo").await.expect("made");
        assert_eq!(deployment.spec.replicas, Some(1));
        edit!(deployment, { status: { replicas: 1, ready_replicas: 1, available_replicas: 1 } });
        deployments.update_status(&deployment).await.expect("told");
        sleep(Duration::from_secs(5)).await;
        let foo = foos.get("example-foo").await.expect("there");
        assert_eq!(foo.status.available_replicas, 1);
    };
    let ((), ended) = tokio::join!(script, manager.run(sleep(Duration::from_secs(60))));
    ended.expect("no error");
}
