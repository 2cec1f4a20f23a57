//! Requests by hand, against the embedded server.

use std::sync::{Arc, Mutex};

use serde_json::json;
use watchkeeper_api::core::v1::{ConfigMap, Namespace};
use watchkeeper_api::{Object as _, Unstructured, object};
use watchkeeper_client::{Patch, WriteIntent, WriteObserver, WriteOutcome};

use crate::failure;
use crate::fake::{Fake, ok, status};
use crate::live::live;

fn map() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "x", namespace: "default" }, data: { "a": "1" } })
}

#[tokio::test(start_paused = true)]
async fn every_verb_by_hand() {
    let core = live().client.rest_for("v1");
    let maps = |request: watchkeeper_client::RestRequest| {
        request.namespace("default").resource("configmaps")
    };
    let created = maps(core.post()).body(&map()).send().await.unwrap();
    assert!(created.was_created());
    assert_eq!(created.content_type(), "application/json");
    let mut created: ConfigMap = created.read().unwrap();
    created.data.insert("b", "2");
    let put: ConfigMap = maps(core.put()).name("x").body(&created).into().await.unwrap();
    assert_eq!(put.data.len(), 2);
    let change = Patch::merge(&json!({ "data": { "c": "3" } }));
    let patched: ConfigMap = maps(core.patch()).name("x").patch(&change).into().await.unwrap();
    assert_eq!(patched.data.len(), 3);
    let applied = maps(core.patch()).name("x").patch(&Patch::apply(&map()));
    let applied: ConfigMap = applied.into().await.unwrap();
    assert_eq!(applied.data.len(), 3);
    let read: ConfigMap = maps(core.get()).name("x").into().await.unwrap();
    assert_eq!(read.resource_version(), applied.resource_version());
    maps(core.delete()).name("x").do_raw().await.unwrap();
    let error = maps(core.get()).name("x").do_raw().await.unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.to_string(), "get configmaps default/x: configmaps \"x\" not found");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_resource_is_read_by_its_path() {
    let rest = live().client.rest();
    assert_eq!(rest.get().path("/readyz").do_raw().await.unwrap(), "ok");
    let error = rest.get().path("/nothing").do_raw().await.unwrap_err();
    assert!(error.is_not_found());
    assert!(error.to_string().starts_with("get /nothing: "), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_body_is_taken_as_it_arrives() {
    let core = live().client.rest_for("v1");
    let mut body = core.get().resource("namespaces").stream().await.unwrap();
    let mut text = Vec::new();
    while let Some(part) = body.data().await.unwrap() {
        text.extend_from_slice(&part);
    }
    assert!(String::from_utf8(text).unwrap().contains("NamespaceList"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_something_else_is_told() {
    for body in ["hello", ""] {
        let fake = Fake::new([ok(body)]);
        let read = fake.client().rest().get().path("/x").into::<Unstructured>().await;
        let error = read.unwrap_err();
        assert!(error.is_decode(), "{error}");
    }
    let fake = Fake::new([status(403, &failure(403, "Forbidden", "no"))]);
    let read = fake.client().rest().get().path("/x").into::<Unstructured>().await;
    assert!(read.unwrap_err().is_forbidden());
}

#[tokio::test(start_paused = true)]
async fn whether_something_was_made_is_told_by_the_code() {
    for (code, body, made) in
        [(200, "{}", false), (201, "{}", true), (202, "{}", false), (204, "", false)]
    {
        let fake = Fake::new([status(code, body).header("Warning", r#"299 - "old""#)]);
        let answer = fake.client().rest().put().path("/x").body(&map()).send().await.unwrap();
        assert_eq!((answer.was_created(), answer.status().as_u16()), (made, code));
        assert_eq!(
            (answer.warnings()[0].text.as_str(), answer.bytes().as_ref()),
            ("old", body.as_bytes())
        );
    }
}

#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

impl WriteObserver for Diary {
    fn begin(&self, write: &WriteIntent<'_>) -> u64 {
        let WriteIntent { kind, namespace, name, verb, .. } = write;
        let (verb, kind) = (verb.as_str(), kind.group_resource());
        let mut lines = self.0.lock().unwrap();
        lines.push(format!("{verb} {kind} {namespace:?} {}", name.unwrap_or("?")));
        lines.len() as u64 - 1
    }

    fn finish(&self, ticket: u64, outcome: &WriteOutcome<'_>) {
        let told = match outcome {
            WriteOutcome::Stored { name, .. } => format!(": stored {name}"),
            WriteOutcome::Deleted { namespace, name, .. } => {
                format!(": deleted {namespace}/{name}")
            }
            WriteOutcome::Absent => ": absent".to_owned(),
            WriteOutcome::Refused => ": refused".to_owned(),
            WriteOutcome::Unknown => ": unknown".to_owned(),
        };
        self.0.lock().unwrap()[usize::try_from(ticket).unwrap()] += &told;
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_by_hand_is_told_to_the_observer() {
    let diary = Arc::new(Diary::default());
    let core = live().client.observed_by(Arc::clone(&diary) as _).rest_for("v1");
    let maps = |request: watchkeeper_client::RestRequest| {
        request.namespace("default").resource("configmaps")
    };
    maps(core.post()).query("dryRun", "All").body(&map()).send().await.unwrap();
    let unnamed = object!(ConfigMap { metadata: { generate_name: "x-" } });
    maps(core.post()).query("dryRun", "All").body(&unnamed).send().await.unwrap();
    maps(core.post()).body(&map()).send().await.unwrap();
    maps(core.post()).body(&map()).send().await.unwrap_err();
    maps(core.get()).do_raw().await.unwrap();
    maps(core.delete()).name("x").do_raw().await.unwrap();
    maps(core.delete()).do_raw().await.unwrap();
    let team = object!(Namespace { metadata: { name: "team" } });
    core.post().resource("namespaces").body(&team).send().await.unwrap();
    let expected = [
        r#"create configmaps "default" x: refused"#,
        r#"create configmaps "default" ?: refused"#,
        r#"create configmaps "default" x: stored x"#,
        r#"create configmaps "default" x: refused"#,
        r#"delete configmaps "default" x: deleted default/x"#,
        r#"deletecollection configmaps "default" ?: unknown"#,
        r#"create namespaces "" team: stored team"#,
    ];
    assert_eq!(*diary.0.lock().unwrap(), expected);
}
