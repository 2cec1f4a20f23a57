//! Versions of a kind that a program converts, asked in the process.

use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, json};
use watchkeeper_client::{CreateOptions, ListOptions, WatchEvent, WatchOptions};
use watchkeeper_cluster::testing::{self, Options, TestCluster};
use watchkeeper_derive::{Fields, Object};
use watchkeeper_manager::webhook::{
    Conversion, ConversionError, Hub, Place, Spoke, Webhooks, convert_at,
};

mod v1 {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "example.com", version = "v1", crate = "watchkeeper_api")]
    pub(super) struct Mast {
        pub metadata: ObjectMeta,
        pub spec: MastSpec,
    }

    #[derive(Clone, Debug, Default, PartialEq, Fields)]
    #[fields(crate = "watchkeeper_api")]
    pub(super) struct MastSpec {
        pub height: IStr,
    }
}

mod v2 {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "example.com", version = "v2", crate = "watchkeeper_api")]
    pub(super) struct Mast {
        pub metadata: ObjectMeta,
        pub spec: MastSpec,
    }

    #[derive(Clone, Debug, Default, PartialEq, Fields)]
    #[fields(crate = "watchkeeper_api")]
    pub(super) struct MastSpec {
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

const DEFINITION: &str = r#"{
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "masts.example.com"},
    "spec": {
        "group": "example.com", "scope": "Namespaced",
        "names": {"kind": "Mast", "plural": "masts", "singular": "mast", "listKind": "MastList"},
        "versions": [
            {"name": "v1", "served": true, "storage": false, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": {
                    "height": {"type": "string"}}}}}}},
            {"name": "v2", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": {
                    "metres": {"type": "integer"}}}}}}}
        ]
    }
}"#;

fn definition(place: &Place) -> CustomResourceDefinition {
    let mut definition = json::from_str(DEFINITION).expect("a definition");
    convert_at(&mut definition, place);
    definition
}

#[test]
fn versions_of_a_program_are_converted_in_the_process() {
    testing::run(Options::default(), async |test: TestCluster| {
        let webhooks =
            Webhooks::new().conversion(Conversion::<v2::Mast>::hub().spoke::<v1::Mast>());
        let (client, place) = (test.client(), test.cluster().answer_webhooks(&webhooks));
        let definition = definition(&place);
        client.api_for(&definition).create(&definition, &CreateOptions::default()).await.unwrap();
        test.settled().await;

        let old = client.api::<v1::Mast>().namespace("default");
        let new = client.api::<v2::Mast>().namespace("default");
        let mut events = new.watch(&WatchOptions::default()).await.unwrap();
        let mut mast =
            v1::Mast { spec: v1::MastSpec { height: "30m".into() }, ..Default::default() };
        mast.metadata.name = "main".into();
        let made = old.create(&mast, &CreateOptions::default()).await.unwrap();
        assert_eq!(&*made.spec.height, "30m", "what was written comes back in its version");
        assert_eq!(new.get("main").await.unwrap().spec.metres, 30);
        let mut event = events.next().await.expect("an event").unwrap();
        // Of what was there before, which was nothing.
        if matches!(event, WatchEvent::Bookmark { initial_events_end: true, .. }) {
            event = events.next().await.expect("an event").unwrap();
        }
        assert!(matches!(&event, WatchEvent::Added(mast) if mast.spec.metres == 30), "{event:?}");
        let list = old.list(&ListOptions::default()).await.unwrap();
        assert_eq!(list.items.iter().map(|mast| &*mast.spec.height).collect::<Vec<_>>(), ["30m"]);

        mast.metadata.name = "fore".into();
        mast.spec.height = "high".into();
        let refused = old.create(&mast, &CreateOptions::default()).await.expect_err("no height");
        assert!(refused.to_string().contains("the height has no unit"), "{refused}");
    });
}
