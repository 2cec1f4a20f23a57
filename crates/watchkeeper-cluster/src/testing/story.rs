//! What happened on a cluster, for somebody whose test has failed.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use watchkeeper_apiserver::{ApiServer, HistoryEntry, Now};

use super::programs::OfProgram;

/// So many of the last writes are told.
const TOLD: usize = 60;

/// Every write but the heartbeats.
pub(super) fn writes(server: &ApiServer) -> Vec<HistoryEntry> {
    let history = server.history();
    let entries = history.entries().iter();
    entries.filter(|entry| &*entry.table != "leases.coordination.k8s.io").cloned().collect()
}

/// When, who, what, of which object, and its new version, a line each.
pub(super) fn story(writes: &[HistoryEntry]) -> String {
    let begin = writes.first().map(|first| first.at).unwrap_or_default();
    let left_out = writes.len().saturating_sub(TOLD);
    let told = &writes[left_out..];
    let actors = told.iter().map(|entry| entry.actor.len()).max().unwrap_or_default();
    let mut story = match left_out {
        0 => "What was written on the cluster, heartbeats left out:\n".to_owned(),
        left_out => format!(
            "What was written on the cluster, heartbeats and {left_out} older writes left out:\n"
        ),
    };
    if told.is_empty() {
        story.push_str("  nothing\n");
    }
    for entry in told {
        line(&mut story, entry, begin, actors);
    }
    story
}

/// What each program could not do at the end, a line for each object; empty if all went well.
pub(super) fn failing(programs: &[OfProgram]) -> String {
    let mut told = String::new();
    let runs = |program: &&OfProgram| !program.is_stopped.load(Ordering::Relaxed);
    for OfProgram { name: program, controllers, .. } in programs.iter().filter(runs) {
        for controller in controllers {
            let name = controller.name();
            let whose =
                if name == program { name.to_owned() } else { format!("{program}, {name}") };
            for failing in controller.failing() {
                // A text in memory takes whatever is written.
                let _ = writeln!(told, "  {whose}: {failing}");
            }
        }
    }
    if told.is_empty() { told } else { format!("What could not be reconciled:\n{told}") }
}

fn line(story: &mut String, entry: &HistoryEntry, begin: Now, actors: usize) {
    let HistoryEntry { actor, table, key, subresource, revision, .. } = entry;
    let at = entry.at.since(begin).as_secs_f64();
    let verb = entry.verb.name();
    let part = if subresource.is_empty() { "" } else { "/" };
    // A text in memory takes whatever is written.
    let _ = writeln!(
        story,
        "{at:>9.3}s  {actor:<actors$}  {verb:<6}  {table}{part}{subresource} {key}  @{revision}"
    );
}
