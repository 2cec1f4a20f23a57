//! Certificates of a program's own making, renewed in time, and trusted where they have to be.

use std::fmt;
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::Secret;
use watchkeeper_api::{ByteString, Error, Result, StaticKind, Time, Writable};
use watchkeeper_client::access::{Need, Permission};
use watchkeeper_client::{Api, Client, CreateOptions, Patch, PatchOptions, Verb};
use watchkeeper_controller::Clock;

use self::state::{Kept, Lives, Serving, Step};
use super::authority::{self, Pair};

mod kept;
mod state;

/// How often it is looked whether somebody has changed something: a configuration that is applied anew has lost
/// what it trusts.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// How soon it is tried again after a failure.
const AGAIN_AFTER: Duration = Duration::from_secs(2);
/// How long a request may take.
const REQUEST: Duration = Duration::from_secs(10);
/// An authority, a certificate, and as much for a replica that was faster.
const MOST_STEPS: usize = 8;

/// Certificates for webhooks that the program makes by itself: no cert-manager, and nothing to mount.
///
/// Keys are kept in a secret, which all replicas use; whoever sees first that something is due makes it. A
/// certificate is good for ninety days and renewed with thirty left. The authority lasts five years; its successor
/// is trusted for an hour before it vouches for anything. What is to be trusted is written to the configurations
/// that are named here, and looked after each half minute, as one that is applied anew has lost it.
///
/// What the program needs for that, [`Manager::needs`](crate::Manager::needs) tells: to get, create and update the
/// secret, and to get and patch the configurations.
///
/// ```
/// use watchkeeper_manager::webhook::{Rotation, Webhooks, WebhookServer};
/// use watchkeeper_manager::{Manager, Tls};
///
/// # fn f(client: &watchkeeper_client::Client) {
/// let rotation = Rotation::new("ops", "webhook-certificates")
///     .service("webhooks") // webhooks.ops.svc
///     .mutating("my-operator")
///     .validating("my-operator")
///     .definition("masts.example.com");
/// let server = WebhookServer::new(":9443", Tls::rotated(rotation), Webhooks::new());
/// let manager = Manager::new(client).serve_webhooks(server);
/// # drop(manager);
/// # }
/// # f(&watchkeeper_client::Client::unconnected());
/// ```
#[derive(Clone, PartialEq, Eq)]
#[must_use = "a server has to be given it: `Tls::rotated`"]
pub struct Rotation {
    namespace: String,
    secret: String,
    names: Vec<String>,
    targets: Vec<Target>,
    lives: Lives,
}

/// Where it is written whom to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Mutating(String),
    Validating(String),
    Definition(String),
}

impl Rotation {
    /// Keys kept in this secret, which need not be there.
    pub fn new(namespace: impl Into<String>, secret: impl Into<String>) -> Self {
        let (namespace, secret) = (namespace.into(), secret.into());
        Self { namespace, secret, names: vec![], targets: vec![], lives: Lives::default() }
    }

    /// Certificates for a service of the secret's namespace, as API servers call it: `NAME.NAMESPACE.svc`.
    pub fn service(self, name: &str) -> Self {
        let name = format!("{name}.{}.svc", self.namespace);
        self.name(name)
    }

    /// Certificates for this name or address, too: where configurations have a `url`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    /// Lets this `MutatingWebhookConfiguration` trust the certificates, in all its webhooks.
    pub fn mutating(self, name: impl Into<String>) -> Self {
        self.target(Target::Mutating(name.into()))
    }

    /// Lets this `ValidatingWebhookConfiguration` trust the certificates, in all its webhooks.
    pub fn validating(self, name: impl Into<String>) -> Self {
        self.target(Target::Validating(name.into()))
    }

    /// Lets this `CustomResourceDefinition` trust the certificates, if its conversion is a webhook's.
    pub fn definition(self, name: impl Into<String>) -> Self {
        self.target(Target::Definition(name.into()))
    }

    fn target(mut self, target: Target) -> Self {
        self.targets.push(target);
        self
    }

