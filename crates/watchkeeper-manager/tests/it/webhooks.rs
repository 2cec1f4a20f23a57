//! Webhooks that API servers ask: over HTTPS, with certificates of a program's own making.

mod order;

use std::io::Error as IoError;
use std::net::SocketAddr;
use std::time::Duration;

use expect_test::expect_file;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::sleep;
use watchkeeper_api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Secret};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Object as _, Result, Time, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::Clock;
use watchkeeper_manager::webhook::{
    FieldError, Place, Refusal, Reviewed, Rotation, SelfMade, WebhookServer, Webhooks, admitting,
    convert_at, defaulting, inject_ca_from, validating,
};
use watchkeeper_manager::{Manager, Tls};

use crate::nowhere;
use crate::probes::{free_port, nobody_listens};

/// Every map has a colour, and it is red.
fn red_maps() -> Webhooks {
    Webhooks::new()
        .defaulter(defaulting(|map: &mut ConfigMap, review| {
            assert_ne!(review.name, "bad", "so bad");
            let colour = map.data.slot("colour");
            if colour.is_empty() {
                *colour = "red".into();
                review.warn("it shall be red");
            }
            Ok(())
        }))
        .validator(validating(|map: &ConfigMap, _| match map.data.get("colour") {
            Some(colour) if colour == "red" => Ok(()),
            other => {
                let colour = other.map_or("", |colour| &**colour);
                let wrong = FieldError::not_supported("data[colour]", colour, &["red"]);
                Err(Refusal::invalid(map, [wrong]))
            }
        }))
}

async fn create<K: watchkeeper_api::Writable>(client: &Client, object: &K) -> Result<K> {
    client.api_for(object).create(object, &CreateOptions::default()).await
}

fn map(name: &str, colour: &str) -> ConfigMap {
    object!(ConfigMap {
        metadata: { name: name, namespace: "default" }, data: { "colour": colour },
    })
}

fn status(refused: Result<ConfigMap>) -> Status {
    refused.expect_err("it is refused").status().expect("the server answered").clone()
}

#[tokio::test]
async fn an_api_server_asks_over_https() {
    let client = Client::new(ApiServer::new());
    let (listener, address) = free_port();
    let made = SelfMade::certificate(["localhost"]).expect("a certificate");
    let server = WebhookServer::new(listener, made.tls(), red_maps());
    let manager = Manager::new(&client).serve_webhooks(server);
    let started = manager.webhooks_started();
    let early = started().await.expect_err("it does not run");
    assert_eq!(early.to_string(), "webhook server has not been started yet");
    let url = format!("https://localhost:{}", address.port());
    let place = Place::url(&url).ca_bundle(made.ca_bundle());
    let script = async {
        started().await.expect("it listens");
        create(&client, &red_maps().mutating_configuration("m", &place)).await.expect("made");
        create(&client, &red_maps().validating_configuration("v", &place)).await.expect("made");
        let red = create(&client, &map("a", "")).await.expect("it was given a colour");
        assert_eq!(red.data.get("colour").map(|colour| &**colour), Some("red"));

        let blue = status(create(&client, &map("b", "blue")).await);
        assert_eq!((blue.code, &*blue.reason), (422, "Invalid"));
        let said = "admission webhook \"validate.configmaps.v1\" denied the request: ConfigMap \
                    \"b\" is invalid: data[colour]: Unsupported value: \"blue\": supported values: \"red\"";
        assert_eq!(blue.message, said);
        assert_eq!(blue.details.expect("details").causes[0].field, "data[colour]");

        let bad = status(create(&client, &map("bad", "")).await);
        assert_eq!(bad.code, 500);
        assert!(bad.message.contains("panic: ") && bad.message.contains("so bad"), "{bad:?}");
    };
    manager.run(script).await.expect("a clean stop");
    nobody_listens(address).await;
    let gone = status(create(&client, &map("c", "")).await);
    assert!(gone.message.contains("connection refused"), "{gone:?}");
}

/// The real kube-apiserver tells it, too: `cargo xtask conformance webhooks`.
#[tokio::test]
async fn the_story_of_the_example_is_told() {
    let told =
        Box::pin(crate::story::webhooks(&Client::new(ApiServer::new()), free_port().0)).await;
    expect_file!["../../examples/webhooks/expected.txt"].assert_eq(&told.expect("a story"));
}

