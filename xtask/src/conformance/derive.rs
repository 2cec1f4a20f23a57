//! `cargo xtask conformance derive`: the definition of a kind that uses every option of the derive,
//! on the real kube-apiserver, which must make of its objects what the embedded server does.
//!
//! The definition, the objects and what became of them are snapshots of a test of
//! `watchkeeper`, so they are what the derive and the embedded server make today.
//!
//! The types made of what that server then tells at `/openapi/v3` are those made of the definition.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};

use serde_json::Value;
use watchkeeper_codegen::Generator;
use watchkeeper_connect::{Config, Options, verified};

use crate::{Outcome, process, real, step, workspace};

const SNAPSHOTS: &str = "crates/watchkeeper/tests/it/derive/snapshots";

/// The arguments of `cargo xtask conformance derive`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

/// Runs the comparison.
///
/// # Errors
/// The objects of which the servers make different things.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside();
    }
    real::run_inside(&args.cache, &["conformance", "derive"])
}

fn inside() -> Outcome {
    let crd = workspace::root().join(SNAPSHOTS).join("lamp.json");
    let objects = read(&workspace::root().join(SNAPSHOTS).join("lamps.json"))?;
    let definition = read(&crd)?;
    step::timed("the definition", || {
        process::succeed(real::program("kubectl")?.args(["create", "-f"]).arg(&crd))?;
        let name = format!("crd/{}", definition["metadata"]["name"].as_str().unwrap_or_default());
        let established = ["wait", "--for=condition=Established", "--timeout=60s"];
        process::succeed(real::program("kubectl")?.args(established).arg(name))
    })?;
    kept(&definition)?;
    let mut differ = Vec::new();
    let objects = objects.as_array().ok_or("the objects are no list")?;
    for outcome in objects {
        if let Err(difference) = one(outcome) {
            differ.push(difference);
        }
    }
    if differ.is_empty() {
        eprintln!("{} objects: the same on both servers", objects.len());
        step::timed("its OpenAPI documents", || told(&definition))?;
        return Ok(ExitCode::SUCCESS);
    }
    Err(differ.join("\n"))
}

fn read(path: &PathBuf) -> Outcome<Value> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The server keeps all of the definition.
fn kept(definition: &Value) -> Outcome<()> {
    let name = definition["metadata"]["name"].as_str().unwrap_or_default();
    let stored =
        process::output(real::program("kubectl")?.args(["get", "crd", name, "-o", "json"]))?;
    let stored: Value = serde_json::from_slice(&stored).map_err(|e| format!("the answer: {e}"))?;
    let mut lost = BTreeSet::new();
    missing(&definition["spec"], &stored["spec"], "spec", &mut lost);
    match lost.first() {
        None => Ok(()),
        Some(first) => Err(format!("the server changed {} members, first {first}", lost.len())),
    }
}

/// The places in `ours` that `theirs` has not, or has otherwise.
fn missing(ours: &Value, theirs: &Value, path: &str, lost: &mut BTreeSet<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (name, value) in ours {
                let place = format!("{path}.{name}");
                missing(value, theirs.get(name).unwrap_or(&Value::Null), &place, lost);
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (index, (value, other)) in ours.iter().zip(theirs).enumerate() {
                missing(value, other, &format!("{path}[{index}]"), lost);
            }
        }
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => {}
        _ if ours == theirs => {}
        _ => {
            lost.insert(path.to_owned());
        }
    }
}

/// Creates one object; what becomes of it is what became of it on the embedded server.
fn one(outcome: &Value) -> Outcome<()> {
    let name = outcome["object"]["metadata"]["name"].as_str().unwrap_or_default();
    let mut create = real::program("kubectl")?;
    create.args(["create", "--validate=false", "-o", "json", "-f", "-"]);
    let mut child = create
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot run kubectl: {e}"))?;
    if let Some(mut input) = child.stdin.take() {
        let text = outcome["object"].to_string();
        input.write_all(text.as_bytes()).map_err(|e| format!("kubectl does not read: {e}"))?;
    }
    let output = child.wait_with_output().map_err(|e| format!("kubectl: {e}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    match (output.status.success(), outcome["refused"].as_str()) {
        (true, None) => {
            let stored: Value =
                serde_json::from_slice(&output.stdout).map_err(|e| format!("{name}: {e}"))?;
            if stored["spec"] == outcome["stored"] {
                return Ok(());
            }
            Err(format!("{name}: stored as {}, not {}", stored["spec"], outcome["stored"]))
        }
        (true, Some(field)) => Err(format!("{name}: stored, though {field} is wrong")),
        (false, Some(field)) if told.contains(&format!("{field}:")) => Ok(()),
        (false, _) => Err(format!("{name}: {}", told.trim())),
    }
}

/// What the server tells of the kind becomes the same types as its definition.
fn told(definition: &Value) -> Outcome<()> {
    let of_definition = types().text("lamp.json", &definition.to_string());
    let mut of_server = types();
    for document in documents(definition["spec"]["group"].as_str().unwrap_or_default())? {
        of_server = of_server.text("lamp.json", &document).map_err(|error| error.to_string())?;
    }
    let of_definition = of_definition.map_err(|error| error.to_string())?;
    let path = workspace::target().join("conformance-derive.rs");
    let text = of_definition.generate();
    text.write_text(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let stale = of_server.generate().stale_text(&path);
    let stale = stale.map_err(|error| format!("{}: {error}", path.display()))?;
    let diff = stale.map(|stale| stale.diff()).unwrap_or_default();
    let changed = |line: &&str| {
        let head = line.starts_with("---") || line.starts_with("+++");
        line.starts_with(['-', '+']) && !head
    };
    let known = |line: &str| DIFFER.iter().any(|(part, _)| line.contains(part));
    let lines: Vec<&str> = diff.lines().filter(changed).filter(|line| !known(line)).collect();
    if lines.is_empty() {
        return Ok(());
    }
    Err(format!("the types of the server's documents are others:\n{}", lines.join("\n")))
}

/// What the types may differ in, and why.
const DIFFER: [(&str, &str); 2] = [
    ("// Generated by watchkeeper-codegen from ", "a server has a document for each version"),
    (
        "/// Standard object's metadata. More info: ",
        "a server describes what a definition leaves to it",
    ),
];

/// An OpenAPI document has no definition.
fn types() -> Generator {
    Generator::new().definitions(false)
}

/// The documents of a group, as `watchkeeper generate --from-cluster` reads them.
fn documents(group: &str) -> Outcome<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the runtime does not start: {error}"))?;
    let kubeconfig = real::path_of("KUBECONFIG")?;
    let prefix = format!("apis/{group}/");
    let read = async {
        let options = Options { path: Some(kubeconfig), ..Options::default() };
        let client = verified(Config::from_kubeconfig(&options)?).await?;
        client.openapi(|name| name.starts_with(&prefix)).await
    };
    let documents = runtime.block_on(read).map_err(|error| error.to_string())?;
    Ok(documents.into_iter().map(|document| document.text).collect())
}
