//! What is said about options that make no sense.

use expect_test::expect;
use syn::{DeriveInput, parse_str};

fn object(text: &str) -> String {
    let input: DeriveInput = parse_str(text).expect("the text is Rust");
    super::derive(&input).map_or_else(|error| error.to_string(), |_| "fine".to_owned())
}

fn fields(text: &str) -> String {
    let input: DeriveInput = parse_str(text).expect("the text is Rust");
    crate::schema::derive_fields(&input)
        .map_or_else(|error| error.to_string(), |_| "fine".to_owned())
}

#[test]
fn a_kind_tells_what_it_lacks() {
    let body = "struct A { metadata: ObjectMeta }";
    let of = |options: &str| object(&format!("#[object({options})] {body}"));
    let good = r#"group = "g", version = "v1""#;
    expect![[r#"
        fine
        write `#[object(group = "…", version = "…")]`: the group is missing
        write `#[object(group = "…", version = "…")]`: the version is missing
        `status` needs a field `status`
        expected Namespaced or Cluster
        unknown option `colour`; known are group, version, kind, plural, singular, list_kind, short_names, categories, annotation, label, scope, status, scale, printcolumn, selectable, served, storage, deprecated, versions, crate, like, json, validation, at_most_one_of, exactly_one_of, at_least_one_of, min_properties, max_properties, map_type, preserve_unknown, immutable, title, example, external_docs
        `status_replicas` is missing
        expected integer, number, string, boolean or date
        `json_path` is missing
        expected a key and a value
        a kind has metadata: add `pub metadata: ObjectMeta`
        only a struct has fields
        another member is called `kind`"#]].assert_eq(
        &[
            of(good),
            of(r#"version = "v1""#),
            of(r#"group = "g""#),
            of(&format!("{good}, status")),
            of(&format!("{good}, scope = \"Node\"")),
            of(&format!("{good}, colour = \"red\"")),
            of(&format!("{good}, scale(spec_replicas = \".spec.n\")")),
            of(&format!("{good}, printcolumn(\"N\", \"int\", \".spec.n\")")),
            of(&format!("{good}, printcolumn(\"N\", \"integer\")")),
            of(&format!("{good}, annotation(\"key\")")),
            object(r#"#[object(group = "g", version = "v1")] struct A {}"#),
            object(r#"#[object(group = "g", version = "v1")] enum A { B }"#),
            object(
                r#"#[object(group = "g", version = "v1")] struct A { metadata: B, kind: B }"#,
            ),
        ]
        .join("\n"),
    );
}

#[test]
fn a_field_tells_what_is_wrong() {
    let of = |options: &str| fields(&format!("struct A {{ #[field({options})] b: List<i32> }}"));
    expect![[r#"
        fine
        unknown option `minimun`; did you mean `minimum`?
        expected map, set or atomic
        a map needs `list_map_keys("…")`
        keys need `list_type = "map"`
        expected a value as in JSON: a number, a text, `true`, `false`, `null`, `[…]` or `{…}`
        `rule` is missing
        name the fields: members have names
        a part of an object has no generics
        a variant is a text: it holds no data
        a variant takes `rename` only
        another variant is called `C`
        a part of an object has no generics
        this is for fields: it is said where the struct is a field
        say it of the value: `struct Port(#[field(minimum = 1)] i32);`
        a part of an object has no generics
        another member is called `type`
        keys need `list_type = "map"`
        servers take no sets and maps of items that may be null
        servers take no sets and maps of items that may be null
        servers take sets of scalars and of what is atomic: say `#[fields(map_type = "atomic")]` of the struct, or `items(map_type = "atomic")` here
        servers take sets of scalars and of what is atomic: say `#[fields(map_type = "atomic")]` of the struct, or `items(map_type = "atomic")` here
        servers take sets of scalars and of what is atomic: say `#[fields(map_type = "atomic")]` of the struct, or `items(map_type = "atomic")` here
        fine
        fine"#]]
    .assert_eq(
        &[
            of("optional, default = -1"),
            of("minimun = 1"),
            of("list_type = \"heap\""),
            of("list_type = \"map\""),
            of("list_map_keys(\"name\")"),
            of("default = vec![]"),
            of("validation(message = \"no\")"),
            fields("struct A(i32, i32);"),
            fields("struct A<T> { b: T }"),
            fields("enum A { B(i32) }"),
            fields("enum A { #[field(minimum = 1)] B }"),
            fields("enum A { #[field(rename = \"C\")] B, C }"),
            fields("enum A<T> { B }"),
            fields("struct A(#[field(default = 1)] i32);"),
            fields("#[fields(min_properties = 1)] struct A(i32);"),
            fields("struct A<T>(T);"),
            fields("struct A { type_: i32, #[field(rename = \"type\")] kind: i32 }"),
            of("list_type = \"set\", list_map_keys(\"name\")"),
            of("list_type = \"set\", items(nullable)"),
            of("list_type = \"map\", list_map_keys(\"name\"), items(nullable)"),
            of("list_type = \"set\", items(map_type = \"granular\")"),
            of("list_type = \"set\", items(list_type = \"set\")"),
            of("list_type = \"set\", items(embedded_resource)"),
            of("list_type = \"set\", items(map_type = \"atomic\", embedded_resource)"),
            of("list_type = \"set\", items(type = \"string\")"),
        ]
        .join("\n"),
    );
}

#[test]
fn options_that_contradict_are_told() {
    let of = |options: &str| fields(&format!("struct A {{ #[field({options})] b: i32 }}"));
    expect![[r#"
        the maximum is below the minimum, which is 3
        the maximum is below the minimum, which is 3
        there is a minimum already
        the default is below the minimum
        the default is above the maximum
        the default is 1 long, and the least is 2
        the default is 2 long, and the most is 1
        the default is 0 long, and the least is 1
        the default is none of `enum_values`
        the default is none of `enum_values`
        fine
        a default of null needs `nullable`
        fine
        the maximum is below the minimum, which is 2
        unknown option `minlength`; did you mean `min_length`?
        servers refuse `uniqueItems`: write `list_type = "set"`
        expected object, array, string, integer, number or boolean
        the rule is empty
        expected one of FieldValueInvalid, FieldValueForbidden, FieldValueRequired, FieldValueDuplicate
        a field path begins with a dot: `.spec`
        unknown option `mesage`; did you mean `message`?
        there is no member `c`
        name two members or more
        unknown option `minimum`; known are crate, like, json, validation, at_most_one_of, exactly_one_of, at_least_one_of, min_properties, max_properties, map_type, preserve_unknown, immutable, title, example, external_docs
        the whole type has the schema: a projection's field takes `like` only
        name the whole type's field instead: `#[field(like = "…")]`"#]].assert_eq(
        &[
            of("minimum = 3, maximum = 2"),
            of("min_length = 3, max_length = 2"),
            of("minimum = 1, exclusive_minimum = 1"),
            of("minimum = 1, default = 0"),
            of("maximum = 1, default = 2"),
            of("min_length = 2, default = \"a\""),
            of("default = [1, 2], max_items = 1"),
            of("default = {}, min_properties = 1"),
            of("enum_values(\"a\", \"b\"), default = \"c\""),
            of("default = 3, enum_values(1, 2)"),
            of("default = 2, enum_values(1, 2)"),
            of("default = null"),
            of("default = null, nullable"),
            of("items(min_length = 2, max_length = 1)"),
            of("items(minlength = 2)"),
            of("unique"),
            of("type = \"text\""),
            of("validation(rule = \"\")"),
            of("validation(rule = \"a\", reason = \"Bad\")"),
            of("validation(rule = \"a\", field_path = \"b\")"),
            of("validation(rule = \"a\", mesage = \"b\")"),
            fields("#[fields(at_most_one_of(\"b\", \"c\"))] struct A { b: i32 }"),
            fields("#[fields(at_most_one_of(\"b\"))] struct A { b: i32 }"),
            fields("#[fields(minimum = 1)] struct A { b: i32 }"),
            fields("#[fields(like = B)] struct A { #[field(minimum = 1)] b: i32 }"),
            fields("#[fields(like = B)] struct A { #[field(rename = \"c\")] b: i32 }"),
        ]
        .join("\n"),
    );
}

#[test]
fn messages_and_patterns_that_servers_refuse_are_told() {
    let of = |options: &str| fields(&format!("struct A {{ #[field({options})] b: i32 }}"));
    expect![[r#"
        it says nothing: leave it out
        it says nothing: leave it out
        a message is one line
        a rule of several lines needs a `message`
        fine
        servers refuse every value by this pattern: missing closing ): `(a`
        servers refuse every value by this pattern: invalid nested repetition operator: `**`
        fine"#]]
    .assert_eq(
        &[
            of("validation(rule = \"a\", message = \" \")"),
            of("validation(rule = \"a\", message_expression = \"\")"),
            of("validation(rule = \"a\", message = \"b\\nc\")"),
            of("validation(rule = \"a\\n|| b\")"),
            of("validation(rule = \"\\na\\n|| b\\n\", message = \"c\\n\")"),
            of("pattern = \"(a\""),
            of("items(pattern = \"a**\")"),
            of("pattern = \"^[[a]+$\""),
        ]
        .join("\n"),
    );
}

#[test]
fn a_kind_tells_what_contradicts() {
    let body = "struct A { metadata: ObjectMeta }";
    let of = |options: &str| {
        object(&format!("#[object(group = \"g\", version = \"v1\", {options})] {body}"))
    };
    expect![[r#"
        no JSONPath: it begins with a dot, as `.spec.replicas`
        expected one of int32, int64, float, double, byte, date, date-time, password
        the path begins with `.spec.`
        only names can stand in this path
        metadata is selectable anyway
        only names can stand in this path
        unknown option `shortnames`; did you mean `short_names`?
        a warning is one line of 256 bytes at the most
        a projection is of the kind it is like: remove `group`
        a kind has metadata: add `pub metadata: ObjectMeta`"#]]
    .assert_eq(
        &[
            of("printcolumn(\"N\", \"integer\", \"spec.n\")"),
            of("printcolumn(\"N\", \"integer\", \".spec.n\", format = \"int\")"),
            of("scale(spec_replicas = \".status.n\", status_replicas = \".status.n\")"),
            of("scale(spec_replicas = \".spec.n[0]\", status_replicas = \".status.n\")"),
            of("selectable(\".metadata.name\")"),
            of("selectable(\".spec.a[0]\")"),
            of("shortnames(\"a\")"),
            of("deprecated = \"a\\nb\""),
            of("like = Pod"),
            object("#[object(like = Pod)] struct A { spec: B }"),
        ]
        .join("\n"),
    );
}
