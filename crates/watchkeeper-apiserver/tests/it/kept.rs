//! Servers that are kept, and had again from their journal.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Value, json};
use watchkeeper_apiserver::journal::{Batch, Journal, Kept, Saved, SigningKey};
use watchkeeper_apiserver::{ApiServer, Clock, Keeper, Now};

use crate::support::*;

mod conversion;
mod dice;
mod histories;
mod made_up;

/// A journal in memory, which outlives its server and can fail.
#[derive(Clone, Default)]
pub(crate) struct Shelf(Arc<Mutex<Books>>);

#[derive(Default)]
pub(crate) struct Books {
    revision: u64,
    key: Option<SigningKey>,
    objects: BTreeMap<(String, String), Kept>,
    pub(crate) fails: Option<Failure>,
}

/// When a write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Before,
    After,
}

impl Shelf {
    pub(crate) fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().expect("no panic")
    }

    pub(crate) fn revision(&self) -> u64 {
        self.books().revision
    }

    /// The server as it is kept, with its keeper.
    pub(crate) fn open(&self, start: Now) -> (Client, Keeper<Self>) {
        let builder = ApiServer::builder().clock(Clock::Virtual(start));
        let (server, keeper) = builder.build_on(self.clone()).expect("a server");
        (Client { server, agent: "tester" }, keeper)
    }
}

impl Journal for Shelf {
    fn read(&mut self) -> io::Result<Option<Saved>> {
        let books = self.books();
        let objects = books.objects.values().cloned().collect();
        Ok(books.key.map(|signing_key| Saved { revision: books.revision, objects, signing_key }))
    }

    fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let mut books = self.books();
        if books.fails == Some(Failure::Before) {
            return Err(io::Error::other("full"));
        }
        books.revision = batch.revision;
        books.key = batch.signing_key.or(books.key);
        for record in &batch.records {
            let (table, key) = (record.table.to_string(), record.key.to_string());
            let place = (table.clone(), key.clone());
            let (revision, at) = (record.revision, record.at);
            match record.json() {
                Some(json) => books.objects.insert(place, Kept { table, key, revision, at, json }),
                None => books.objects.remove(&place),
            };
        }
        if books.fails == Some(Failure::After) {
            return Err(io::Error::other("torn"));
        }
        Ok(())
    }
}

/// Runs a script on the server as it is kept.
async fn on<T>(shelf: &Shelf, script: impl AsyncFnOnce(&Client) -> T) -> T {
    on_at(shelf, Now(Duration::from_secs(1_800_000_000)), script).await
}

/// The same, from some time on.
async fn on_at<T>(shelf: &Shelf, start: Now, script: impl AsyncFnOnce(&Client) -> T) -> T {
    let (client, keeper) = shelf.open(start);
    kept(client, keeper, script).await
}

/// Runs a script on a server that is kept meanwhile.
async fn kept<T>(
    client: Client,
    keeper: Keeper<Shelf>,
    script: impl AsyncFnOnce(&Client) -> T,
) -> T {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let scripted = async {
        let told = script(&client).await;
        drop(stop);
        told
    };
    let (told, ended) = tokio::join!(scripted, keeper.run(async { drop(stopped.await) }));
    ended.expect("a journal that works");
    told
}

fn foo(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": name}, "spec": spec})
}

fn definition(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "foos", "kind": "Foo"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}},
            }],
        },
    })
}

/// Any fields below `spec`.
fn open_schema() -> Value {
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
}

const READ: [&str; 6] = [
    CONFIG_MAPS,
    CRDS,
    FOOS,
    "/api/v1/namespaces",
    "/api/v1/services",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
];

async fn read(client: &Client) -> Vec<Value> {
    let mut all = Vec::new();
    for path in READ {
        all.push(client.get(path).await.expect(200));
    }
    all
}

#[tokio::test(start_paused = true)]
async fn objects_are_there_again_as_they_were() {
    let shelf = Shelf::default();
    let before = on(&shelf, async |client| {
        client.post(CRDS, &definition(&open_schema())).await.expect(201);
        // The last digit of a float is of use to somebody.
        let spec = json!({"a": 0.1, "b": 5e-324, "c": 1.797_693_134_862_315_7e308, "d": u64::MAX});
        client.post(FOOS, &foo("a", &spec)).await.expect(201);
        client.config_map("a", "1").await;
        client.config_map("b", "2").await;
        // The last revision is that of no object.
        client.delete(&format!("{CONFIG_MAPS}/b")).await.expect(200);
        read(client).await
    })
    .await;
    for _ in 0..2 {
        assert_eq!(on(&shelf, read).await, before);
    }
}

