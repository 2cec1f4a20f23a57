//! The crate table of ARCHITECTURE.md, held against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::DependencyKind;

use crate::workspace::{interop, metadata, root};

/// Every library crate, bottom first, and the workspace crates it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("schema", &[]),
    ("api", &["schema"]),
    ("derive", &[]),
    ("client", &["api"]),
    ("connect", &["api", "client"]),
    ("cache", &["api", "client"]),
    ("queue", &[]),
    ("controller", &["api", "client", "cache", "queue"]),
    ("kube", &["api", "derive", "client", "cache", "queue", "controller"]),
    ("manager", &["api", "client", "connect", "cache", "queue", "controller"]),
    ("apiserver", &["schema", "api"]),
    (
        "cluster",
        &["schema", "api", "client", "cache", "queue", "controller", "manager", "apiserver"],
    ),
    ("codegen", &["schema"]),
    ("cli", &["schema", "client", "connect", "manager", "apiserver", "cluster", "codegen"]),
    (
        "",
        &[
            "schema",
            "api",
            "derive",
            "client",
            "connect",
            "cache",
            "queue",
            "controller",
            "manager",
            "apiserver",
            "cluster",
        ],
    ),
];

fn full(short: &str) -> String {
    if short.is_empty() { "watchkeeper".to_owned() } else { format!("watchkeeper-{short}") }
}

#[test]
fn each_crate_uses_only_what_the_table_allows() {
    let allowed: BTreeMap<String, BTreeSet<String>> = LAYERS
        .iter()
        .map(|(name, uses)| (full(name), uses.iter().map(|used| full(used)).collect()))
        .collect();
    let (main, interop) = (metadata(), interop());
    let mut offences = Vec::new();
    let mut seen = 0;
    let packages = main.workspace_packages().into_iter().chain(interop.workspace_packages());
    for package in packages {
        let name = package.name.to_string();
        let path =
            package.manifest_path.as_std_path().strip_prefix(root()).expect("below the root");
        if !path.starts_with("crates") && !path.starts_with("interop") {
            continue;
        }
        seen += 1;
        let Some(allowed) = allowed.get(&name) else {
            offences.push(format!("{name} is not in the table"));
            continue;
        };
        for dependency in &package.dependencies {
            let ours = dependency.name.starts_with("watchkeeper");
            if dependency.kind == DependencyKind::Development {
                if ours && dependency.req.to_string() != "*" {
                    offences.push(format!(
                        "{name}: the dev-dependency {} must be path-only, or packaging fails",
                        dependency.name
                    ));
                }
            } else if ours && !allowed.contains(&dependency.name) {
                offences.push(format!("{name} may not use {}", dependency.name));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
    assert_eq!(seen, LAYERS.len(), "crates in crates/ and interop/, and rows in the table");
}

#[test]
fn the_table_in_architecture_is_this_one() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let rows: BTreeMap<String, BTreeSet<String>> = text
        .lines()
        .filter(|line| line.starts_with("| `watchkeeper"))
        .filter_map(|line| {
            let mut cells = line.split('|').skip(1);
            let name = cells.next()?.trim().trim_matches('`').to_owned();
            let uses = cells.nth(1)?.trim().replace("; by feature", ",");
            let uses =
                uses.split(',').map(str::trim).filter(|used| *used != "—").map(full).collect();
            Some((name, uses))
        })
        .collect();
    let table: BTreeMap<String, BTreeSet<String>> = LAYERS
        .iter()
        .map(|(name, uses)| (full(name), uses.iter().map(|used| full(used)).collect()))
        .collect();
    assert_eq!(rows.len(), table.len(), "rows in the table of ARCHITECTURE.md");
    for (name, uses) in &table {
        assert_eq!(rows.get(name), Some(uses), "the row of {name}");
    }
}

#[test]
fn a_layer_below_may_not_reach_up() {
    let order: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    for (index, (name, uses)) in LAYERS.iter().enumerate() {
        for used in *uses {
            let position = order.iter().position(|other| other == used).expect("a row");
            assert!(position < index, "{name} uses {used}, which the table lists later");
        }
    }
}
