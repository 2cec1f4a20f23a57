//! What the macros accept, on a small type with every sort of field.

use crate::json::{Fields, ReadError, Reader};
use crate::{IStr, IntOrString, List, Map, Quantity, Shared, edit, object};

#[derive(Clone, Debug, Default, PartialEq)]
struct Thing {
    name: IStr,
    note: Option<IStr>,
    count: i32,
    replicas: Option<i32>,
    size: Option<i64>,
    port: IntOrString,
    surge: Option<IntOrString>,
    part: Part,
    maybe: Option<Box<Part>>,
    shared: Shared<Part>,
    maybe_shared: Option<Shared<Part>>,
    parts: List<Part>,
    shared_parts: Shared<List<Part>>,
    args: List<IStr>,
    labels: Map,
    limits: Map<Quantity>,
    groups: Map<List<IStr>>,
    r#type: IStr,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Part {
    name: IStr,
    on: bool,
    inner: Option<Box<Self>>,
}

macro_rules! fields {
    ($($type:ty),*) => { $(
        impl Fields for $type {
            fn set(&mut self, _: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
                r.skip()
            }
        }
    )* };
}
fields!(Thing, Part);
crate::blank!(Part);

fn part(name: &str) -> Part {
    object!(Part { name: name })
}

#[test]
fn every_sort_of_field() {
    let (text, istr) = (String::from("text"), IStr::from("istr"));
    let labels = Map::from([("a", "b")]);
    let key = "computed";
    let thing = object!(Thing {
        name: &text,
        note: &istr,
        count: 1,
        replicas: 2,
        size: 3,
        port: "http",
        surge: 4,
        part: { name: "by value", inner: { name: "deep", on: true } },
        maybe: {},
        shared: { name: text.as_str() },
        maybe_shared: { on: 1 + 1 == 2 },
        parts: [{ name: "one" }, part("two"), &part("three"), {}],
        shared_parts: [{ name: "four" }],
        args: ["a", &text, istr.clone(), format!("{}", 1)],
        labels: &labels,
        limits: { "cpu": "100m", [key]: 5 },
        groups: { "x": ["y", "z"] },
        r#type: Some("Opaque"),
    });
    assert_eq!((&*thing.name, thing.note.as_deref()), ("text", Some("istr")));
    assert_eq!((thing.count, thing.replicas, thing.size), (1, Some(2), Some(3)));
    assert_eq!((thing.port, thing.surge), (IntOrString::from("http"), Some(IntOrString::Int(4))));
    assert_eq!(thing.part.inner.unwrap().name, "deep");
    assert_eq!(thing.maybe, Some(Box::default()));
    assert_eq!(thing.shared.name, "text");
    assert!(thing.maybe_shared.unwrap().on);
    assert_eq!(
        thing.parts.iter().map(|part| &*part.name).collect::<Vec<_>>(),
        ["one", "two", "three", ""]
    );
    assert_eq!(thing.shared_parts[0].name, "four");
    assert_eq!(thing.args, ["a", "text", "istr", "1"]);
    assert_eq!(thing.labels, labels);
    assert_eq!(thing.limits.get("computed"), Some(&Quantity::from("5")));
    assert_eq!(thing.groups.get("x").unwrap().len(), 2);
    assert_eq!(thing.r#type, "Opaque");
}

#[test]
fn options_and_collections_pass_through() {
    let thing = object!(Thing {
        name: None::<&str>,
        note: Some("x"),
        replicas: Some(1),
        maybe: part("boxed"),
        shared: part("shared"),
        parts: vec![part("a")],
        args: ["a", "b"].map(String::from),
        labels: Map::from([("k", "v")]),
    });
    assert_eq!((&*thing.name, thing.note.as_deref(), thing.replicas), ("", Some("x"), Some(1)));
    assert_eq!((&*thing.maybe.unwrap().name, &*thing.shared.name), ("boxed", "shared"));
    assert_eq!((thing.parts.len(), thing.args.len(), thing.labels.len()), (1, 2, 1));
}

#[test]
fn edits_leave_the_rest() {
    let mut thing = object!(Thing {
        part: { name: "kept", on: false },
        labels: { "a": "1" },
        shared: { name: "kept" },
        args: ["old"],
    });
    let before = thing.clone();
    edit!(thing, {
        part: { on: !thing.part.on },
        labels: { "b": &thing.part.name },
        shared: { on: true },
        args: [format!("{}-new", thing.args[0])],
    });
    assert_eq!((&*thing.part.name, thing.part.on), ("kept", true));
    assert_eq!(thing.labels, Map::from([("a", "1"), ("b", "kept")]));
    assert_eq!((&*thing.shared.name, thing.shared.on, before.shared.on), ("kept", true, false));
    assert_eq!(thing.args, ["old-new"]);
    let borrowed = &mut thing;
    edit!(borrowed, { count: 7 });
    edit!(thing.part, { inner: { inner: { name: "deep" } } });
    assert_eq!(thing.count, 7);
    assert_eq!(thing.part.inner.unwrap().inner.unwrap().name, "deep");
}
