//! A program with webhooks, and what writes become of them: two servers that tell the same story ask alike.
//!
//! It works in a namespace of its own, takes away what it made, and tells nothing that differs from run to run. Its
//! certificates are a [`Rotation`]'s, which writes into the configurations and the definition whom to trust.

use std::fmt::{Display, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::Namespace;
use watchkeeper_api::{Writable, object};
use watchkeeper_client::{
    Asked, Client, CreateOptions, DeleteOptions, Error, NoticeHandler, Result, Warning,
};
use watchkeeper_manager::webhook::{Place, Rotation, WebhookServer, Webhooks};
use watchkeeper_manager::{Manager, Tls};

#[path = "story/maps.rs"]
mod maps;
#[path = "story/masts.rs"]
mod masts;

const NAMESPACE: &str = "watchkeeper-webhooks";
const CONFIGURATION: &str = "watchkeeper-webhooks";

/// Walks through everything with a program that is asked at `listener`, and tells what happened.
///
/// # Errors
/// Whatever a healthy server would not answer.
pub(crate) async fn webhooks(client: &Client, listener: TcpListener) -> Result<String> {
    let told = Told::default();
    let client = client.clone().notices(Arc::new(told.clone()));
    let address = listener.local_addr();
    let port = address.map_err(|error| Error::other(format!("no port: {error}")))?.port();
    let place = Place::url(&format!("https://localhost:{port}"));
    create(&client, &object!(Namespace { metadata: { name: NAMESPACE } })).await?;
    let ran = run(&client, listener, &place, &told).await;
    let ended = ended(&client, &told).await;
    let cleared = clear(&client).await;
    ran.and(ended).and(cleared)?;
    let text = told.0.lock().map(|text| text.clone());
    text.map_err(|_| Error::other("the story broke off"))
}

/// The program, as long as it is there to be asked.
async fn run(client: &Client, listener: TcpListener, place: &Place, told: &Told) -> Result<()> {
    let webhooks: Webhooks = masts::converted(maps::webhooks());
    let mutating = maps::mutating(webhooks.mutating_configuration(CONFIGURATION, place));
    let validating = maps::validating(webhooks.validating_configuration(CONFIGURATION, place));
    create(client, &mutating).await?;
    create(client, &validating).await?;
    create(client, &masts::definition(place)?).await?;
    let rotation = Rotation::new(NAMESPACE, "certificates")
        .name("localhost")
        .mutating(CONFIGURATION)
        .validating(CONFIGURATION)
        .definition(masts::DEFINITION);
    let server = WebhookServer::new(listener, Tls::rotated(rotation), webhooks);
    let manager = Manager::new(client).serve_webhooks(server);
    let started = manager.webhooks_started();
    let (mut walked, script) = (Ok(()), async {
        while started().await.is_err() {
            sleep(SOON).await;
        }
        maps::are_asked(client).await?;
        maps::walk(client, told).await?;
        masts::walk(client, told).await
    });
    let script = async { walked = script.await };
    Box::pin(manager.run(script)).await?;
    walked
}

/// What writes come to once the program is gone.
async fn ended(client: &Client, told: &Told) -> Result<()> {
    let gone = create(client, &maps::map("late", "red")).await;
    let gone = gone.err().ok_or_else(|| Error::other("nobody was asked"))?;
    let code = gone.status().map_or(0, |status| status.code);
    let why = gone.to_string();
    let is_refused = why.contains("failed calling webhook") && why.contains("connection refused");
    told.tell(format!("without the program: {code}, as the connection is refused: {is_refused}"));
    Ok(())
}

async fn clear(client: &Client) -> Result<()> {
    let options = DeleteOptions::default();
    let mutating = client.api::<MutatingWebhookConfiguration>();
    let validating = client.api::<ValidatingWebhookConfiguration>();
    let definitions = client.api::<CustomResourceDefinition>();
    let gone = [
        mutating.delete(CONFIGURATION, &options).await.err(),
        validating.delete(CONFIGURATION, &options).await.err(),
        definitions.delete(masts::DEFINITION, &options).await.err(),
        client.api::<Namespace>().delete(NAMESPACE, &options).await.err(),
    ];
    gone.into_iter().flatten().next().map_or(Ok(()), Err)
}

/// How long to wait for what comes by itself.
const SOON: Duration = Duration::from_millis(200);
/// How often.
const PATIENCE: usize = 300;

async fn create<K: Writable>(client: &Client, object: &K) -> Result<K> {
    client.api_for(object).create(object, &CreateOptions::default()).await
}

/// What happened, line by line.
#[derive(Clone, Default)]
pub(crate) struct Told(Arc<Mutex<String>>);

impl Told {
    fn tell(&self, line: impl Display) {
        if let Ok(mut text) = self.0.lock() {
            // Writing to a String cannot fail.
            let _infallible = writeln!(text, "{line}");
        }
    }

    /// A refusal, with what a program may act on.
    fn refused<T>(&self, what: &str, result: Result<T>) {
        let Err(error) = result else { return self.tell(format!("{what}: was allowed")) };
        let Some(status) = error.status() else { return self.tell(format!("{what}: {error}")) };
        self.tell(format!("{what}: {} {}: {}", status.code, status.reason, status.message));
        for cause in status.details.iter().flat_map(|details| &details.causes) {
            self.tell(format!("  {} at {}: {}", cause.reason, cause.field, cause.message));
        }
    }
}

impl NoticeHandler for Told {
    fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
        self.tell(format!("warned at {}: {}", asked.method, warning.text));
    }
}
