//! Scripts: one line an input, answered with what is emitted (`=`) and what to do next (`>`).

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use expect_test::Expect;

use super::*;
use crate::reflector::message::Class;
use crate::testing::{Tiny, tiny};

mod expired;
mod lists;
mod moved;
mod retry;
mod status;
mod tuning;
mod unreadable;
mod watches;

fn items<'a>(words: impl Iterator<Item = &'a str>) -> Vec<Arc<Tiny>> {
    words.map(|word| Arc::new(tiny(word))).collect()
}

fn trouble(class: &str) -> Input<Tiny> {
    let text = class.to_owned();
    let class = match class {
        "expired" => Class::Expired,
        "busy" => Class::Busy { retry_after: None },
        "busy-for-ever" => Class::Busy { retry_after: Some(Duration::MAX) },
        "busy-60s" => Class::Busy { retry_after: Some(Duration::from_secs(60)) },
        "unreachable" => Class::Unreachable,
        "internal" => Class::Internal,
        "broken" => Class::Broken,
        "over-limit" => Class::OverLimit,
        _ => Class::Other,
    };
    Input::Failed(Trouble { class, text })
}

/// `page @9 a@3 b@4 !c more=x`, `added a@3`, `elsewhere added @9`, `bookmark @9`, `end @9`, `failed expired`, …
fn input(line: &str) -> Input<Tiny> {
    let mut words = line.split_whitespace();
    let verb = words.next().unwrap();
    let rest: Vec<&str> = words.collect();
    let version = || rest[0].trim_start_matches('@').to_owned();
    let object = || Arc::new(tiny(rest[0]));
    let unreadable = |which: &str| {
        let (name, version) = which.split_once('@').unwrap_or((which, ""));
        let key = (name != "?").then(|| ("default", name).into());
        let reason = "bad".to_owned();
        Unreadable { key, version: version.to_owned(), gone: verb == "vanished", reason }
    };
    match verb {
        "page" => Input::Page(Page {
            version: version(),
            items: items(
                rest[1..].iter().copied().filter(|w| !w.contains('=') && !w.starts_with('!')),
            ),
            unreadable: rest.iter().filter_map(|w| w.strip_prefix('!')).map(unreadable).collect(),
            more: rest.iter().find_map(|w| w.strip_prefix("more=")).map(str::to_owned),
        }),
        "opened" => Input::Opened,
        "added" => Input::Event(EventKind::Added, object()),
        "modified" => Input::Event(EventKind::Modified, object()),
        "deleted" => Input::Event(EventKind::Deleted, object()),
        "elsewhere" => {
            let kind = if rest[0] == "added" { EventKind::Added } else { EventKind::Modified };
            Input::Elsewhere(kind, rest[1].trim_start_matches('@').to_owned())
        }
        "bookmark" => Input::Bookmark { version: version(), initial_events_end: false },
        "end" => Input::Bookmark { version: version(), initial_events_end: true },
        "unreadable" | "vanished" => Input::Unreadable(unreadable(rest[0])),
        "failed" => trouble(rest[0]),
        "closed" => Input::Closed,
        "woken" => Input::Woken,
        other => panic!("unknown input {other}"),
    }
}

fn show_next(next: &Next, now: Duration) -> String {
    match next {
        Next::List(call) => {
            let limit = call.limit.map_or_else(String::new, |limit| format!(" limit={limit}"));
            let more =
                if call.more.is_empty() { String::new() } else { format!(" more={}", call.more) };
            format!("list @{}{limit}{more}", call.version)
        }
        Next::Watch(call) => {
            assert!((300..=600).contains(&call.timeout.as_secs()), "{:?}", call.timeout);
            let initial = if call.initial_events { " with initial events" } else { "" };
            format!("watch @{}{initial}", call.version)
        }
        Next::Read { until: None } => "read".to_owned(),
        Next::Read { until: Some(until) } => format!("read for {:?}", *until - now),
        Next::Sleep { until } => format!("sleep {:.0?}", *until - now),
    }
}

pub(crate) fn show_delta(delta: &Delta<Tiny>) -> String {
    match delta {
        Delta::Added(object) => format!("added {object}"),
        Delta::Updated(object) => format!("updated {object}"),
        Delta::Deleted(object) => format!("deleted {object}"),
        Delta::Vanished { key, version } if version.is_empty() => format!("vanished {}", key.name),
        Delta::Vanished { key, version } => format!("vanished {}@{version}", key.name),
        Delta::Unreadable { key, version } => format!("unreadable {}@{version}", key.name),
        Delta::Bookmark(version) => format!("bookmark @{version}"),
        Delta::Sync => "sync".to_owned(),
        Delta::Replaced(list) => {
            let mut text = format!("replaced @{}", list.version);
            list.items.iter().for_each(|item| write!(text, " {item}").unwrap());
            list.unreadable.iter().for_each(|key| write!(text, " !{}", key.name).unwrap());
            if list.nameless {
                text.push_str(" !?");
            }
            text
        }
    }
}

/// What the status of the copy is told.
fn show_status(state: &State<Tiny>, malformed: &BTreeMap<String, String>) -> String {
    let mut text = match state.place() {
        Place::Asleep if state.relists() => "asleep, then a list".to_owned(),
        Place::Asleep => "asleep, then a watch".to_owned(),
        place => format!("{place:?}").to_lowercase(),
    };
    if let Some(trouble) = state.trouble() {
        write!(text, "; {}", trouble.text).unwrap();
    }
    for (name, reason) in malformed {
        write!(text, "; {name}: {reason}").unwrap();
    }
    text
}

/// Runs the script; `+30s` moves the time, `status` asks where it is.
fn check(script: &str, expected: Expect) {
    check_tuned(Tuning::default(), script, expected);
}

fn check_tuned(tuning: Tuning, script: &str, expected: Expect) {
    let mut state = State::<Tiny>::new(1, String::new()).tuned(tuning);
    let (mut now, mut malformed) = (Duration::ZERO, BTreeMap::new());
    let mut log = format!("> {}\n", show_next(&state.start(), now));
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(seconds) = line.strip_prefix('+') {
            now += Duration::from_secs(seconds.trim_end_matches('s').parse().unwrap());
            continue;
        }
        if line == "status" {
            state.malformed_mut().tell(&mut malformed);
            writeln!(log, "{}", show_status(&state, &malformed)).unwrap();
            continue;
        }
        let step = state.step(input(line), now);
        writeln!(log, "{line}").unwrap();
        if let Some(delta) = &step.emit {
            writeln!(log, "  = {}", show_delta(delta)).unwrap();
        }
        writeln!(log, "  > {}", show_next(&step.next, now)).unwrap();
    }
    expected.assert_eq(&log);
}