#[tokio::test(start_paused = true)]
async fn what_follows_is_new_and_the_past_is_gone() {
    let shelf = Shelf::default();
    let names = |list: &Value, pointer: &str| -> Vec<String> {
        let items = list["items"].as_array().expect("a list").iter();
        items
            .map(|item| item.pointer(pointer).expect("it").as_str().expect("text").into())
            .collect()
    };
    let (first, last, page) = on(&shelf, async |client| {
        let first = client.config_map("a", "1").await;
        client.config_map("b", "1").await;
        let page = client.get(&format!("{CONFIG_MAPS}?limit=1")).await.expect(200);
        let last = client.config_map("c", "1").await;
        (first, last, page["metadata"]["continue"].as_str().expect("a token").to_owned())
    })
    .await;
    on(&shelf, async |client| {
        let mut watch =
            client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={last}")).await;
        assert!(client.config_map("d", "1").await > last);
        assert_eq!(
            watch.next().await.expect("a frame")["object"]["metadata"]["name"],
            "d",
            "nothing was missed"
        );
        let mut watch =
            client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={first}")).await;
        assert_eq!(watch.next().await.expect("a frame")["object"]["code"], 410);
        let next = client.get(&format!("{CONFIG_MAPS}?limit=1&continue={page}")).await;
        assert_eq!(next.code, 410);
        let list = client.get(CONFIG_MAPS).await.expect(200);
        assert_eq!(names(&list, "/metadata/name"), ["a", "b", "c", "d"]);
        let mut uids = names(&list, "/metadata/uid");
        uids.sort();
        uids.dedup();
        assert_eq!(uids.len(), 4);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn tokens_of_service_accounts_stay_good() {
    let shelf = Shelf::default();
    let accounts = "/api/v1/namespaces/default/serviceaccounts";
    let token = on(&shelf, async |client| {
        client.post(accounts, &json!({"metadata": {"name": "robot"}})).await.expect(201);
        let asked = json!({"spec": {"expirationSeconds": 3600}});
        let path = format!("{accounts}/robot/token");
        let answer = client.post(&path, &asked).await.expect(201);
        answer["status"]["token"].as_str().expect("a token").to_owned()
    })
    .await;
    on(&shelf, async |client| {
        let review = json!({
            "apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
            "spec": {"token": token},
        });
        let answer = client.post("/apis/authentication.k8s.io/v1/tokenreviews", &review).await;
        let user = &answer.expect(201)["status"]["user"]["username"];
        assert_eq!(*user, "system:serviceaccount:default:robot");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn events_end_an_hour_after_they_were_written() {
    let shelf = Shelf::default();
    let events = "/api/v1/namespaces/default/events";
    let start = Now(Duration::from_secs(1_800_000_000));
    on_at(&shelf, start, async |client| {
        let about = json!({"kind": "Pod", "namespace": "default", "name": "a"});
        let event = json!({"metadata": {"name": "a"}, "involvedObject": about});
        client.post(events, &event).await.expect(201);
    })
    .await;
    let later = start.plus(Duration::from_secs(3_590));
    on_at(&shelf, later, async |client| {
        client.get(&format!("{events}/a")).await.expect(200);
        tokio::time::sleep(Duration::from_secs(20)).await;
        // Events end with what comes next.
        client.get("/version").await.expect(200);
        client.get(&format!("{events}/a")).await.expect(404);
    })
    .await;
    on_at(&shelf, start, async |client| client.get(&format!("{events}/a")).await.expect(404)).await;
}

#[tokio::test(start_paused = true)]
async fn a_definition_on_its_way_out_goes_with_its_last_object() {
    let shelf = Shelf::default();
    let one = format!("{CRDS}/foos.example.com");
    on(&shelf, async |client| {
        client.post(CRDS, &definition(&open_schema())).await.expect(201);
        let mut held = foo("a", &json!({}));
        held["metadata"]["finalizers"] = json!(["example.com/held"]);
        client.post(FOOS, &held).await.expect(201);
        client.delete(&one).await.expect(200);
    })
    .await;
    on(&shelf, async |client| {
        client.get(&one).await.expect(200);
        let freed = json!({"metadata": {"finalizers": null}});
        client.merge(&format!("{FOOS}/a"), &freed).await.expect(200);
        client.get(&one).await.expect(404);
        assert_eq!(client.get(FOOS).await.code, 404);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn objects_are_shown_as_their_schema_wants_them_and_kept_as_they_were_written() {
    let shelf = Shelf::default();
    let closed = json!({"type": "object", "properties": {
        "size": {"type": "string"}, "color": {"type": "string", "default": "red"},
    }});
    on(&shelf, async |client| {
        client.post(CRDS, &definition(&open_schema())).await.expect(201);
        client.post(FOOS, &foo("a", &json!({"size": "l", "extra": 1}))).await.expect(201);
        let narrowed = json!({"spec": definition(&closed)["spec"]});
        client.merge(&format!("{CRDS}/foos.example.com"), &narrowed).await.expect(200);
    })
    .await;
    on(&shelf, async |client| {
        let shown = client.get(&format!("{FOOS}/a")).await.expect(200);
        assert_eq!(shown["spec"], json!({"size": "l", "color": "red"}));
        let widened = json!({"spec": definition(&open_schema())["spec"]});
        let path = format!("{CRDS}/foos.example.com");
        client.send("PATCH", &path, "application/merge-patch+json", widened.to_string()).await;
    })
    .await;
    let kept = shelf.books().objects[&("foos.example.com".into(), "default/a".into())].json.clone();
    let kept: Value = serde_json::from_slice(&kept).expect("JSON");
    assert_eq!(kept["spec"], json!({"size": "l", "extra": 1}));
}

#[tokio::test(start_paused = true)]
async fn what_is_nested_deep_is_read_back() {
    const LEVELS: usize = 5_000;
    let shelf = Shelf::default();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(LEVELS), "}".repeat(LEVELS));
    on(&shelf, async |client| {
        client.post(CRDS, &definition(&open_schema())).await.expect(201);
        let head = r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"}"#;
        let body = format!(r#"{head},"spec":{deep}}}"#);
        let made = client.send("POST", FOOS, "application/json", body).await;
        assert_eq!(made.code, 201);
    })
    .await;
    on(&shelf, async |client| {
        let read = client.get(&format!("{FOOS}/a")).await;
        assert!(read.code == 200 && read.text.contains(&deep));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_is_damaged_is_told_of() {
    let shelf = Shelf::default();
    on(&shelf, async |client| client.config_map("a", "1").await).await;
    let place = ("configmaps".to_owned(), "default/a".to_owned());
    shelf.books().objects.get_mut(&place).expect("kept").json.truncate(9);
    let error = ApiServer::builder().build_on(shelf).expect_err("half an object");
    assert!(error.to_string().starts_with("configmaps default/a: EOF"), "{error}");
}
