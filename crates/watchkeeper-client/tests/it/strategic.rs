//! Strategic merge patches of two values, laid over the first by the embedded server: out comes the second.

use proptest::prelude::*;
use serde_json::{Value, json};
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Container, ContainerPort, EnvVar, Service, Toleration};
use watchkeeper_api::{HasMeta as _, List, Unstructured, object};
use watchkeeper_client::{Api, CreateOptions, Patch, PatchOptions};
use watchkeeper_derive::Object;

use crate::live::{Live, live};

fn web() -> Deployment {
    object!(Deployment {
        metadata: { name: "web", labels: { "a": "1", "b": "2" }, finalizers: ["x/a", "x/b"] },
        spec: {
            selector: { match_labels: { "app": "web" } },
            template: {
                metadata: { labels: { "app": "web" } },
                spec: {
                    containers: [
                        {
                            name: "web", image: "web:1", args: ["-v", "-x"],
                            env: [{ name: "A", value: "1" }, { name: "B", value: "2" }],
                            ports: [{ container_port: 80 }, { container_port: 443 }],
                        },
                        { name: "side", image: "side:1" },
                    ],
                    tolerations: [
                        { key: "x", operator: "Exists" }, { key: "y", operator: "Exists" },
                    ],
                },
            },
        },
    })
}

fn deployments(live: &Live) -> Api<Deployment> {
    live.client.apps().v1().deployments("default")
}

/// What the server makes of an object, and whether that is what was wanted.
async fn check(name: &str, change: impl FnOnce(&mut Deployment)) {
    let live = live();
    let api = deployments(&live);
    let before = api.create(&web(), &CreateOptions::default()).await.unwrap();
    let mut after = before.clone();
    change(&mut after);
    let patch = Patch::strategic_from(&before, &after).unwrap().unwrap();
    assert!(matches!(patch, Patch::Strategic(_)), "{name}: {patch:?}");
    let mut made = api.patch("web", &patch, &PatchOptions::default()).await.unwrap();
    made.metadata.resource_version = before.metadata.resource_version.clone();
    made.metadata.generation = before.metadata.generation;
    made.metadata.managed_fields = before.metadata.managed_fields.clone();
    watchkeeper_api::diff::assert_same(&after, &made);
}

fn containers(web: &mut Deployment) -> &mut List<Container> {
    &mut web.spec.template.spec.containers
}

fn toleration(key: &str) -> Toleration {
    Toleration { key: key.into(), operator: "Exists".into(), ..Toleration::default() }
}

#[tokio::test(start_paused = true)]
async fn what_is_wanted_is_what_the_server_makes() {
    check("a container less", |web| containers(web).retain(|c| c.name != "web")).await;
    check("a container more", |web| {
        let more =
            Container { name: "new".into(), image: "n".into(), ..containers(web)[1].clone() };
        containers(web).edit(|all| all.insert(1, more));
    })
    .await;
    check("another order", |web| containers(web).reverse()).await;
    check("an image", |web| containers(web)[0].image = "web:2".into()).await;
    check("a list of values that is replaced", |web| {
        containers(web)[0].args.retain(|arg| arg != "-v");
    })
    .await;
    check("variables", |web| {
        let env = &mut containers(web)[0].env;
        env[1].value = "3".into();
        env[0] = EnvVar { name: "C".into(), value: "4".into(), ..EnvVar::default() };
    })
    .await;
    check("no variables", |web| containers(web)[0].env.clear()).await;
    check("a port less", |web| {
        containers(web)[0].ports.retain(|port| port.container_port != 80);
    })
    .await;
    check("ports of one number", |web| {
        let port = ContainerPort { protocol: "UDP".into(), ..containers(web)[0].ports[1].clone() };
        containers(web)[0].ports.push(port);
    })
    .await;
    check("tolerations, which are replaced", |web| {
        web.spec.template.spec.tolerations = List::from([toleration("y"), toleration("z")]).into();
    })
    .await;
    check("labels", |web| {
        web.metadata.labels.remove("a");
        web.metadata.labels.insert("c", "3");
    })
    .await;
    check("finalizers", |web| {
        web.metadata.finalizers = ["x/c".into(), "x/b".into()].into();
    })
    .await;
    check("no finalizers", |web| web.metadata.finalizers.clear()).await;
}

