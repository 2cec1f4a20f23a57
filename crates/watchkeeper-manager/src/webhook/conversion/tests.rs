//! Masts of three versions, converted.

use serde_json::json;
use watchkeeper_api::IStr;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_derive::{Fields, Object};

use super::super::Webhooks;
use super::*;

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
        pub flag: Option<IStr>,
    }
}

mod v3 {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Object)]
    #[object(group = "example.com", version = "v3", crate = "watchkeeper_api")]
    pub(super) struct Mast {
        pub metadata: ObjectMeta,
        pub spec: v2::MastSpec,
    }
}

impl Hub for v2::Mast {}

impl Spoke for v1::Mast {
    type Hub = v2::Mast;

    fn convert_to(&self) -> Result<v2::Mast, ConversionError> {
        let metres = self.spec.height.strip_suffix('m').ok_or("the height has no unit")?;
        assert_ne!(metres, "13", "unlucky");
        let mut metadata = self.metadata.clone();
        let flag = metadata.annotations.remove("example.com/flag");
        Ok(v2::Mast { metadata, spec: v2::MastSpec { metres: metres.parse()?, flag } })
    }

    fn convert_from(hub: &v2::Mast) -> Result<Self, ConversionError> {
        let mut metadata = hub.metadata.clone();
        if let Some(flag) = &hub.spec.flag {
            metadata.annotations.insert("example.com/flag", flag.clone());
        }
        let height = format!("{}m", hub.spec.metres).into();
        Ok(Self { metadata, spec: v1::MastSpec { height } })
    }
}

impl Spoke for v3::Mast {
    type Hub = v2::Mast;

    fn convert_to(&self) -> Result<v2::Mast, ConversionError> {
        Ok(v2::Mast { metadata: self.metadata.clone(), spec: self.spec.clone() })
    }

    fn convert_from(hub: &v2::Mast) -> Result<Self, ConversionError> {
        Ok(Self { metadata: hub.metadata.clone(), spec: hub.spec.clone() })
    }
}

fn conversion() -> Conversion<v2::Mast> {
    Conversion::hub().spoke::<v1::Mast>().spoke::<v3::Mast>()
}

/// The answer to a request for these objects in a version, and its HTTP status.
async fn converted(to: &str, objects: Value) -> Value {
    let body = json!({
        "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"uid": "u", "desiredAPIVersion": to, "objects": objects},
    });
    let (status, answer) = asked(body.to_string()).await;
    assert_eq!(status, 200);
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["kind"], "ConversionReview");
    assert_eq!(answer["apiVersion"], "apiextensions.k8s.io/v1");
    assert_eq!(answer["response"]["uid"], "u");
    answer["response"].clone()
}

async fn asked(body: String) -> (u16, String) {
    let webhooks = Webhooks::new().conversion(conversion());
    assert_eq!(webhooks.paths().collect::<Vec<_>>(), ["/convert"]);
    let request = http::Request::post("/convert?timeout=30s").body(body.into()).expect("a request");
    let answer = webhooks.answer(request).await;
    (answer.status().as_u16(), String::from_utf8(answer.body().to_vec()).expect("text"))
}

fn mast(version: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Mast",
        "metadata": {
            "name": "main", "namespace": "sea", "uid": "1", "newer": true,
            "managedFields": [{"manager": "me"}],
            "annotations": {"example.com/flag": "red", "other": "1"},
        },
        "spec": spec,
    })
}

#[tokio::test]
async fn objects_go_to_the_hub_from_it_and_through_it() {
    let one = mast("v1", json!({"height": "30m"}));
    let answer = converted("example.com/v2", json!([one, one])).await;
    assert_eq!(answer["result"]["status"], "Success");
    let mut two = mast("v2", json!({"metres": 30, "flag": "red"}));
    two["metadata"]["annotations"] = json!({"other": "1"});
    assert_eq!(answer["convertedObjects"], json!([two, two]), "the metadata stays as it was");
    let answer = converted("example.com/v1", json!([two])).await;
    assert_eq!(answer["convertedObjects"], json!([one]));
    let mut three = two.clone();
    three["apiVersion"] = "example.com/v3".into();
    let answer = converted("example.com/v3", json!([one])).await;
    assert_eq!(answer["convertedObjects"], json!([three]));
    let answer = converted("example.com/v1", json!([one])).await;
    assert_eq!(answer["convertedObjects"], json!([one]), "as it was received");
}