    /// What the program needs to be allowed.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let reason = "webhooks make their certificates by themselves";
        let on =
            |kind, verb, name: &str| Need::new(Permission::on(kind, verb), reason).of(Some(name));
        let secrets = Secret::static_kind();
        let create = Need::new(Permission::on(secrets, Verb::Create), reason);
        let secret = [Verb::Get, Verb::Update].map(|verb| on(secrets, verb, &self.secret));
        let secret = secret.into_iter().chain([create]);
        let mut needs: Vec<_> =
            secret.map(|need| need.within(Some(self.namespace.as_str()))).collect();
        for target in &self.targets {
            let (kind, name) = match target {
                Target::Mutating(name) => (MutatingWebhookConfiguration::static_kind(), name),
                Target::Validating(name) => (ValidatingWebhookConfiguration::static_kind(), name),
                Target::Definition(name) => (CustomResourceDefinition::static_kind(), name),
            };
            needs.extend([Verb::Get, Verb::Patch].map(|verb| on(kind, verb, name)));
        }
        needs
    }

    /// Keeps certificates up to date, and shows each that is to be served. Failures are told in the log, and tried
    /// again.
    ///
    /// # Cancel safety
    /// Dropping the future stops it; what was written stays, and whoever goes on begins there.
    pub(crate) async fn run<F>(self, client: Client, clock: Clock, show: F)
    where
        F: Fn(&str, &str) -> Result<()>,
    {
        let client = client.deadline(REQUEST);
        loop {
            let wait = match self.turn(&client, clock.now(), &show).await {
                Ok(()) => LOOK_EVERY,
                Err(error) => {
                    tracing::warn!(%error, "the certificates of webhooks are not looked after");
                    AGAIN_AFTER
                }
            };
            sleep(wait).await;
        }
    }

    /// Does all that is due now.
    async fn turn<F>(&self, client: &Client, now: Time, show: &F) -> Result<()>
    where
        F: Fn(&str, &str) -> Result<()>,
    {
        if self.names.is_empty() {
            return Err(Error::usage("a rotation has no name to vouch for: name its service"));
        }
        let secret = self.current(client, now).await?;
        // Trusted first, and then served.
        let trusted = self.trust(client, &kept::bundle(&secret)).await;
        if let Some(Pair { certificate, key }) = kept::pair(&secret) {
            show(&certificate, &key)?;
        }
        trusted
    }

    /// The secret, once nothing in it is due.
    async fn current(&self, client: &Client, now: Time) -> Result<Secret> {
        let secrets = client.api::<Secret>().namespace(self.namespace.as_str());
        for _ in 0..MOST_STEPS {
            let found = secrets.get_opt(&self.secret).await?;
            let is_new = found.is_none();
            let mut secret = found.unwrap_or_else(|| kept::empty(&self.namespace, &self.secret));
            if !self.carry_out(now, &mut secret)? {
                return Ok(secret);
            }
            let written = match is_new {
                true => secrets.create(&secret, &CreateOptions::default()).await,
                false => secrets.update(&secret).await,
            };
            match written {
                Ok(_) => tracing::info!(secret = self.secret, "a certificate was made"),
                // Another replica was faster; what it made is looked at.
                Err(error) if error.is_conflict() || error.is_already_exists() => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::other(format!("secret {}/{} does not settle", self.namespace, self.secret)))
    }

    /// Makes what is due; false if nothing is.
    fn carry_out(&self, now: Time, secret: &mut Secret) -> Result<bool> {
        let mut changed = false;
        loop {
            let known = kept::read(secret);
            match (state::next(now, self.lives, &self.names, known.as_ref()), known) {
                (Step::Authority(validity), _) => {
                    let made = authority::authority(validity)?;
                    kept::put_authority(secret, &made, validity);
                }
                (Step::Serving(validity), Some(Kept { authority, .. })) => {
                    let key = kept::authority_key(secret);
                    let made = authority::serving(authority, key, &self.names, validity)?;
                    let serving = Serving { validity, names: self.names.clone() };
                    kept::put_serving(secret, &made, &serving);
                }
                (Step::Serving(_) | Step::Rest(_), _) => return Ok(changed),
            }
            changed = true;
        }
    }

    /// Writes what is to be trusted wherever it is not written. Each is tried, and the first failure told.
    async fn trust(&self, client: &Client, bundle: &ByteString) -> Result<()> {
        let mut result = Ok(());
        for target in &self.targets {
            let trusted = match target {
                Target::Mutating(name) => {
                    let change = |found: &mut MutatingWebhookConfiguration| {
                        found.webhooks.edit(|webhooks| {
                            for webhook in webhooks {
                                webhook.client_config.ca_bundle = bundle.clone();
                            }
                        });
                    };
                    edit(&client.api(), name, change).await
                }
                Target::Validating(name) => {
                    let change = |found: &mut ValidatingWebhookConfiguration| {
                        found.webhooks.edit(|webhooks| {
                            for webhook in webhooks {
                                webhook.client_config.ca_bundle = bundle.clone();
                            }
                        });
                    };
                    edit(&client.api(), name, change).await
                }
                Target::Definition(name) => {
                    edit(&client.api(), name, |found| convert_trusting(found, bundle)).await
                }
            };
            result = result.and(trusted);
        }
        result
    }
}

/// Changes an object that is there, unless it is as it is to be. One that is not there comes later.
async fn edit<K>(objects: &Api<K>, name: &str, change: impl FnOnce(&mut K)) -> Result<()>
where
    K: StaticKind + Writable,
{
    let Some(before) = objects.get_opt(name).await? else { return Ok(()) };
    let mut after = before.clone();
    change(&mut after);
    let Some(patch) = Patch::strategic_from_locked(&before, &after)? else { return Ok(()) };
    match objects.patch(name, &patch, &PatchOptions::default()).await {
        Ok(_) => {
            tracing::info!(name, kind = &*before.kind().kind, "it trusts the webhooks");
            Ok(())
        }
        // It has changed meanwhile: the next look sees it.
        Err(error) if error.is_conflict() || error.is_not_found() => Ok(()),
        Err(error) => Err(error),
    }
}

fn convert_trusting(definition: &mut CustomResourceDefinition, bundle: &ByteString) {
    let conversion = definition.spec.conversion.as_deref_mut();
    let webhook = conversion.and_then(|conversion| conversion.webhook.as_deref_mut());
    if let Some(config) = webhook.and_then(|webhook| webhook.client_config.as_deref_mut()) {
        config.ca_bundle = bundle.clone();
    }
}

impl fmt::Debug for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rotation")
            .field("secret", &format_args!("{}/{}", self.namespace, self.secret))
            .field("names", &self.names)
            .field("targets", &self.targets)
            .finish_non_exhaustive()
    }
}
