//! Parts of objects, and how to delete: in the codec of the objects, or in JSON where there is no other.

use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Pod};
use watchkeeper_api::{Object as _, object};
use watchkeeper_client::{
    Api, Client, Codec, CreateOptions, DeleteOptions, Deleted, ListOptions, Patch, PatchOptions,
    Propagation, UpdateOptions,
};

use crate::codecs::seen;
use crate::live::live;

fn maps(client: &Client) -> Api<ConfigMap> {
    client.api().namespace("default")
}

fn map(name: &str) -> ConfigMap {
    object!(ConfigMap { metadata: { name: name, labels: { "a": "b" } }, data: { "k": "v" } })
}

fn deployments(client: &Client) -> Api<Deployment> {
    client.api().namespace("default")
}

fn web() -> Deployment {
    object!(Deployment {
        metadata: { name: "web" },
        spec: {
            replicas: 1,
            selector: { match_labels: { "app": "web" } },
            template: {
                metadata: { labels: { "app": "web" } },
                spec: { containers: [{ name: "web", image: "nginx" }] },
            },
        },
    })
}

/// Makes three, deletes one with options and the others by a selector; scales. What came of it.
async fn tour(client: &Client) -> Vec<String> {
    let (maps, deployments) = (maps(client), deployments(client));
    for name in ["x", "y", "z"] {
        maps.create(&map(name), &CreateOptions::default()).await.unwrap();
    }
    let x = maps.get("x").await.unwrap();
    let other = DeleteOptions::only("another");
    let mut told =
        vec![maps.delete("x", &other).await.unwrap_err().to_string().replace(x.uid(), "UID")];
    let options = DeleteOptions {
        resource_version: Some(x.resource_version().to_owned()),
        ..DeleteOptions::only(x.uid()).propagation(Propagation::Background).grace_period(0)
    };
    let gone = maps.delete("x", &options).await.unwrap();
    told.push(format!("gone {}", matches!(gone, Deleted::Gone { uid } if uid == x.uid())));
    let which = ListOptions::default().labels("a=b");
    let dry = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
    for options in [dry, DeleteOptions::default(), DeleteOptions::default()] {
        let page = maps.delete_collection(&options, &which).await.unwrap();
        assert!(page.malformed.is_empty());
        let names: Vec<_> = page.items.iter().map(|map| map.name()).collect();
        told.push(format!("deleted {names:?}"));
    }
    deployments.create(&web(), &CreateOptions::default()).await.unwrap();
    let mut scale = deployments.get_scale("web").await.unwrap();
    told.push(format!("{} of {:?}", scale.spec.replicas, scale.status.selector));
    scale.spec.replicas = 2;
    scale = deployments.update_scale("web", &scale, &UpdateOptions::default()).await.unwrap();
    told.push(scale.spec.replicas.to_string());
    told.push(deployments.scale_to("web", 3).await.unwrap().spec.replicas.to_string());
    let pods: Api<Pod> = client.api().namespace("default");
    let pod =
        object!(Pod { metadata: { name: "p" }, spec: { containers: [{ name: "a", image: "b" }] } });
    pods.create(&pod, &CreateOptions::default()).await.unwrap();
    told.push(
        pods.evict("p", &DeleteOptions::default().grace_period(0))
            .await
            .unwrap()
            .status
            .to_string(),
    );
    told
}

#[tokio::test(start_paused = true)]
async fn parts_and_deletes_tell_the_same_in_both_codecs() {
    let mut stories = Vec::new();
    for codec in [Codec::Json, Codec::Protobuf] {
        let (client, seen) = seen(&live().client.codec(codec), None);
        stories.push(tour(&client).await);
        let lines = seen.lock().unwrap().join("\n");
        match codec {
            Codec::Json => assert!(!lines.contains("protobuf"), "{lines}"),
            // A refusal is in the codec that was asked for. An eviction travels as JSON: its answer is a
            // Status, and the client needs no type for it.
            Codec::Protobuf => expect_test::expect![[r#"
                POST protobuf -> protobuf 
                POST protobuf -> protobuf 
                POST protobuf -> protobuf 
                GET -> protobuf 
                DELETE protobuf -> protobuf 
                DELETE protobuf -> protobuf 
                DELETE protobuf -> protobuf 
                DELETE -> protobuf 
                DELETE -> protobuf 
                POST protobuf -> protobuf 
                GET -> protobuf 
                PUT protobuf -> protobuf 
                PATCH merge-patch+json -> protobuf 
                POST protobuf -> protobuf 
                POST json -> json "#]]
            .assert_eq(&lines),
        }
    }
    assert_eq!(stories[0], stories[1]);
    expect_test::expect![[r#"
        delete configmaps default/x: Operation cannot be fulfilled on ConfigMap "x": the UID in the precondition (another) does not match the UID in record (UID). The object might have been deleted and then recreated
        gone true
        deleted ["y", "z"]
        deleted ["y", "z"]
        deleted []
        1 of "app=web"
        2
        3
        Success"#]].assert_eq(&stories[0].join("\n"));
}

#[tokio::test(start_paused = true)]
async fn whatever_is_asked_first_is_asked_again_in_json() {
    // 415 is said of what is sent alone: by two deletes with options, and of a scale.
    for (code, firsts) in [(406, &[0, 1, 2, 3, 4, 5][..]), (415, &[1, 3, 5])] {
        for first in firsts {
            let live = live();
            let json = live.client.clone().codec(Codec::Json);
            maps(&json).create(&map("x"), &CreateOptions::default()).await.unwrap();
            deployments(&json).create(&web(), &CreateOptions::default()).await.unwrap();
            let (client, seen) = seen(&live.client, Some(code));
            let (maps, deployments) = (maps(&client), deployments(&client));
            let change = Patch::merge(&serde_json::json!({ "data": { "c": "3" } }));
            let only = DeleteOptions::default().grace_period(0);
            match first {
                0 => drop(maps.patch("x", &change, &PatchOptions::default()).await.unwrap()),
                1 => drop(maps.delete("x", &only).await.unwrap()),
                2 => drop(maps.delete("x", &DeleteOptions::default()).await.unwrap()),
                3 => drop(maps.delete_collection(&only, &ListOptions::default()).await.unwrap()),
                4 => assert_eq!(deployments.scale_to("web", 3).await.unwrap().spec.replicas, 3),
                _ => {
                    let scale = deployments.get_scale("web").await.unwrap();
                    deployments
                        .update_scale("web", &scale, &UpdateOptions::default())
                        .await
                        .unwrap();
                }
            }
            let lines = seen.lock().unwrap().clone();
            let refused = lines.iter().position(|line| line.contains("-> json")).unwrap();
            let later = &lines[refused + 1..];
            assert!(
                !later.is_empty() && later.iter().all(|line| !line.contains("protobuf")),
                "{code} {first}: {lines:?}"
            );
        }
    }
}
