//! Versions that a webhook converts, of a server that is kept: what was stored in one version is there in it
//! again, whether the webhook is or not.

use serde_json::{Value, json};

use super::{Shelf, on};
use crate::support::*;
use crate::v10_conversion::*;

/// Where nobody listens when no closure answers for it.
const NOBODY: &str = "https://127.0.0.1:1/convert";

const DEFINITION: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ships.example.com";

fn answered(client: &Client) -> Asked {
    let asked = Asked::default();
    let notes = asked.clone();
    client.server.on_conversion(NOBODY, move |review| {
        notes.note(&review);
        let reviewed = review.convert(convert);
        async move { reviewed }
    });
    asked
}

/// Ships `a`, which is stored in v1, and `b`, which is stored in v2, the storage version since.
async fn with_ships_of_both(client: &Client) {
    answered(client);
    let mut definition = ship_crd("v1");
    definition["spec"]["conversion"]["webhook"]["clientConfig"]["url"] = NOBODY.into();
    client.post(CRDS, &definition).await.expect(201);
    client.post(V1, &ship("a", 3)).await.expect(201);
    let storage = json!([
        {"op": "replace", "path": "/spec/versions/0/storage", "value": false},
        {"op": "replace", "path": "/spec/versions/1/storage", "value": true},
    ]);
    client.patch("json", DEFINITION, &storage).await.expect(200);
    client.post(V1, &ship("b", 4)).await.expect(201);
}

/// The version in which the journal has a ship.
fn stored(shelf: &Shelf, name: &str) -> Value {
    let place = ("ships.example.com".to_owned(), format!("default/{name}"));
    let kept = shelf.books().objects[&place].json.clone();
    let kept: Value = serde_json::from_slice(&kept).expect("JSON");
    kept["apiVersion"].clone()
}

async fn both(client: &Client) -> [Value; 2] {
    [client.get(V1).await.expect(200), client.get(V2).await.expect(200)]
}

#[tokio::test]
async fn objects_of_both_versions_are_there_again_with_their_webhook() {
    let shelf = Shelf::default();
    let before = on(&shelf, async |client| {
        with_ships_of_both(client).await;
        both(client).await
    })
    .await;
    assert_eq!(
        (stored(&shelf, "a"), stored(&shelf, "b")),
        ("example.com/v1".into(), "example.com/v2".into())
    );
    on(&shelf, async |client| {
        let asked = answered(client);
        assert_eq!(both(client).await, before);
        assert_eq!(asked.take(), ["1 to v1", "1 to v2"], "each but what is stored so");
        let read = client.get(DEFINITION).await.expect(200);
        assert_eq!(read["status"]["storedVersions"], json!(["v1", "v2"]));
    })
    .await;
}

#[tokio::test]
async fn nothing_is_lost_while_the_webhook_is_absent() {
    let shelf = Shelf::default();
    let before = on(&shelf, async |client| {
        with_ships_of_both(client).await;
        both(client).await
    })
    .await;
    on(&shelf, async |client| {
        let failed = |stored: &str| {
            format!(
                "500 : conversion webhook for example.com/{stored}, Kind=Ship failed: Post \
                 \"{NOBODY}?timeout=30s\": dial tcp 127.0.0.1:1: connect: connection refused"
            )
        };
        let ((a_old, a_new), (b_old, b_new)) = (at("a"), at("b"));
        assert_eq!(client.get(&a_new).await.line(), failed("v1"));
        assert_eq!(client.get(&b_old).await.line(), failed("v2"));
        assert_eq!(client.get(V1).await.line(), failed("v2"));
        assert_eq!(client.get(V2).await.line(), failed("v1"));
        assert_eq!(client.delete(&a_new).await.line(), failed("v1"));
        assert_eq!(client.get(&a_old).await.expect(200)["spec"]["size"], 3);
        // What is stored in the version can be read, written and watched.
        let mut read = client.get(&b_new).await.expect(200);
        read["spec"]["paint"] = "blue".into();
        client.put(&b_new, &read).await.expect(200);
    })
    .await;
    on(&shelf, async |client| {
        answered(client);
        let [mut old, mut new] = both(client).await;
        for list in [&mut old, &mut new] {
            assert_eq!(list["items"].as_array().map(Vec::len), Some(2));
        }
        assert_eq!(old["items"][0], before[0]["items"][0]);
        assert_eq!(new["items"][0], before[1]["items"][0]);
        assert_eq!(
            (&old["items"][1]["spec"]["color"], &new["items"][1]["spec"]["paint"]),
            (&json!("blue"), &json!("blue"))
        );
    })
    .await;
}

#[tokio::test]
async fn a_storage_version_is_left_over_several_lives() {
    let shelf = Shelf::default();
    on(&shelf, with_ships_of_both).await;
    // Every object is written once more, which stores it in the new version.
    on(&shelf, async |client| {
        answered(client);
        let list = client.get(V2).await.expect(200);
        for read in list["items"].as_array().expect("ships") {
            let name = read["metadata"]["name"].as_str().expect("a name");
            let written = client.put(&at(name).1, read).await.expect(200);
            assert_eq!(version(&written) > version(read), name == "a", "{name}");
        }
    })
    .await;
    assert_eq!(
        (stored(&shelf, "a"), stored(&shelf, "b")),
        ("example.com/v2".into(), "example.com/v2".into())
    );
    on(&shelf, async |client| {
        let asked = answered(client);
        let list = client.get(V2).await.expect(200);
        assert_eq!(names(&list), ["a", "b"]);
        assert!(asked.take().is_empty(), "none is stored in the old version");
        let left = json!({"status": {"storedVersions": ["v2"]}});
        client.merge(&format!("{DEFINITION}/status"), &left).await.expect(200);
        client
            .patch("json", DEFINITION, &json!([{"op": "remove", "path": "/spec/versions/0"}]))
            .await
            .expect(200);
    })
    .await;
    // Without the webhook, too: there is nothing to convert.
    on(&shelf, async |client| {
        let list = client.get(V2).await.expect(200);
        assert_eq!(names(&list), ["a", "b"]);
        assert_eq!(list["items"][0]["spec"]["dimensions"]["length"], 3);
        assert_eq!(client.get(V1).await.code, 404);
        let read = client.get(DEFINITION).await.expect(200);
        assert_eq!(read["status"]["storedVersions"], json!(["v2"]));
    })
    .await;
}