/// What is written to a socket that speaks TLS, and what comes back.
async fn said(address: SocketAddr, text: &[u8]) -> Result<String, IoError> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(text).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[tokio::test]
async fn who_does_not_speak_tls_is_told_nothing() {
    let (listener, address) = free_port();
    let server = WebhookServer::new(listener, Tls::self_signed(), red_maps());
    let script = async {
        let answer = said(address, b"POST /mutate--v1-configmap HTTP/1.1\r\n\r\n").await;
        assert!(answer.is_ok_and(|answer| !answer.contains("HTTP")));
    };
    Manager::new(&nowhere()).serve_webhooks(server).run(script).await.expect("a clean stop");
}

#[tokio::test]
async fn webhooks_that_do_not_fit_together_fail_the_run() {
    let twice = admitting(|_| Reviewed::allowed());
    let webhooks = red_maps().admission("/mutate--v1-configmap", twice);
    let server = WebhookServer::new("127.0.0.1:0", Tls::self_signed(), webhooks);
    let manager = Manager::new(&nowhere()).serve_webhooks(server);
    let error = manager.run(async {}).await.expect_err("it cannot be");
    assert_eq!(error.to_string(), "webhooks: /mutate--v1-configmap is taken twice");
}

#[tokio::test]
async fn webhooks_that_are_nowhere_keep_nobody_from_being_ready() {
    let server = WebhookServer::new("0", Tls::self_signed(), red_maps());
    let manager = Manager::new(&nowhere()).serve_webhooks(server);
    let started = manager.webhooks_started();
    let script = async { started().await.expect("there is nothing to wait for") };
    manager.run(script).await.expect("a clean stop");
}

const DAY: i64 = 24 * 60 * 60;

fn rotation() -> Rotation {
    Rotation::new("ops", "certs")
        .service("hooks")
        .mutating("m")
        .validating("v")
        .definition("masts.sea")
}

/// A manager whose certificates rotate, on a day after 2001.
fn rotating(client: &Client, day: i64) -> Manager {
    let (listener, _) = free_port();
    let clock = Clock::starting_at(Time::from_unix(1_000_000_000 + day * DAY));
    let server = WebhookServer::new(listener, Tls::rotated(rotation()), red_maps());
    Manager::new(client).clock(clock).serve_webhooks(server)
}

/// Runs a manager until its webhooks have been ready for a minute, and gives the secret.
async fn minute(client: &Client, manager: Manager) -> Secret {
    let started = manager.webhooks_started();
    let script = async {
        while started().await.is_err() {
            sleep(Duration::from_secs(1)).await;
        }
        sleep(Duration::from_secs(60)).await;
    };
    manager.run(script).await.expect("a clean stop");
    client.api::<Secret>().namespace("ops").get("certs").await.expect("the secret")
}

async fn configured(client: &Client) {
    let place = Place::service("ops", "hooks");
    create(client, &object!(Namespace { metadata: { name: "ops" } })).await.expect("made");
    create(client, &red_maps().mutating_configuration("m", &place)).await.expect("made");
    create(client, &red_maps().validating_configuration("v", &place)).await.expect("made");
}

async fn bundles(client: &Client) -> [String; 2] {
    let mutating = client.api::<MutatingWebhookConfiguration>().get("m").await.expect("there");
    let validating = client.api::<ValidatingWebhookConfiguration>().get("v").await.expect("there");
    [&mutating.webhooks[0].client_config, &validating.webhooks[0].client_config]
        .map(|config| config.ca_bundle.as_text().expect("PEM").to_owned())
}

fn kept<'a>(secret: &'a Secret, name: &str) -> &'a str {
    secret.data.get(name).and_then(|data| data.as_text()).expect("it is kept")
}

