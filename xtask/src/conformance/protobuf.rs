//! `cargo xtask conformance protobuf`: every kind from JSON through our protobuf to Go's types and
//! back, and the committed sums of Go's bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::{Value, json};
use watchkeeper_api::meta::v1::WatchEvent;
use watchkeeper_api::{json as text, pb};

use crate::{Outcome, go, process, real, step, workspace};

mod change;
mod peer;

use change::Random;
use peer::Peer;

const FILLED: &str = "crates/watchkeeper-api/tests/data/filled.jsonl";
const SUMS: &str = "crates/watchkeeper-api/tests/data/protobuf.txt";

/// How many items are in a list.
const ITEMS: usize = 3;

/// The arguments of `cargo xtask conformance protobuf`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many changed objects of each kind are compared, and how many lists
    #[arg(long, default_value_t = 40)]
    cases: usize,
    /// Where the changes start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the sums of Go's bytes again, instead of comparing them with the committed ones
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    cache: real::Cache,
}

/// What was compared.
#[derive(Debug, Default)]
struct Counts {
    kinds: usize,
    json_only: Vec<String>,
    objects: usize,
    lists: usize,
    bytes: usize,
}

/// Runs the comparison.
///
/// # Errors
/// The first object on which we and Go differ, or that the committed sums are stale.
pub(crate) fn run(args: &Args) -> Outcome {
    let program = build(&args.cache)?;
    let outcome = compare_all(args, &program);
    fs::remove_file(&program).map_err(|e| format!("cannot remove {}: {e}", program.display()))?;
    let counts = outcome?;
    eprintln!(
        "{} kinds: {} objects and {} lists, {} bytes, are the same in Go; JSON alone: {}",
        counts.kinds,
        counts.objects,
        counts.lists,
        counts.bytes,
        counts.json_only.join(", "),
    );
    Ok(ExitCode::SUCCESS)
}

fn build(cache: &real::Cache) -> Outcome<std::path::PathBuf> {
    let module = workspace::root().join("conformance/protobuf");
    let program = cache.folder()?.join(format!("protobuf-{}", std::process::id()));
    step::timed("go mod download", || go::download(&module))?;
    step::timed("go build protobuf", || {
        process::succeed(go::build(&module).arg("-o").arg(&program).arg("."))
    })?;
    Ok(program)
}

fn compare_all(args: &Args, program: &Path) -> Outcome<Counts> {
    let root = workspace::root();
    sums(program, &root, args.write)?;
    let filled = root.join(FILLED);
    let lines = fs::read_to_string(&filled)
        .map_err(|e| format!("cannot read {}: {e}", filled.display()))?;
    let mut peer = Peer::start(program)?;
    let (mut counts, mut random) = (Counts::default(), Random::new(args.seed));
    step::timed("protobuf of every kind", || {
        for line in lines.lines() {
            let filled: Value = serde_json::from_str(line).map_err(|e| format!("{FILLED}: {e}"))?;
            kind(&mut peer, &filled, args.cases, &mut random, &mut counts)?;
        }
        Ok(())
    })?;
    peer.finish()?;
    Ok(counts)
}

fn sums(program: &Path, root: &Path, write: bool) -> Outcome<()> {
    let made = process::output(Command::new(program).arg("sums").arg(root.join(FILLED)))?;
    let committed = root.join(SUMS);
    if write {
        return fs::write(&committed, made).map_err(|e| format!("cannot write {SUMS}: {e}"));
    }
    if fs::read(&committed).ok() == Some(made) {
        return Ok(());
    }
    Err(format!("stale: {SUMS}; cargo xtask conformance protobuf --write writes it again"))
}

