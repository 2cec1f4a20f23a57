//! The whole output for facts of a few lines.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use watchkeeper_codegen::{
    Group, Groups, cargo_features, client_features, clientset, generate, splice_features,
};
use watchkeeper_schema::facts::Facts;

const TYPES: &str = "\
facts 1 kubernetes v1.36.3
struct io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta
 kind omit string 1l
struct io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta
 name omit string 1l
 creationTimestamp zero time 8l
struct io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta
 continue omit string 3l
struct t.inner.v1.Bound
 labels omit {string 1l
 limits omit {quantity 2l
struct t.inner.v1.Source
 secret ptr @t.inner.v1.Bound 1l
struct t.outer.v1.Foo
 - inline @io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta -
 metadata omit @io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta 1l
 spec omit @t.outer.v1.FooSpec 2l
 status omit @t.inner.v1.Bound 3l
struct t.outer.v1.FooSpec
 type req string:FooType 1l
 podIPs omit [string 2l
 replicas ptr int32 3v
 - inline @t.inner.v1.Source 4l
 env omit [@t.inner.v1.Bound 5l
struct t.outer.v1.FooList
 - inline @io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta -
 metadata omit @io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta 1l
 items req [@t.outer.v1.Foo 2l
";

const KINDS: &str = "\
kind outer.t v1 Foo foos foo Cluster t.outer.v1.Foo list=FooList verbs=get,update
 sub status outer.t/v1/Foo verbs=update
kind outer.t v1 FooList - - - t.outer.v1.FooList
";

fn groups() -> Groups {
    let group =
        |name, package| Group { name, package, versions: &["v1"], whole: false, families: &[] };
    Groups {
        groups: vec![
            group("inner", "t.inner"),
            group("meta", "io.k8s.apimachinery.pkg.apis.meta"),
            group("outer", "t.outer"),
        ],
        shared: vec![("t.outer.v1.FooSpec", "env"), ("t.inner.v1.Source", "secret")],
        unique: vec![("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "name")],
        same: vec![("t.inner.v1.Bound", "limits")],
        each: vec![("t.outer.v1.FooSpec", "podIPs")],
    }
}

fn check(path: &str, expected: Expect) {
    let facts = Facts::parse(TYPES, KINDS).expect("the facts follow the grammar");
    let files = generate(&facts, &groups()).expect("the facts make types");
    let file = files.iter().find(|(p, _)| p.as_os_str() == path).expect("the file is there");
    expected.assert_eq(&file.1);
}

#[test]
fn a_kind_becomes_a_struct_a_table_and_a_kind_line() {
    check(
        "generated/outer/v1.rs",
        expect![[r#"
            //! `outer/v1`.
            //!
            //! Generated from the facts by `cargo xtask codegen`; do not edit.

            use crate::codec::{codec, kind};
            use crate::inner::v1::Bound;
            use crate::meta::v1::ObjectMeta;
            use crate::{IStr, List, Shared};

            /// `t.outer.v1.Foo`.
            #[derive(Clone, Default, PartialEq)]
            pub struct Foo {
                pub metadata: ObjectMeta,
                pub spec: FooSpec,
                pub status: Bound,
            }

            codec! { Foo: "outer.t/v1"
                2 "metadata" [1] opt metadata
                3 "spec" [2] opt spec
                4 "status" [3] opt status
                => [3 status] [2 spec] [1 metadata]
            }

            kind! { Foo "outer.t" "v1" "foos" Cluster, Bound }

            /// `t.outer.v1.FooSpec`.
            #[derive(Clone, Default, PartialEq)]
            pub struct FooSpec {
                pub type_: IStr,
                pub pod_ips: List<Shared<IStr>>,
                pub replicas: Option<i32>,
                pub secret: Option<Shared<Bound>>,
                pub env: Shared<List<Bound>>,
            }

            codec! { FooSpec
                0 "type" [1] req type_
                1 "podIPs" [2] each pod_ips
                2 "replicas" [3] opt replicas
                3 "secret" [4 1] opt secret
                4 "env" [5] opt env
                => [5 env] (4 [1 secret]) [3 replicas] [2 pod_ips] [1 type_]
            }
        "#]],
    );
}

#[test]
fn a_struct_used_elsewhere_lies_in_its_own_group() {
    check(
        "generated/inner/v1.rs",
        expect![[r#"
            //! `inner/v1`.
            //!
            //! Generated from the facts by `cargo xtask codegen`; do not edit.

            use crate::codec::codec;
            use crate::{Map, Quantity, blank};

            /// `t.inner.v1.Bound`.
            #[derive(Clone, Default, PartialEq)]
            pub struct Bound {
                pub labels: Map,
                pub limits: Map<Quantity>,
            }

            codec! { Bound
                0 "labels" [1] opt labels
                1 "limits" [2] same limits
                => [2 limits] [1 labels]
            }

            blank!(Bound);
        "#]],
    );
}

#[test]
fn groups_are_behind_features_and_meta_is_not() {
    check(
        "generated.rs",
        expect![[r#"
            //! The built-in API types, one module a group.
            //!
            //! Generated from the facts by `cargo xtask codegen`; do not edit.

            #[cfg(feature = "inner")]
            pub mod inner;
            pub mod meta;
            #[cfg(feature = "outer")]
            pub mod outer;

            pub(crate) mod kinds;
            pub(crate) mod merge;
            #[cfg(feature = "builders")]
            mod setters;
        "#]],
    );
}

#[test]
fn kinds_are_shown_to_the_registry() {
    check(
        "generated/kinds.rs",
        expect![[r#"
            //! Every kind of the enabled groups.
            //!
            //! Generated from the facts by `cargo xtask codegen`; do not edit.

            use crate::registry::Visitor;

            /// Shows every kind to `visitor`, sorted by group, version and kind.
            pub(crate) fn visit(visitor: &mut impl Visitor) {
                #[cfg(feature = "outer")]
                outer(visitor);
            }

            #[cfg(feature = "outer")]
            fn outer(visitor: &mut impl Visitor) {
                outer_v1(visitor);
            }

            #[cfg(feature = "outer")]
            fn outer_v1(visitor: &mut impl Visitor) {
                use crate::outer::v1;

                visitor.visit::<v1::Foo>();
            }
        "#]],
    );
}

#[test]
fn features_pull_the_groups_they_use() {
    let facts = Facts::parse(TYPES, KINDS).expect("the facts follow the grammar");
    let features = cargo_features(&facts, &groups()).expect("the facts make types");
    let manifest = "[features]
# Generated by `cargo xtask codegen`: a group and the groups it uses.
old = []
# End of the generated features.
";
    let spliced = splice_features(manifest, &features).expect("the place is marked");
    expect![[r#"
        [features]
        # Generated by `cargo xtask codegen`: a group and the groups it uses.
        all-groups = [
          "inner",
          "outer",
        ]
        inner = []
        outer = ["inner"]
        # End of the generated features.
    "#]]
    .assert_eq(&spliced);
    assert_eq!(splice_features("[features]\n", &features), None);
}

#[test]
fn what_cannot_be_generated_is_told() {
    let mut out = String::new();
    for (types, kinds) in [
        (
            "facts 1 kubernetes v1\nstruct t.outer.v1.A\n b req @x.y.Z 1l\nstruct x.y.Z\n",
            "kind o v1 A - - - t.outer.v1.A\n",
        ),
        (
            "facts 1 kubernetes v1\nstruct t.outer.v1.A\n aB req bool 1v\n a-b req bool 2v\n",
            "kind o v1 A - - - t.outer.v1.A\n",
        ),
    ] {
        let facts = Facts::parse(types, kinds).expect("the facts follow the grammar");
        let error = generate(&facts, &groups()).expect_err("no types can be made");
        writeln!(out, "{error}").expect("a string takes it");
    }
    expect![[r#"
        no type for `b` of t.outer.v1.A
        `t.outer.v1.A` has two fields `a_b`
    "#]]
    .assert_eq(&out);
}

#[test]
fn a_resource_gets_an_accessor() {
    let facts = Facts::parse(TYPES, KINDS).expect("the facts follow the grammar");
    let files = clientset(&facts, &groups()).expect("the facts make accessors");
    let text: String =
        files.iter().map(|(path, text)| format!("{}\n{text}", path.display())).collect();
    expect![[r#"
        clientset.rs
        //! Typed accessors for every group and version.
        //!
        //! `client.apps().v1().deployments("default")` is `client.api::<Deployment>()` in that namespace.
        //!
        //! Generated from the facts by `cargo xtask codegen`; do not edit.

        use crate::client::Client;

        #[cfg(feature = "outer")]
        pub mod outer;

        impl Client {
            /// The group `outer`.
            #[cfg(feature = "outer")]
            #[must_use]
            pub const fn outer(&self) -> outer::Group<'_> {
                outer::Group::new(self)
            }
        }
        clientset/outer.rs
        //! The resources of the API group `outer`.
        //!
        //! Generated from the facts by `cargo xtask codegen`; do not edit.

        use watchkeeper_api::outer::v1;

        use crate::api::Api;
        use crate::client::Client;

        /// The versions of `outer`.
        #[derive(Clone, Copy, Debug)]
        pub struct Group<'a>(&'a Client);

        impl<'a> Group<'a> {
            pub(super) const fn new(client: &'a Client) -> Self {
                Self(client)
            }

            /// `outer.t/v1`.
            #[must_use]
            pub const fn v1(self) -> V1<'a> {
                V1(self.0)
            }
        }

        /// The resources of `outer.t/v1`.
        #[derive(Clone, Copy, Debug)]
        pub struct V1<'a>(&'a Client);

        impl V1<'_> {
            /// The `foos`.
            #[must_use]
            pub fn foos(self) -> Api<v1::Foo> {
                self.0.api()
            }
        }
    "#]].assert_eq(&text);
    let features = client_features("[features]\n", &facts, &groups());
    assert_eq!(features, Ok(None), "the manifest has no place for them");
}
