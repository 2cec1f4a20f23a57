//! Paths that lead somewhere, and such that cannot.

use expect_test::expect;

use super::steps;

fn of(path: &str) -> String {
    match steps(path) {
        Ok((names, true)) => names.join(" / "),
        Ok((names, false)) => format!("{} / …", names.join(" / ")),
        Err(message) => message,
    }
}

#[test]
fn names_are_told_from_other_steps() {
    expect![[r#"
        spec / replicas
        metadata / annotations / example.com/watt
        metadata / labels / a.b
        status / conditions / …
        status / addresses / …
        spec / ports / …
        metadata / …"#]]
    .assert_eq(
        &[
            ".spec.replicas",
            r".metadata.annotations.example\.com/watt",
            ".metadata.labels['a.b']",
            r#".status.conditions[?(@.type=="Ready")].status"#,
            ".status.addresses[0].ip",
            ".spec.ports[*]['name']",
            ".metadata..name",
        ]
        .map(of)
        .join("\n"),
    );
}

#[test]
fn what_cannot_be_a_path_is_told() {
    expect![[r#"
        it begins with a dot, as `.spec.replicas`
        it begins with a dot, as `.spec.replicas`
        a name is missing after a dot
        a name is missing after a dot
        `[` is not closed
        `[spec]` is no index, no `'name'`, and no filter `?(…)`
        `[]` is no index, no `'name'`, and no filter `?(…)`
        `}` cannot stand in a name
        a dot or `[` is missing before `b`"#]]
    .assert_eq(
        &[
            "",
            "spec.replicas",
            ".",
            ".spec.",
            ".a[0",
            ".[spec]",
            ".a[]",
            "{.a}".trim_start_matches('{'),
            ".a[0]b",
        ]
        .map(of)
        .join("\n"),
    );
}
