//! Small samples of both files, and what is said about bad ones.

use super::*;

const TYPES: &str = "\
facts 1 kubernetes v1.36.3
struct t.Spec struct=atomic
 replicas ptr int32 1v default=1
 containers req [@t.Item 2l patch=merge,retainKeys mergeKey=name list=map keys=name,port required
 phase omit string:Phase 3l enum=A|B
 labels omit {string 4l map=atomic
 - inline @t.Item 5l
struct t.Item
 name req string 1l format=x
 extra omit {[string - pbwrap
";

const KINDS: &str = "\
kind core v1 Foo foos foo Namespaced t.Spec list=FooList verbs=get,list short=f,fo categories=all
 sub scale autoscaling/v1/Scale verbs=get,update
 sub eviction core/v1/Foo verbs=create
kind meta.k8s.io v1 Status - - - t.Item list=-
";

fn sample() -> Facts {
    Facts::parse(TYPES, KINDS).expect("the sample follows the grammar")
}

#[test]
fn the_committed_facts_can_be_read() {
    let facts = Facts::builtin().expect("the committed facts follow the grammar");
    let deployment = facts.kind("apps", "v1", "Deployment").expect("a built-in kind");
    assert_eq!(deployment.plural, "deployments");
    let container = facts.get("io.k8s.api.core.v1.Container").expect("a built-in struct");
    let ports = container.fields.iter().find(|field| field.json == "ports").expect("a field");
    assert_eq!(ports.merge_key.as_deref(), Some("containerPort"));
}

#[test]
fn what_is_read_when_it_is_wanted_is_what_is_read_at_once() {
    let unread = Facts::unread().expect("the committed facts follow the grammar");
    assert_eq!(Facts::builtin(), Ok(unread));
}

#[test]
fn a_field_carries_all_its_facts() {
    let facts = sample();
    assert_eq!(facts.version, "v1.36.3");
    let spec = facts.get("t.Spec").expect("in the sample");
    assert!(spec.atomic);
    let [replicas, containers, phase, labels, item] = &spec.fields[..] else {
        panic!("five fields")
    };
    assert_eq!(replicas.presence, Presence::Pointer);
    assert_eq!(replicas.pb, Some(Pb { number: 1, wire: Wire::Varint }));
    assert_eq!(replicas.default.as_deref(), Some("1"));
    assert_eq!(containers.ty, Type::List(Box::new(Type::Struct("t.Item".to_owned()))));
    assert_eq!(containers.patch, PatchStrategy { merge: true, replace: false, retain_keys: true });
    assert_eq!(containers.merge_key.as_deref(), Some("name"));
    assert_eq!((containers.list, containers.list_keys.len()), (Some(ListType::Map), 2));
    assert!(containers.required);
    assert_eq!(phase.ty, Type::Named(Scalar::String, "Phase".to_owned()));
    assert_eq!(phase.enum_values, ["A", "B"]);
    assert_eq!(labels.map, Some(MapType::Atomic));
    assert_eq!((item.json.as_str(), item.presence), ("", Presence::Inline));
    let extra = &facts.get("t.Item").expect("in the sample").fields[1];
    assert_eq!((extra.pb, extra.pb_wrapped), (None, true));
}

#[test]
fn a_kind_carries_names_and_subresources() {
    let facts = sample();
    let foo = facts.kind("", "v1", "Foo").expect("in the sample");
    assert_eq!((foo.api_version().as_str(), foo.plural.as_str()), ("v1", "foos"));
    assert_eq!(foo.scope, Some(Scope::Namespaced));
    assert_eq!(foo.short_names, ["f", "fo"]);
    assert_eq!(foo.subresources[0].kind.group, "autoscaling");
    assert_eq!(foo.subresources[1].kind.group, "");
    let status = facts.kind("meta.k8s.io", "v1", "Status").expect("in the sample");
    assert!(!status.is_resource());
    assert_eq!((status.scope, status.list_kind.as_deref()), (None, None));
}

#[test]
fn a_mistake_is_told_with_file_and_line() {
    let error = |types: &str, kinds: &str| {
        Facts::parse(types, kinds).expect_err("the text is wrong").to_string()
    };
    let head = "facts 1 kubernetes v1\n";
    expect_test::expect![[r#"
        types.facts:1: expected `facts 1 kubernetes <version>`, in `struct a b c`
        types.facts:2: a field before the first struct, in `a req string -`
        types.facts:3: unknown type `strin`, in `a req strin -`
        types.facts:3: expected a protobuf tag or `-`, in `a req string`
        types.facts:3: unknown attribute `lst=map`, in `a req string 1l lst=map`
        types.facts:3: this struct is there twice, in `struct a`
        a, field b: no struct is called `c`
        kinds.facts:1: a subresource before the first kind, in `sub scale a/v1/B`
        kinds.facts:1: unknown scope `Clustered`, in `kind core v1 A as a Clustered m`"#]]
    .assert_eq(
        &[
            error("struct a b c\n", ""),
            error(&format!("{head} a req string -\n"), ""),
            error(&format!("{head}struct a\n a req strin -\n"), ""),
            error(&format!("{head}struct a\n a req string\n"), ""),
            error(&format!("{head}struct a\n a req string 1l lst=map\n"), ""),
            error(&format!("{head}struct a\nstruct a\n"), ""),
            error(&format!("{head}struct a\n b req @c 1l\n"), ""),
            error("", " sub scale a/v1/B\n"),
            error("", "kind core v1 A as a Clustered m\n"),
        ]
        .join("\n"),
    );
}