/// One kind: as it is, then changed, then in lists.
fn kind(
    peer: &mut Peer,
    filled: &Value,
    cases: usize,
    random: &mut Random,
    counts: &mut Counts,
) -> Outcome<()> {
    let [version, name] = ["apiVersion", "kind"].map(|m| filled[m].as_str().unwrap_or_default());
    if !name.is_empty() && !pb::is_known(version, name) {
        counts.json_only.push(format!("{name} of {version}"));
        return Ok(());
    }
    counts.kinds += 1;
    object(peer, filled, counts)?;
    for _ in 0..cases {
        object(peer, &change::object(filled, random), counts)?;
    }
    let list = format!("{name}List");
    // Reviews, options and answers are in no lists, nor are lists.
    if name == "List" || !peer.knows(version, &list)? {
        return Ok(());
    }
    for case in 0..=cases / 4 {
        let item = |_| change::object(filled, random);
        let items: Vec<Value> = (0..ITEMS.min(case)).map(item).collect();
        let metadata = json!({"resourceVersion": "7", "continue": "more", "remainingItemCount": 5});
        let given =
            json!({"apiVersion": version, "kind": list, "metadata": metadata, "items": items});
        object(peer, &given, counts)?;
        counts.objects -= 1;
        counts.lists += 1;
    }
    Ok(())
}

fn object(peer: &mut Peer, given: &Value, counts: &mut Counts) -> Outcome<()> {
    let ours = to_protobuf(given)?;
    let theirs = peer.ask(given, &ours)?;
    let fail = |what: &str| Err(format!("{what}\n  the object: {given}"));
    if let Some(wrong) = theirs.wrong {
        return fail(&format!("Go reads our bytes as another object: {wrong}"));
    }
    if theirs.bytes != ours {
        let at = theirs.bytes.iter().zip(&ours).take_while(|(a, b)| a == b).count();
        return fail(&format!("Go writes other bytes than we, from {at} on"));
    }
    let back = from_protobuf(given, &theirs.bytes)?;
    // What the next comparison leaves out shows here.
    if to_protobuf(&back)? != theirs.bytes {
        return fail(&format!("Go's bytes do not survive us: {back}"));
    }
    let [back, went] = [plain(&back), plain(&theirs.json)];
    if !same(&back, &went) {
        return fail(&format!("Go's bytes are, for us, {back}\n  and for Go {went}"));
    }
    counts.objects += 1;
    counts.bytes += ours.len();
    Ok(())
}

fn to_protobuf(given: &Value) -> Outcome<Vec<u8>> {
    if given["kind"].is_null() {
        let event: WatchEvent = text::from_value(given).map_err(|e| format!("{e}: {given}"))?;
        return Ok(pb::to_vec(&event));
    }
    pb::body_from_json(&given.to_string()).map_err(|e| format!("{e}: {given}"))
}

fn from_protobuf(given: &Value, bytes: &[u8]) -> Outcome<Value> {
    let failed = |e: pb::ReadError| format!("we cannot read Go's bytes: {e}: {given}");
    if given["kind"].is_null() {
        let event: WatchEvent = pb::from_slice(bytes).map_err(failed)?;
        return Ok(text::to_value(&event));
    }
    let json = pb::body_to_json(bytes).map_err(failed)?;
    serde_json::from_str(&json).map_err(|e| format!("we wrote no JSON: {e}"))
}

/// Whether both are equal. Kinds within other objects say what they are when we write them; Go has
/// lost that in protobuf.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let nameless = !theirs.keys().any(|name| is_name(name));
            let ours: Vec<_> =
                ours.iter().filter(|(name, _)| !(nameless && is_name(name))).collect();
            ours.len() == theirs.len()
                && ours.iter().all(|(name, value)| {
                    theirs.get(*name).is_some_and(|theirs| same(value, theirs))
                })
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| same(a, b))
        }
        _ => ours == theirs,
    }
}

fn is_name(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind")
}

/// Without what says nothing: Go writes empty structs with the members that it requires, and null
/// times.
fn plain(value: &Value) -> Value {
    let says_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.keys().all(|name| is_name(name)),
        Value::Bool(value) => !value,
        Value::Number(value) => value.as_f64() == Some(0.0),
        Value::String(value) => value.is_empty(),
    };
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), plain(value)));
            Value::Object(members.filter(|(_, value)| !says_nothing(value)).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}