#[tokio::test(start_paused = true)]
async fn what_others_added_meanwhile_stays_unless_the_version_is_said() {
    let live = live();
    let api = deployments(&live);
    let before = api.create(&web(), &CreateOptions::default()).await.unwrap();
    let theirs = json!({
        "metadata": { "finalizers": ["they/were-here"] },
        "spec": { "template": { "spec": { "containers": [
            { "name": "theirs", "image": "t" },
            { "name": "web", "env": [{ "name": "THEIRS", "value": "1" }] },
        ] } } },
    });
    let options = PatchOptions::default();
    api.patch("web", &Patch::strategic(&theirs), &options).await.unwrap();

    let mut after = before.clone();
    after.metadata.finalizers.retain(|name| name != "x/a");
    containers(&mut after)[0].image = "web:2".into();
    containers(&mut after)[0].env.retain(|env| env.name != "A");
    containers(&mut after).retain(|c| c.name != "side");
    let locked = Patch::strategic_from_locked(&before, &after).unwrap().unwrap();
    assert!(api.patch("web", &locked, &options).await.unwrap_err().is_conflict());
    let free = Patch::strategic_from(&before, &after).unwrap().unwrap();
    let mut made = api.patch("web", &free, &options).await.unwrap();

    assert_eq!(made.metadata.finalizers, ["they/were-here", "x/b"]);
    let names = |made: &[EnvVar]| made.iter().map(|env| env.name.to_string()).collect::<Vec<_>>();
    let told = containers(&mut made).iter();
    let told: Vec<_> = told.map(|c| (c.name.as_str(), c.image.as_str(), names(&c.env))).collect();
    let theirs = vec!["THEIRS".to_owned(), "B".to_owned()];
    assert_eq!(told, [("theirs", "t", vec![]), ("web", "web:2", theirs)]);

    let mut newest = made.clone();
    newest.spec.replicas = Some(3);
    let locked = Patch::strategic_from_locked(&made, &newest).unwrap().unwrap();
    assert_eq!(api.patch("web", &locked, &options).await.unwrap().spec.replicas, Some(3));
    assert_eq!(Patch::strategic_from(&made, &made).unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn ports_of_a_service_that_share_a_number_are_replaced() {
    let live = live();
    let api = live.client.core().v1().services("default");
    let dns = object!(Service {
        metadata: { name: "dns" },
        spec: { ports: [
            { name: "udp", port: 53, protocol: "UDP" }, { name: "tcp", port: 53, protocol: "TCP" },
        ] },
    });
    let before = api.create(&dns, &CreateOptions::default()).await.unwrap();
    let mut after = before.clone();
    after.spec.ports[0].name = "dns".into();
    let patch = Patch::strategic_from(&before, &after).unwrap().unwrap();
    let made = api.patch("dns", &patch, &PatchOptions::default()).await.unwrap();
    assert_eq!(made.spec.ports, after.spec.ports);
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(crate = "watchkeeper_api", group = "x.dev", version = "v1", kind = "Foo")]
struct Foo {
    metadata: watchkeeper_api::meta::v1::ObjectMeta,
}

#[test]
fn of_kinds_that_are_not_built_in_it_is_a_merge_patch() {
    let before = object!(Foo { metadata: { name: "foo", finalizers: ["x/a"] } });
    let mut after = before.clone();
    after.metadata.finalizers.push("x/b".into());
    let patch = Patch::strategic_from(&before, &after).unwrap();
    assert_eq!(patch, Patch::merge_from(&before, &after).unwrap());
}

#[test]
fn an_unstructured_object_of_a_built_in_kind_is_known_all_the_same() {
    let before = Unstructured::new(&ConfigMap::KIND, "default", "x");
    let mut after = before.clone();
    after.metadata_mut().finalizers.push("x/a".into());
    let patch = Patch::strategic_from(&before, &after).unwrap();
    let expected = json!({ "metadata": { "finalizers": ["x/a"] } });
    assert_eq!(patch, Some(Patch::strategic(&expected)));
}

/// Some of four names, in any order, each with one of three values.
fn named() -> impl Strategy<Value = Vec<(&'static str, u8)>> {
    let names = Just(["a", "b", "c", "d"]).prop_shuffle();
    (names, prop::collection::vec(0_u8..3, 0..=4))
        .prop_map(|(names, values)| names.into_iter().zip(values).collect())
}

fn container(name: &str, image: u8, env: &[(&str, u8)], ports: &[(&str, u8)]) -> Value {
    let env: Vec<_> =
        env.iter().map(|(n, v)| json!({ "name": n, "value": v.to_string() })).collect();
    let ports: Vec<_> = ports
        .iter()
        .map(|(name, at)| json!({ "name": name, "containerPort": 80 + at, "protocol": "TCP" }))
        .collect();
    json!({ "name": name, "image": format!("i{image}"), "env": env, "ports": ports })
}

prop_compose! {
    fn any_web()(
        first in 0_u8..3, others in named(), env in named(), ports in named(), finalizers in named(),
    ) -> Deployment {
        let mut listed = vec![container("z", first, &env, &ports)];
        listed.extend(others.iter().map(|(name, image)| container(name, *image, &env, &ports)));
        let finalizers: Vec<_> = finalizers.iter().map(|(name, _)| format!("x/{name}")).collect();
        let whole = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "web", "finalizers": finalizers },
            "spec": {
                "selector": { "matchLabels": { "app": "web" } },
                "template": {
                    "metadata": { "labels": { "app": "web" } }, "spec": { "containers": listed },
                },
            },
        });
        watchkeeper_api::json::from_slice(whole.to_string().as_bytes()).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_wanted_is_made(before in any_web(), after in any_web()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let live = live();
            let api = deployments(&live);
            api.create(&before, &CreateOptions::default()).await.unwrap();
            if let Some(patch) = Patch::strategic_from(&before, &after).unwrap() {
                let made = api.patch("web", &patch, &PatchOptions::default()).await.unwrap();
                assert_eq!(made.metadata.finalizers, after.metadata.finalizers);
                let lists = |web: &Deployment| {
                    let containers = &web.spec.template.spec.containers;
                    let of = |c: &Container| (c.name.clone(), c.image.clone(), c.env.clone(), c.ports.clone());
                    containers.iter().map(of).collect::<Vec<_>>()
                };
                assert_eq!(lists(&made), lists(&after));
            }
        });
    }
}