#[tokio::test(start_paused = true)]
async fn certificates_are_made_trusted_and_renewed() {
    let client = Client::new(ApiServer::new());
    configured(&client).await;
    let first = minute(&client, rotating(&client, 0)).await;
    assert_eq!(bundles(&client).await, [kept(&first, "ca.crt"); 2]);
    assert!(kept(&first, "tls.key").contains("PRIVATE KEY"));

    // A configuration that is applied anew has lost what it trusted.
    let place = Place::service("ops", "hooks");
    let configurations = client.api::<MutatingWebhookConfiguration>();
    let mut anew = red_maps().mutating_configuration("m", &place);
    let found = configurations.get("m").await.expect("there");
    anew.metadata.resource_version = found.metadata.resource_version;
    configurations.update(&anew).await.expect("written");
    let again = minute(&client, rotating(&client, 10)).await;
    assert_eq!(again.data, first.data, "nothing is due");
    assert_eq!(bundles(&client).await, [kept(&first, "ca.crt"); 2]);

    let renewed = minute(&client, rotating(&client, 61)).await;
    assert_eq!(kept(&renewed, "ca.crt"), kept(&first, "ca.crt"));
    assert_ne!(kept(&renewed, "tls.crt"), kept(&first, "tls.crt"));
    let years = minute(&client, rotating(&client, 5 * 365)).await;
    assert!(
        kept(&years, "ca.crt").ends_with(kept(&first, "ca.crt")),
        "the old one is trusted, too"
    );
    assert_ne!(kept(&years, "ca.key"), kept(&first, "ca.key"));
}

#[tokio::test(start_paused = true)]
async fn replicas_agree_on_a_certificate() {
    let client = Client::new(ApiServer::new());
    configured(&client).await;
    let (one, other) = (rotating(&client, 0), rotating(&client, 0));
    let (one, other) = tokio::join!(minute(&client, one), minute(&client, other));
    assert_eq!(one.data, other.data);
    let parsed = [kept(&one, "tls.crt"), kept(&one, "tls.key")];
    assert!(parsed.iter().all(|pem| pem.contains("BEGIN")));
}

#[tokio::test(start_paused = true)]
async fn without_a_server_to_keep_them_there_are_no_certificates_yet() {
    let manager = rotating(&nowhere(), 0);
    let started = manager.webhooks_started();
    let script = async {
        sleep(Duration::from_secs(60)).await;
        let error = started().await.expect_err("there is none");
        assert!(error.to_string().starts_with("webhook server has no certificate yet"), "{error}");
    };
    manager.run(script).await.expect("a clean stop");
}

#[test]
fn what_a_rotation_needs_is_told() {
    let client = Client::unconnected();
    let server = WebhookServer::new("0", Tls::rotated(rotation()), red_maps());
    let manager = Manager::new(&client).serve_webhooks(server);
    let needs = manager.needs();
    let needs: Vec<_> = needs.iter().map(|need| need.permission.to_string()).collect();
    assert_eq!(needs.len(), 9, "{needs:?}");
    for verb in ["create", "get", "update"] {
        let known = |need: &&String| need.starts_with(verb) && need.contains("secrets");
        assert_eq!(needs.iter().filter(known).count(), 1, "{verb}: {needs:?}");
    }
    let patches = needs.iter().filter(|need| need.starts_with("patch")).count();
    assert_eq!(patches, 3, "{needs:?}");
}

#[test]
fn configurations_say_where_and_whom_to_trust() {
    let place = Place::service("ops", "hooks");
    let mut mutating = red_maps().mutating_configuration("m", &place);
    inject_ca_from(&mut mutating, "ops", "serving-cert");
    let from = mutating.annotation("cert-manager.io/inject-ca-from");
    assert_eq!(from, Some("ops/serving-cert"));
    let service = mutating.webhooks[0].client_config.service.as_deref().expect("a service");
    assert_eq!(service.path.as_deref(), Some("/mutate--v1-configmap"));
    let mut definition = object!(CustomResourceDefinition { metadata: { name: "masts.sea" } });
    convert_at(&mut definition, &Place::url("https://localhost:1/").ca_bundle("PEM"));
    let conversion = definition.spec.conversion.expect("one");
    let config = conversion.webhook.expect("a webhook").client_config.expect("one");
    assert_eq!(config.url.as_deref(), Some("https://localhost:1/convert"));
    assert_eq!(config.ca_bundle.as_text(), Some("PEM"));
}
