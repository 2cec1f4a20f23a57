//! When webhooks are there: before the copies, which may need their conversions, and after them.

use std::sync::{Arc, Mutex};

use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, json};
use watchkeeper_client::ListOptions;
use watchkeeper_controller::Stop;
use watchkeeper_derive::{Fields, Object};
use watchkeeper_manager::webhook::{Conversion, ConversionError, Hub, Spoke};

use super::*;

const GROUP: &str = "order.example.com";

mod v1 {
    use super::*;

    /// Its draught has a unit.
    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "order.example.com", version = "v1", crate = "watchkeeper_api")]
    pub(super) struct Boat {
        pub metadata: ObjectMeta,
        pub spec: BoatSpec,
    }

    #[derive(Clone, Debug, Default, PartialEq, Fields)]
    #[fields(crate = "watchkeeper_api")]
    pub(super) struct BoatSpec {
        pub draught: IStr,
    }
}

mod v2 {
    use super::*;

    /// Its draught is a number of metres.
    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "order.example.com", version = "v2", crate = "watchkeeper_api")]
    pub(super) struct Boat {
        pub metadata: ObjectMeta,
        pub spec: BoatSpec,
    }

    #[derive(Clone, Debug, Default, PartialEq, Fields)]
    #[fields(crate = "watchkeeper_api")]
    pub(super) struct BoatSpec {
        pub metres: i32,
    }
}

impl Hub for v2::Boat {}

impl Spoke for v1::Boat {
    type Hub = v2::Boat;

    fn convert_to(&self) -> Result<v2::Boat, ConversionError> {
        let metres = self.spec.draught.strip_suffix('m').ok_or("the draught has no unit")?;
        let spec = v2::BoatSpec { metres: metres.parse()? };
        Ok(v2::Boat { metadata: self.metadata.clone(), spec })
    }

    fn convert_from(hub: &v2::Boat) -> Result<Self, ConversionError> {
        let spec = v1::BoatSpec { draught: format!("{}m", hub.spec.metres).into() };
        Ok(Self { metadata: hub.metadata.clone(), spec })
    }
}

/// Stored as `v1`; converted at the place.
fn definition(place: &Place) -> CustomResourceDefinition {
    let version = |name: &str, field: &str, kind: &str| {
        let spec =
            serde_json::json!({ "type": "object", "properties": { field: { "type": kind } } });
        serde_json::json!({
            "name": name, "served": true, "storage": name == "v1",
            "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } },
        })
    };
    let definition = serde_json::json!({
        "metadata": { "name": format!("boats.{GROUP}") },
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": { "kind": "Boat", "plural": "boats", "singular": "boat" },
            "versions": [version("v1", "draught", "string"), version("v2", "metres", "integer")],
        },
    });
    let mut definition = json::from_value(&definition).expect("a definition");
    convert_at(&mut definition, place);
    definition
}

/// M-01, M-02: what is stored as `v1` can be listed as `v2` only while the program's own webhook converts it; the copy
/// of it is full before anything starts, and the webhook still answers while what runs is told to stop.
#[tokio::test]
async fn m_02_webhooks_answer_before_the_copies_are_filled_and_until_all_has_stopped() {
    let client = Client::new(ApiServer::new());
    let (listener, address) = free_port();
    let made = SelfMade::certificate(["localhost"]).expect("a certificate");
    let url = format!("https://localhost:{}", address.port());
    let place = Place::url(&url).ca_bundle(made.ca_bundle());
    create(&client, &definition(&place)).await.expect("made");
    let mut old = v1::Boat::default();
    old.metadata.name = "gig".into();
    old.metadata.namespace = "default".into();
    old.spec.draught = "2m".into();
    create(&client, &old).await.expect("it is stored as it is");

    let webhooks = Webhooks::new().conversion(Conversion::<v2::Boat>::hub().spoke::<v1::Boat>());
    let server = WebhookServer::new(listener, made.tls(), webhooks);
    let manager =
        Manager::new(&client).sync_timeout(Duration::from_secs(20)).serve_webhooks(server);
    let boats = manager.watch::<v2::Boat>();
    let asked = client.api::<v2::Boat>().namespace("default");
    let log = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&log);
    let (running, runs) = tokio::sync::oneshot::channel();
    manager.add("reader", move |stop: Stop| async move {
        let note = |what: String| noted.lock().expect("no panic").push(what);
        let found = boats.peek(("default", "gig")).expect("the copy is full");
        note(format!("starts with {}", found.spec.metres));
        let _ = running.send(());
        stop.requested().await;
        let listed = asked.list_all(&ListOptions::default()).await?;
        note(format!("stops with {}", listed.items[0].spec.metres));
        Ok::<_, watchkeeper_api::Error>(())
    });
    manager.run(async move { drop(runs.await) }).await.expect("a clean stop");
    assert_eq!(*log.lock().expect("no panic"), ["starts with 2", "stops with 2"]);
    nobody_listens(address).await;
}
