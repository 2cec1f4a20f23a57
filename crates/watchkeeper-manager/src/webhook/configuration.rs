//! What tells API servers of webhooks: configurations, made of the webhooks themselves.

use watchkeeper_api::admissionregistration::v1::{
    MutatingWebhook, MutatingWebhookConfiguration, RuleWithOperations, ServiceReference,
    ValidatingWebhook, ValidatingWebhookConfiguration, WebhookClientConfig,
};
use watchkeeper_api::apiextensions::v1::{
    self as extensions, CustomResourceConversion, CustomResourceDefinition, WebhookConversion,
};
use watchkeeper_api::{ByteString, HasMeta, IStr, Kind, object};

use super::{CONVERT_PATH, Webhooks, mutate_path, validate_path};

/// Where an API server finds a program's webhooks, and by what it knows them.
///
/// ```
/// use watchkeeper_manager::webhook::Place;
///
/// let in_the_cluster = Place::service("ops", "webhooks");
/// # let pem = "";
/// let on_my_desk = Place::url("https://10.0.0.7:9443").ca_bundle(pem);
/// # drop((in_the_cluster, on_my_desk));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    at: At,
    ca_bundle: ByteString,
}

#[derive(Clone, Debug, PartialEq)]
enum At {
    Service { namespace: IStr, name: IStr },
    Url(String),
}

impl Place {
    /// Behind a service of the cluster, at its port 443.
    #[must_use]
    pub fn service(namespace: &str, name: &str) -> Self {
        let at = At::Service { namespace: namespace.into(), name: name.into() };
        Self { at, ca_bundle: ByteString::default() }
    }

    /// At an address that the API server reaches by itself: `https://HOST:PORT`, without a path.
    #[must_use]
    pub fn url(url: &str) -> Self {
        let at = At::Url(url.trim_end_matches('/').to_owned());
        Self { at, ca_bundle: ByteString::default() }
    }

    /// Known by these certificates, in PEM. Without them it is whom the system of the API server trusts; a
    /// [`Rotation`](super::Rotation) or cert-manager fills them in.
    #[must_use]
    pub fn ca_bundle(mut self, pem: impl Into<ByteString>) -> Self {
        self.ca_bundle = pem.into();
        self
    }

    /// How a webhook at that path is called.
    #[must_use]
    pub fn client_config(&self, path: &str) -> WebhookClientConfig {
        let ca_bundle = self.ca_bundle.clone();
        match &self.at {
            At::Service { namespace, name } => {
                let service = ServiceReference {
                    namespace: namespace.clone(),
                    name: name.clone(),
                    path: Some(path.into()),
                    port: None,
                };
                WebhookClientConfig { service: Some(Box::new(service)), url: None, ca_bundle }
            }
            At::Url(url) => {
                let url = Some(format!("{url}{path}").into());
                WebhookClientConfig { url, service: None, ca_bundle }
            }
        }
    }
}

impl Webhooks {
    /// A configuration of its defaulters: each is asked about creations and updates of its kind, and a write that
    /// it cannot be asked about fails. It says only what has no default, and may be changed before it is applied.
    ///
    /// ```
    /// use watchkeeper_api::apps::v1::Deployment;
    /// use watchkeeper_manager::webhook::{Place, Webhooks, defaulting, inject_ca_from};
    ///
    /// let webhooks = Webhooks::new().defaulter(defaulting(|_: &mut Deployment, _| Ok(())));
    /// let mut configuration =
    ///     webhooks.mutating_configuration("my-operator", &Place::service("ops", "webhooks"));
    /// inject_ca_from(&mut configuration, "ops", "serving-cert");
    /// assert_eq!(configuration.webhooks[0].name, "mutate.deployments.v1.apps");
    /// ```
    #[must_use]
    pub fn mutating_configuration(
        &self,
        name: &str,
        place: &Place,
    ) -> MutatingWebhookConfiguration {
        let webhooks = self.defaulted.iter().map(|kind| MutatingWebhook {
            name: qualified("mutate", kind),
            client_config: place.client_config(&mutate_path(kind)),
            rules: [rule(kind)].into(),
            failure_policy: Some("Fail".into()),
            side_effects: Some("None".into()),
            admission_review_versions: ["v1".into()].into(),
            ..MutatingWebhook::default()
        });
        let mut configuration = object!(MutatingWebhookConfiguration { metadata: { name: name } });
        configuration.webhooks = webhooks.collect();
        configuration
    }

    /// The same of its validators. Deletions are asked about where `DELETE` is added to the operations of a rule.
    #[must_use]
    pub fn validating_configuration(
        &self,
        name: &str,
        place: &Place,
    ) -> ValidatingWebhookConfiguration {
        let webhooks = self.validated.iter().map(|kind| ValidatingWebhook {
            name: qualified("validate", kind),
            client_config: place.client_config(&validate_path(kind)),
            rules: [rule(kind)].into(),
            failure_policy: Some("Fail".into()),
            side_effects: Some("None".into()),
            admission_review_versions: ["v1".into()].into(),
            ..ValidatingWebhook::default()
        });
        let mut configuration =
            object!(ValidatingWebhookConfiguration { metadata: { name: name } });
        configuration.webhooks = webhooks.collect();
        configuration
    }
}

/// Lets the versions of a definition be converted by webhooks at a place.
///
/// ```
/// use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
/// use watchkeeper_manager::webhook::{Place, convert_at};
///
/// let mut definition = CustomResourceDefinition::default();
/// convert_at(&mut definition, &Place::service("ops", "webhooks"));
/// assert_eq!(definition.spec.conversion.unwrap().strategy, "Webhook");
/// ```
pub fn convert_at(definition: &mut CustomResourceDefinition, place: &Place) {
    let WebhookClientConfig { url, service, ca_bundle } = place.client_config(CONVERT_PATH);
    let service = service.map(|service| {
        let ServiceReference { namespace, name, path, port } = *service;
        Box::new(extensions::ServiceReference { namespace, name, path, port })
    });
    let config = extensions::WebhookClientConfig { url, service, ca_bundle };
    let webhook = WebhookConversion {
        client_config: Some(Box::new(config)),
        conversion_review_versions: ["v1".into()].into(),
    };
    definition.spec.conversion = Some(Box::new(CustomResourceConversion {
        strategy: "Webhook".into(),
        webhook: Some(Box::new(webhook)),
    }));
}

/// Lets cert-manager fill in whom to trust: the authority of that `Certificate`. For configurations of webhooks and
/// definitions with conversions.
pub fn inject_ca_from(object: &mut impl HasMeta, namespace: &str, certificate: &str) {
    let from = format!("{namespace}/{certificate}");
    object.metadata_mut().annotations.insert("cert-manager.io/inject-ca-from", from);
}

/// A name of three words or more, as servers want it.
fn qualified(what: &str, kind: &Kind) -> IStr {
    let dot = if kind.group.is_empty() { "" } else { "." };
    format!("{what}.{}.{}{dot}{}", kind.plural, kind.version, kind.group).into()
}

fn rule(kind: &Kind) -> RuleWithOperations {
    RuleWithOperations {
        operations: ["CREATE".into(), "UPDATE".into()].into(),
        api_groups: [(&*kind.group).into()].into(),
        api_versions: [(&*kind.version).into()].into(),
        resources: [(&*kind.plural).into()].into(),
        scope: None,
    }
}
