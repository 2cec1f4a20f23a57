//! `cargo xtask conformance access`: who may do what, on the real kube-apiserver with its controller
//! manager, which must answer the cases of a test of `watchkeeper-apiserver` as the embedded server
//! does, and have the default roles and bindings, flow schemas, priority levels, classes of priority and APIServices that
//! this one begins with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use super::http;
use super::proxy::Proxy;
use crate::{Outcome, process, real, step, workspace};
use case::{Kept, Told};

#[path = "../../../crates/watchkeeper-apiserver/tests/it/access/case.rs"]
mod case;
#[path = "../../../crates/watchkeeper-apiserver/tests/it/access/mask.rs"]
mod mask;

const CASES: &str = "crates/watchkeeper-apiserver/tests/it/access";
/// What servers begin with: kinds, and the file that has them.
const DEFAULTS: [(&str, &str); 4] = [
    (
        "clusterroles,clusterrolebindings,roles,rolebindings",
        "crates/watchkeeper-apiserver/src/access/bootstrap.json",
    ),
    (
        "flowschemas,prioritylevelconfigurations",
        "crates/watchkeeper-apiserver/src/flow/bootstrap.json",
    ),
    ("priorityclasses", "crates/watchkeeper-apiserver/src/admission/plugins/priority_classes.json"),
    ("apiservices", "crates/watchkeeper-apiserver/src/api_services/bootstrap.json"),
];
/// How long the server may take to notice a write to a role or a binding.
const NOTICED: Duration = Duration::from_secs(20);

/// How long an answer may take to be the expected one, since servers look at some things through caches that run
/// behind; what has been stored is not stored again.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    reads: Duration,
    writes: Duration,
}

impl Patience {
    /// Of roles, webhooks, policies and quotas, by which writes are judged.
    pub(super) const LONG: Self = Self { reads: NOTICED, writes: NOTICED };
    /// Of what is read, or tried, after something else was written; a write has one answer.
    pub(super) const READS: Self = Self { reads: Duration::from_secs(5), writes: Duration::ZERO };
}

/// The arguments of `cargo xtask conformance access`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Write what the real server begins with instead of comparing it
    #[arg(long)]
    update: bool,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

/// Runs the comparison.
///
/// # Errors
/// The cases that the servers answer differently.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside(args.update);
    }
    let mut chore = vec!["conformance", "access"];
    chore.extend(args.update.then_some("--update"));
    real::run_inside_on(&args.cache, &real::Options::with_controllers(), &chore)
}

/// The real server behind `kubectl proxy`, and the tokens by which it knows users.
struct Real {
    proxy: Proxy,
    tokens: Kept,
}

fn inside(update: bool) -> Outcome {
    for (kinds, file) in DEFAULTS {
        defaults(kinds, file, update)?;
    }
    compare(CASES, Patience::LONG)
}

/// Sends the cases of a folder to the real server, which must answer as the embedded one did.
///
/// # Errors
/// The cases that it answers differently.
pub(super) fn compare(folder: &str, patience: Patience) -> Outcome {
    let real = Real::start()?;
    let folder = workspace::root().join(folder);
    let (cases, answers) = (read(&folder.join("cases.json"))?, read(&folder.join("answers.json"))?);
    let (cases, answers) = (items(&cases), items(&answers));
    let mut kept = real.tokens.clone();
    let mut differ = Vec::new();
    for (case, expected) in cases.iter().zip(answers) {
        let answer = settled(&real, case, expected, &kept, patience)?;
        let told = case::told(case, &answer, &kept);
        let missing = case::keep(case, &answer, &mut kept);
        if !alike(&told, expected) || !missing.is_empty() {
            let (who, what) = (&case["who"], &case["do"]);
            differ.push(format!("{who} {what}\n  embedded: {expected}\n  real:     {told}"));
        }
    }
    if differ.is_empty() && cases.len() == answers.len() {
        eprintln!("{} cases: the same answers on both servers", cases.len());
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("{} of {} cases:\n{}", differ.len(), cases.len(), differ.join("\n")))
}

/// Managers of fields stand by their times, in seconds, and a server that is slower begins another second between
/// two writes; the embedded server's own order is that of a clock that stands, which its test compares.
fn alike(told: &Value, expected: &Value) -> bool {
    let sorted = |value: &Value| {
        let mut value = value.clone();
        sort_managers(&mut value);
        value
    };
    told == expected || sorted(told) == sorted(expected)
}

