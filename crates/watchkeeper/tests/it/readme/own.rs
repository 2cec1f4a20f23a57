use watchkeeper::prelude::*;

pub fn foo_controller(manager: &Manager) {
    let foos = manager.watch::<Foo>();
    let deployments = manager.watch::<Deployment>();

    manager
        .controller("foo", &foos)                             // reconciles Foos
        .owns(&deployments)                                   // … when their Deployments change, too
        .workers(2)
        .with(foos)                                           // lent to every call
        .reconcile(async |foos, request, ctx| {
            let Some(foo) = foos.get(&request).await? else { return Ok(Action::done()) };
            let deployment = ctx.apply(&deployment_for(&foo)).await?;
            let available = deployment.status.available_replicas;
            ctx.edit_status(&foo, |status| status.available_replicas = available).await?;
            ctx.event(&*foo, Normal, "Synced", "its Deployment is as it asks");
            Ok(Action::done())
        });
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "samplecontroller.k8s.io", version = "v1alpha1", status)]
pub struct Foo { pub metadata: ObjectMeta, pub spec: FooSpec, pub status: FooStatus }

#[derive(Clone, Debug, Default, PartialEq, Fields)]
pub struct FooSpec { pub deployment_name: IStr, #[field(minimum = 1, maximum = 10)] pub replicas: Option<i32> }

#[derive(Clone, Debug, Default, PartialEq, Fields)]
pub struct FooStatus { #[field(optional)] pub available_replicas: i32 }

fn deployment_for(foo: &Foo) -> Deployment {
    let labels = Map::from([("foo", foo.name())]);
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

#[tokio::main]
async fn main() -> watchkeeper::Result<()> {
    tracing_subscriber::fmt().init();                         // what fails is told, not silent
    let client = watchkeeper::connect().await?;               // kubeconfig, or the pod's account
    let manager = Manager::new(&client);
    foo_controller(&manager);
    manager.run(signals::shutdown()).await
}

#[cfg(test)]
#[watchkeeper::test]
async fn converges(test: watchkeeper::testing::TestCluster) {
    use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
    let client = test.client();
    client.api::<CustomResourceDefinition>().create(&Foo::crd(), &Default::default()).await.unwrap();
    test.start("foo", foo_controller);
    let foos = client.api::<Foo>().namespace("default");
    let foo = object!(Foo { metadata: { name: "a" }, spec: { deployment_name: "a", replicas: 2 } });
    foos.create(&foo, &Default::default()).await.unwrap();
    test.settled().await;
    assert_eq!(foos.get("a").await.unwrap().status.available_replicas, 2);
}