#[tokio::test]
async fn what_cannot_be_converted_is_told_with_its_name_and_nothing_is() {
    let said = async |to: &str, object: Value| {
        let fine = mast("v1", json!({"height": "1m"}));
        let answer = converted(to, json!([fine, object])).await;
        assert_eq!(answer["result"]["status"], "Failure");
        assert_eq!(answer.get("convertedObjects"), None);
        answer["result"]["message"].as_str().expect("words").to_owned()
    };
    let about = "Mast sea/main from example.com/v1 to example.com/v2: ";
    let two = "example.com/v2";
    let no_unit = said(two, mast("v1", json!({"height": "30"}))).await;
    assert_eq!(no_unit, format!("{about}the height has no unit"));
    let panic = said(two, mast("v1", json!({"height": "13m"}))).await;
    assert_eq!(panic, format!("{about}internal error occurred during conversion"));
    let wrong = said(two, mast("v1", json!({"height": 30}))).await;
    assert!(wrong.starts_with(&format!("{about}spec.height")), "{wrong}");
    let unknown = said(two, mast("v9", json!({}))).await;
    assert!(
        unknown
            .ends_with("example.com/v9 is none of example.com/v1, example.com/v2, example.com/v3")
    );
    let unknown = said("example.com/v9", mast("v1", json!({"height": "1m"}))).await;
    assert!(unknown.contains("example.com/v9 is none of "), "{unknown}");
    let boat = said(two, json!({"apiVersion": "example.com/v1", "kind": "Boat"})).await;
    assert!(boat.ends_with("nobody converts Boat"), "{boat}");
    let bare = said(
        two,
        json!({"apiVersion": "example.com/v1", "kind": "Mast", "spec": {"height": "1m"}}),
    );
    assert!(bare.await.ends_with("the object has no metadata"));
}

#[tokio::test]
async fn a_body_that_asks_for_no_conversion_is_400() {
    for body in ["", "{", "{}", "[]", "{\"kind\": \"Pod\", \"request\": {}}", "{\"request\": 1}"] {
        let (status, said) = asked(body.to_owned()).await;
        assert_eq!(status, 400, "{body}: {said}");
    }
    let old = json!({"apiVersion": "apiextensions.k8s.io/v1beta1", "request": {"uid": "u"}});
    let (status, said) = asked(old.to_string()).await;
    assert_eq!(status, 200);
    assert!(said.contains("apiextensions.k8s.io/v1beta1"), "{said}");
}

#[test]
fn what_is_lost_on_the_way_is_told() {
    let flag = || Some("red".into());
    let hub = v2::Mast { spec: v2::MastSpec { metres: 3, flag: flag() }, ..Default::default() };
    assert!(lost_by_hub::<v1::Mast>(&hub).expect("converted").is_empty());
    let spoke = v1::Mast { spec: v1::MastSpec { height: "030m".into() }, ..Default::default() };
    let lost = lost_by_spoke(&spoke).expect("converted");
    assert_eq!(lost.to_string(), "spec.height: \"030m\" -> \"30m\"");
    let spoke = v1::Mast::default();
    assert_eq!(lost_by_spoke(&spoke).expect_err("no").to_string(), "the height has no unit");
}

#[test]
fn versions_that_do_not_belong_together_are_mistakes() {
    let twice = conversion().spoke::<v1::Mast>();
    let error = Webhooks::new().conversion(twice).check().expect_err("twice");
    assert_eq!(error.to_string(), "webhooks: v1 of Mast is converted twice");
    let twice = Webhooks::new().conversion(conversion()).conversion(conversion());
    let error = twice.check().expect_err("twice");
    assert_eq!(error.to_string(), "webhooks: masts.example.com are converted twice");
}
