//! Texts and their documents; what is written and read as a whole is in `tests/it/exports`.

use serde_json::{Value, json};

use super::Snapshot;
use super::documents::split;

fn documents(text: &str) -> Vec<(usize, usize, &str)> {
    let all = split(text).into_iter();
    all.map(|document| (document.number, document.line, document.text)).collect()
}

#[test]
fn a_text_is_split_at_its_marks() {
    assert_eq!(documents(""), []);
    assert_eq!(documents("# one\n---\n\n# two\n---\n...\n"), []);
    assert_eq!(documents("a: 1"), [(1, 1, "a: 1")]);
    assert_eq!(
        documents(
            "# top\n---\na: 1\n---\n# none\n--- {b: 2}\n...\n%YAML 1.2\n---\r\nc: |\n  ---\n"
        ),
        [(1, 2, "\na: 1\n"), (2, 6, " {b: 2}\n"), (3, 9, "\r\nc: |\n  ---\n")],
    );
    assert_eq!(documents("---a: 1\n"), [(1, 1, "---a: 1\n")], "that is a name");
}

/// A text with a config map that is not quite as a server wrote it.
fn object(change: fn(&mut Value)) -> String {
    let mut object = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "7"},
    });
    change(&mut object);
    format!("# comment\n---\n{object}\n")
}

fn check(cases: &[(String, &str)]) {
    for (text, told) in cases {
        let why = text.parse::<Snapshot>().map(|read| read.revision()).expect_err(text);
        assert!(why.to_string().starts_with(told), "{why}\n{text}");
        assert_eq!(why.document().is_some(), told.starts_with("document"), "{why}");
    }
}

#[test]
fn what_is_no_object_of_a_kind_is_named() {
    check(&[
        (String::new(), "there is no object in it"),
        ("# nothing\n---\n".to_owned(), "there is no object in it"),
        ("a: [\n".to_owned(), "document 1, at line 1: it is no YAML: line "),
        ("a: 1\na: 2\n".to_owned(), "document 1, at line 1: it is no YAML: line 2: "),
        ("[1]".to_owned(), "document 1, at line 1: it is no object"),
        (object(|of| of["kind"] = json!(null)), "document 1, at line 2: it has no kind"),
        (object(|of| of["kind"] = json!(3)), "document 1, at line 2: it has no kind"),
        (object(|of| of["apiVersion"] = json!("")), "document 1, at line 2: it has no apiVersion"),
        (
            object(|of| of["kind"] = json!("Foo")),
            "document 1, at line 2: v1 Foo is neither built in nor defined in the text: objects of it cannot be \
             stored",
        ),
        (
            object(|of| {
                of["apiVersion"] = json!("authentication.k8s.io/v1");
                of["kind"] = json!("TokenReview");
            }),
            "document 1, at line 2: authentication.k8s.io/v1 TokenReview is neither built in nor",
        ),
    ]);
}

/// As kubectl prints what it got.
#[test]
fn the_items_of_a_list_are_objects() {
    let item = |name: &str, revision: &str| {
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default", "uid": name,
            "resourceVersion": revision}})
    };
    let list = |items: Value| {
        let metadata = json!({"resourceVersion": ""});
        json!({"apiVersion": "v1", "kind": "List", "items": items, "metadata": metadata})
    };
    let text =
        format!("{}\n---\n{}\n", list(json!([item("a", "7"), item("b", "9")])), item("c", "8"));
    let read = text.parse::<Snapshot>().expect("a snapshot");
    assert_eq!((read.revision(), read.objects.len()), (9, 3));
    check(&[
        (
            list(json!([item("a", "7"), item("a", "8")])).to_string(),
            "document 1, at line 1: configmaps default/a is in document 1 already",
        ),
        (list(json!([3])).to_string(), "document 1, at line 1: it is no object"),
        (list(json!([])).to_string(), "there is no object in it"),
        (list(json!({})).to_string(), "document 1, at line 1: v1 List is neither built in"),
    ]);
}

#[test]
fn what_was_never_stored_is_named() {
    let revision =
        "document 1, at line 2: ConfigMap default/a: its metadata.resourceVersion is no revision";
    check(&[
        (
            object(|of| of["metadata"] = json!([])),
            "document 1, at line 2: ConfigMap: it has no metadata.name",
        ),
        (
            object(|of| of["metadata"]["name"] = json!("")),
            "document 1, at line 2: ConfigMap: it has no metadata.name",
        ),
        (
            object(|of| of["metadata"]["name"] = json!("a/b")),
            "document 1, at line 2: ConfigMap default/a/b: neither a name nor a namespace has a / in it",
        ),
        (
            object(|of| of["metadata"]["namespace"] = json!("")),
            "document 1, at line 2: ConfigMap a: it has no metadata.namespace, and its kind lives in namespaces",
        ),
        (
            object(|of| of["kind"] = json!("Namespace")),
            "document 1, at line 2: Namespace default/a: it has a metadata.namespace, and its kind lives in the \
             cluster",
        ),
        (
            object(|of| of["metadata"]["uid"] = json!(null)),
            "document 1, at line 2: ConfigMap default/a: it has no metadata.uid: it was never stored",
        ),
        (object(|of| of["metadata"]["resourceVersion"] = json!("x")), revision),
        (object(|of| of["metadata"]["resourceVersion"] = json!("0")), revision),
        (object(|of| of["metadata"]["resourceVersion"] = json!("-1")), revision),
        (object(|of| of["metadata"]["resourceVersion"] = json!(u64::MAX.to_string())), revision),
        (
            object(|of| of["data"] = json!({"a": 1})),
            "document 1, at line 2: ConfigMap default/a: json: cannot unmarshal number into Go struct field \
             ConfigMap.data of type string",
        ),
        (
            format!("{}{}", object(|_| ()), object(|_| ())),
            "document 2, at line 5: configmaps default/a is in document 1 already",
        ),
    ]);
}

#[test]
fn the_revision_is_that_of_the_newest_object_or_of_the_first_line() {
    let object = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","uid":"u","resourceVersion":"7"}}"#;
    for (line, revision) in [
        ("", 7),
        ("# What a server of Watchkeeper holds at revision 9.\n", 9),
        ("# What a server of Watchkeeper holds at revision 5.\n", 7),
        ("# What a server of Watchkeeper holds at revision many.\n", 7),
    ] {
        let read: Snapshot = format!("{line}{object}\n").parse().expect("a snapshot");
        assert_eq!(read.revision(), revision, "{line}");
        assert_eq!(format!("{read:?}"), format!("Snapshot(1 objects at {revision})"));
    }
}