fn sort_managers(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                sort_managers(member);
                if let Some(entries) = member.as_array_mut().filter(|_| name == "managedFields") {
                    entries.sort_by_cached_key(Value::to_string);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(sort_managers),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Real {
    fn start() -> Outcome<Self> {
        let text = real::own_folder()?.join("tokens.csv");
        let text =
            std::fs::read_to_string(&text).map_err(|e| format!("{}: {e}", text.display()))?;
        let lines = text.lines().filter_map(|line| line.split_once(','));
        let name = |rest: &str| rest.split(',').next().unwrap_or_default().to_owned();
        let tokens = lines.map(|(token, rest)| (name(rest), token.to_owned())).collect();
        Ok(Self { proxy: Proxy::start()?, tokens })
    }
}

fn read(path: &Path) -> Outcome<Value> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Asks until the answer is the expected one.
fn settled(
    real: &Real,
    case: &Value,
    expected: &Value,
    kept: &Kept,
    patience: Patience,
) -> Outcome<Told> {
    let mut last = ask(real, case, kept)?;
    let changes = changes(case["do"].as_str().unwrap_or_default());
    let limit = if changes { patience.writes } else { patience.reads };
    if limit.is_zero() {
        return Ok(last);
    }
    let _differs = step::until(limit, || {
        let is_stored = last.code == 201 && changes;
        if is_stored || alike(&case::told(case, &last, kept), expected) {
            return Ok(true);
        }
        last = ask(real, case, kept)?;
        Ok(false)
    });
    Ok(last)
}

/// Whether a request leaves something behind, so that asking it again may be another question.
fn changes(what: &str) -> bool {
    let is_read = what.starts_with("GET ") || what.ends_with("reviews");
    !is_read && !what.ends_with("dryRun=All")
}

fn ask(real: &Real, case: &Value, kept: &Kept) -> Outcome<Told> {
    let (method, path) = case::request(case, kept);
    let mut headers = vec![("User-Agent".to_owned(), "access/1.0".to_owned())];
    let mut add = |name: &str, value: String| headers.push((name.to_owned(), value));
    let token = |name: &str| {
        let token = kept.get(name).cloned();
        format!("Bearer {}", token.unwrap_or_else(|| format!("token-of-{name}")))
    };
    let who = case["who"].as_str().unwrap_or_default();
    match who.split_once(' ') {
        Some((_, whom)) => {
            let (name, group) = whom.split_once(" in ").unwrap_or((whom, ""));
            add("Authorization", token("admin"));
            add("Impersonate-User", name.to_owned());
            if !group.is_empty() {
                add("Impersonate-Group", group.to_owned());
            }
        }
        // Without a header the proxy would add its own; this one says nothing to the server.
        None if who == "none" => add("Authorization", "none".to_owned()),
        None => add("Authorization", token(who.trim_start_matches('$'))),
    }
    for (name, value) in case["headers"].as_object().into_iter().flatten() {
        add(name, case::filled(value.as_str().unwrap_or_default(), kept));
    }
    if !headers.iter().any(|(name, _)| name == "content-type") {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    let body = case::body(case, kept);
    let answer = http::ask(&real.proxy.address, &method, &path, &headers, &body)?;
    Ok(Told::new(answer.code, answer.headers, &answer.text))
}

/// The objects of these kinds are those that the embedded server begins with.
fn defaults(kinds: &str, file: &str, update: bool) -> Outcome<()> {
    let path: PathBuf = workspace::root().join(file);
    let mut difference = String::new();
    // The controller manager gathers the rules of roles that are made of others.
    let same = step::until(NOTICED, || {
        let real = written(&real(kinds)?);
        let file =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let first = real.lines().zip(file.lines()).find(|(real, file)| real != file);
        difference = first.map_or_else(String::new, |(real, file)| format!("{real}\nnot\n{file}"));
        Ok(real == file)
    });
    match same {
        Ok(_) => Ok(()),
        Err(_) if update => {
            let text = written(&real(kinds)?);
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
        }
        Err(why) => Err(format!("{why}: the server has\n{difference}\nrun this with --update")),
    }
}

fn real(kinds: &str) -> Outcome<Vec<Value>> {
    let list = process::output(real::program("kubectl")?.args(["get", kinds, "-A", "-o", "json"]))?;
    let list: Value = serde_json::from_slice(&list).map_err(|e| format!("{kinds}: {e}"))?;
    let mut objects: Vec<Value> = items(&list["items"]).iter().map(kept_of).collect();
    let text = |object: &Value, pointer: &str| {
        object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let place = ["/kind", "/metadata/namespace", "/metadata/name"];
    objects.sort_by_cached_key(|object| place.map(|pointer| text(object, pointer)));
    Ok(objects)
}

/// What is kept of an object.
fn kept_of(object: &Value) -> Value {
    let mut kept = json!({});
    for name in [
        "aggregationRule",
        "description",
        "kind",
        "preemptionPolicy",
        "roleRef",
        "rules",
        "spec",
        "subjects",
        "value",
    ] {
        if let Some(value) = object.get(name) {
            kept[name] = value.clone();
        }
    }
    for name in ["annotations", "labels", "name", "namespace"] {
        if let Some(value) = object["metadata"].get(name) {
            kept["metadata"][name] = value.clone();
        }
    }
    kept
}

/// One object a line.
fn written(objects: &[Value]) -> String {
    let lines: Vec<String> = objects.iter().map(Value::to_string).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::alike;

    #[test]
    fn of_managers_the_order_may_differ_and_nothing_else() {
        let object = |name: &str, entries: &[&str]| {
            let entries: Vec<Value> = entries.iter().map(|name| json!({"manager": name})).collect();
            json!({"body": {"items": [{"metadata": {"managedFields": entries}, name: [1, 2]}]}})
        };
        assert!(alike(&object("a", &["c", "a"]), &object("a", &["a", "c"])));
        assert!(!alike(&object("a", &["c", "a"]), &object("a", &["a", "d"])));
        assert!(!alike(&object("a", &["c"]), &object("b", &["c"])));
        assert!(!alike(&json!({"finalizers": ["a", "b"]}), &json!({"finalizers": ["b", "a"]})));
    }
}
