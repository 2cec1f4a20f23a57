//! Webhooks of a program that the cluster's API server asks in the process.

use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object as _, object};
use watchkeeper_client::{Client, CreateOptions, ListOptions, Patch, PatchOptions};
use watchkeeper_cluster::testing::{self, Options, TestCluster};
use watchkeeper_manager::webhook::{FieldError, Refusal, Review, Validator, Webhooks, defaulting};

/// A deployment may only grow.
struct Grows;

impl Validator<Deployment> for Grows {
    async fn validate_create(&self, _: &Deployment, _: &Review) -> Result<(), Refusal> {
        Ok(())
    }

    async fn validate_update(
        &self,
        old: &Deployment,
        new: &Deployment,
        review: &Review,
    ) -> Result<(), Refusal> {
        if review.is_dry_run() || new.spec.replicas >= old.spec.replicas {
            return Ok(());
        }
        let fewer = FieldError::forbidden("spec.replicas", "there can only be more");
        Err(Refusal::invalid(new, [fewer]))
    }
}

fn webhooks() -> Webhooks {
    Webhooks::new()
        .defaulter(defaulting(|web: &mut Deployment, _| {
            web.spec.template.metadata.labels.insert("team", "web");
            Ok(())
        }))
        .validator(Grows)
}

async fn create<K: watchkeeper_api::Writable>(client: &Client, object: &K) -> K {
    client.api_for(object).create(object, &CreateOptions::default()).await.expect("created")
}

#[test]
fn webhooks_of_a_program_change_and_refuse_writes() {
    testing::run(Options::default(), async |test: TestCluster| {
        let (client, place) = (test.client(), test.cluster().answer_webhooks(&webhooks()));
        create(client, &webhooks().mutating_configuration("web", &place)).await;
        create(client, &webhooks().validating_configuration("web", &place)).await;
        let web = object!(Deployment {
            metadata: { name: "web", namespace: "default" },
            spec: {
                replicas: 2,
                selector: { match_labels: { "app": "web" } },
                template: {
                    metadata: { labels: { "app": "web" } },
                    spec: { containers: [{ name: "a", image: "a:1" }] },
                },
            },
        });
        let web = create(client, &web).await;
        test.settled().await;
        let pods = client.api::<Pod>().namespace("default");
        let pods = pods.list(&ListOptions::default().labels("team=web")).await.expect("a list");
        assert_eq!(pods.items.len(), 2, "the pods have what the template was given");

        let deployments = client.api_for(&web);
        let scale =
            |replicas| Patch::merge(&serde_json::json!({ "spec": { "replicas": replicas } }));
        let fewer = deployments.patch(web.name(), &scale(1), &PatchOptions::default()).await;
        let fewer = fewer.expect_err("there can only be more");
        assert!(fewer.is_invalid(), "{fewer}");
        let said = "admission webhook \"validate.deployments.v1.apps\" denied the request: \
                    Deployment.apps \"web\" is invalid: spec.replicas: Forbidden: there can only be more";
        assert!(fewer.to_string().ends_with(said), "{fewer}");
        deployments.patch(web.name(), &scale(3), &PatchOptions::default()).await.expect("more");
    });
}
