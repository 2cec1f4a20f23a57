//! What an operator links: the default graph of the façade, and of a controller without the cluster.

use std::process::Command;

use crate::workspace::root;

/// Names that must not come with an operator by default, and why.
const BANNED: &[(&str, &str)] = &[
    ("k8s-openapi", "our types are our own"),
    ("kube", "interop lives in a workspace of its own"),
    ("kube-client", "interop lives in a workspace of its own"),
    ("kube-core", "interop lives in a workspace of its own"),
    ("cel", "rules are the server's business"),
    ("kube-cel", "rules are the server's business"),
    ("regex", "patterns are the server's business"),
    ("clap", "flags are the program's business"),
    ("watchkeeper-apiserver", "a feature of the façade"),
    ("watchkeeper-cluster", "a feature of the façade"),
    ("openssl", "TLS is rustls"),
];

fn normal_graph(package: &str) -> Vec<String> {
    graph(package, "normal")
}

fn graph(package: &str, edges: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--locked", "--edges", edges, "--prefix", "none", "--format", "{p}"])
        .args(["--package", package])
        .output()
        .expect("cargo tree");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let mut names: Vec<String> =
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_default_graph_of_an_operator_is_lean() {
    for package in ["watchkeeper", "minimal"] {
        let names = normal_graph(package);
        for (banned, reason) in BANNED {
            assert!(!names.iter().any(|name| name == banned), "{package} links {banned}: {reason}");
        }
        assert!(names.iter().any(|name| name == "watchkeeper-api"), "the graph was read");
        println!("{package}: {} crates", names.len());
    }
}

/// Its tests compile the rules of its definitions, as `watchkeeper crds --test` writes them.
#[test]
fn an_operator_that_tests_its_rules_links_no_parser_of_them() {
    let linked = graph("first-operator", "normal");
    let tested = graph("first-operator", "normal,dev");
    for parser in ["kube-cel", "cel", "watchkeeper-apiserver"] {
        assert!(tested.iter().any(|name| name == parser), "its tests have {parser}: {tested:?}");
        assert!(!linked.iter().any(|name| name == parser), "the program links {parser}");
    }
}

#[test]
fn the_sample_links_the_cluster() {
    let names = normal_graph("sample-controller");
    assert!(names.iter().any(|name| name == "watchkeeper-cluster"), "{names:?}");
}
