//! Masts in two versions, of which the program converts the one into the other.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, Object as _, json};
use watchkeeper_client::{
    Client, CreateOptions, DeleteOptions, Error, ListOptions, Patch, PatchOptions, Result,
    UpdateOptions, WatchEvent, WatchOptions, WatchStream,
};
use watchkeeper_derive::{Fields, Object};
use watchkeeper_manager::webhook::{
    Conversion, ConversionError, Hub, Place, Spoke, Webhooks, convert_at,
};

use super::{NAMESPACE, PATIENCE, SOON, Told};

pub(super) const DEFINITION: &str = "masts.webhooks.example.com";

mod v1 {
    use super::{Fields, IStr, Object, ObjectMeta};

    /// Its height has a unit.
    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "webhooks.example.com", version = "v1", crate = "watchkeeper_api")]
    pub(crate) struct Mast {
        pub metadata: ObjectMeta,
        pub spec: MastSpec,
    }

    #[derive(Clone, Debug, Default, PartialEq, Fields)]
    #[fields(crate = "watchkeeper_api")]
    pub(crate) struct MastSpec {
        pub height: IStr,
    }
}

mod v2 {
    use super::{Fields, Object, ObjectMeta};

    /// Its height is a number of metres.
    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "webhooks.example.com", version = "v2", crate = "watchkeeper_api")]
    pub(crate) struct Mast {
        pub metadata: ObjectMeta,
        pub spec: MastSpec,
    }

    #[derive(Clone, Debug, Default, PartialEq, Fields)]
    #[fields(crate = "watchkeeper_api")]
    pub(crate) struct MastSpec {
        pub metres: i32,
    }
}

impl Hub for v2::Mast {}

impl Spoke for v1::Mast {
    type Hub = v2::Mast;

    fn convert_to(&self) -> Result<v2::Mast, ConversionError> {
        let metres = self.spec.height.strip_suffix('m').ok_or("the height has no unit")?;
        let spec = v2::MastSpec { metres: metres.parse()? };
        Ok(v2::Mast { metadata: self.metadata.clone(), spec })
    }

    fn convert_from(hub: &v2::Mast) -> Result<Self, ConversionError> {
        let spec = v1::MastSpec { height: format!("{}m", hub.spec.metres).into() };
        Ok(Self { metadata: hub.metadata.clone(), spec })
    }
}

/// With the conversions of masts.
pub(super) fn converted(webhooks: Webhooks) -> Webhooks {
    webhooks.conversion(Conversion::<v2::Mast>::hub().spoke::<v1::Mast>())
}

/// Stored as `v2`, asked for at a place.
///
/// # Errors
/// Never.
pub(super) fn definition(place: &Place) -> Result<CustomResourceDefinition> {
    let version = |name: &str, field: &str, kind: &str| {
        let spec =
            serde_json::json!({ "type": "object", "properties": { field: { "type": kind } } });
        serde_json::json!({
            "name": name, "served": true, "storage": name == "v2",
            "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } },
        })
    };
    let definition = serde_json::json!({
        "metadata": { "name": DEFINITION },
        "spec": {
            "group": "webhooks.example.com", "scope": "Namespaced",
            "names": { "kind": "Mast", "plural": "masts", "singular": "mast" },
            "versions": [version("v1", "height", "string"), version("v2", "metres", "integer")],
        },
    });
    let mut definition =
        json::from_value(&definition).map_err(|error| Error::other(error.to_string()))?;
    convert_at(&mut definition, place);
    Ok(definition)
}

fn mast(name: &str, height: &str) -> v1::Mast {
    let mut mast = v1::Mast { spec: v1::MastSpec { height: height.into() }, ..Default::default() };
    mast.metadata.name = name.into();
    mast
}

pub(super) async fn walk(client: &Client, told: &Told) -> Result<()> {
    let old = client.api::<v1::Mast>().namespace(NAMESPACE);
    let new = client.api::<v2::Mast>().namespace(NAMESPACE);
    let options = CreateOptions::default();
    are_converted(client).await?;
    let mut events = new.watch(&WatchOptions::default()).await?;
    let made = old.create(&mast("main", "30m"), &options).await?;
    told.tell(format!("made as v1: {}", made.spec.height));
    let read = new.get("main").await?;
    told.tell(format!("read as v2: {}", read.spec.metres));
    told.tell(format!("told as v2: {}", event(&mut events).await?));
    let mut higher = read;
    higher.spec.metres = 40;
    higher.metadata.labels.insert("sails", "three");
    new.update_with(&higher, &UpdateOptions::default()).await?;
    let list = old.list_all(&ListOptions::default()).await?;
    for mast in &list.items {
        told.tell(format!(
            "listed as v1: {} {} {:?}",
            mast.name(),
            mast.spec.height,
            mast.label("sails")
        ));
    }
    let lower = Patch::merge(&serde_json::json!({ "spec": { "height": "20m" } }));
    let lower = old.patch("main", &lower, &PatchOptions::default()).await?;
    told.tell(format!(
        "patched as v1: {}, generation {}",
        lower.spec.height, lower.metadata.generation
    ));
    told.refused("of a height without a unit", old.create(&mast("fore", "high"), &options).await);
    told.refused("of no number", old.create(&mast("mizzen", "tallm"), &options).await);
    new.delete("main", &DeleteOptions::default()).await?;
    told.refused("gone as v1", old.get("main").await);
    Ok(())
}

/// The next event that is no bookmark.
async fn event(events: &mut WatchStream<v2::Mast>) -> Result<String> {
    loop {
        let next = timeout(Duration::from_secs(60), events.next()).await;
        let next = next.map_err(|_| Error::other("the watch tells nothing"))?;
        match next.transpose()? {
            Some(WatchEvent::Bookmark { .. }) => {}
            Some(WatchEvent::Added(mast)) => {
                return Ok(format!("{} {}", mast.name(), mast.spec.metres));
            }
            other => return Ok(format!("{other:?}")),
        }
    }
}

/// Waits until the kind is served, and the server trusts who converts.
async fn are_converted(client: &Client) -> Result<()> {
    let masts = client.api::<v1::Mast>().namespace(NAMESPACE);
    let options = CreateOptions::dry_run();
    for _ in 0..PATIENCE {
        if masts.create(&mast("try", "1m"), &options).await.is_ok() {
            return Ok(());
        }
        sleep(SOON).await;
    }
    Err(Error::other("nobody converts"))
}
