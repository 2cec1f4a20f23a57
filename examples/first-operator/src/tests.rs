use watchkeeper::api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper::client::access::{self, AccessRecorder, Need};
use watchkeeper::prelude::*;
use watchkeeper::testing::TestCluster;

use crate::controller::site_controller;
use crate::site::Site;

#[watchkeeper::test]
async fn a_site_gets_its_servers_and_leaves_nothing(test: TestCluster) {
    let client = test.client();
    let definitions = client.api::<CustomResourceDefinition>();
    definitions.create(&Site::crd(), &Default::default()).await.unwrap();

    // The program, with a note of what it asks the server for.
    let recorder = AccessRecorder::new();
    let recorded = test.cluster().client("site").recorded_by(&recorder);
    let mut needs = Need::to_lead("default", "first-operator");
    test.start_as("site", &recorded, |manager| {
        site_controller(manager);
        needs.extend(manager.needs());
    });

    let sites = client.api::<Site>().namespace("default");
    let blog = object!(Site {
        metadata: { name: "blog" },
        spec: { host: "blog.example.com", replicas: 2 },
    });
    sites.create(&blog, &Default::default()).await.unwrap();
    test.settled().await;
    let ready = sites.get("blog").await.unwrap();
    assert_eq!(ready.status.ready, 2);

    // Another host is another generation, which is as ready as the one before has been since then.
    let mut moved = ready.clone();
    moved.spec.host = "news.example.com".into();
    sites.update(&moved).await.unwrap();
    test.settled().await;
    let (before, now) = (&ready.status.conditions[0], sites.get("blog").await.unwrap());
    let after = &now.status.conditions[0];
    assert_eq!((before.observed_generation, after.observed_generation), (1, 2));
    assert_eq!((&*after.status, now.metadata.generation), ("True", 2));
    assert_eq!(before.last_transition_time, after.last_transition_time);
    let maps = client.api::<ConfigMap>().namespace("default");
    let directory = maps.get("sites").await.unwrap();
    assert_eq!(directory.data.get("default.blog").unwrap(), "news.example.com");

    sites.delete("blog", &Default::default()).await.unwrap();
    test.settled().await;
    let deployments = client.api::<Deployment>().namespace("default");
    assert!(deployments.get("blog").await.unwrap_err().is_not_found());
    assert!(maps.get("sites").await.unwrap().data.is_empty());

    // What the role of the program is made of.
    let access = access::document("first-operator", &needs, &recorder);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write("config/access.json", &access).unwrap();
    }
    let kept = std::fs::read_to_string("config/access.json").unwrap();
    assert_eq!(kept, access, "UPDATE=1 cargo test writes it anew");
}
