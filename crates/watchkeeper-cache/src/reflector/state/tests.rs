//! Scripts: one line an input, answered with what is emitted (`=`) and what to do next (`>`).

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use expect_test::{Expect, expect};

use super::*;
use crate::reflector::message::Class;
use crate::testing::{Tiny, tiny};

fn items<'a>(words: impl Iterator<Item = &'a str>) -> Vec<Arc<Tiny>> {
    words.map(|word| Arc::new(tiny(word))).collect()
}

fn trouble(class: &str) -> Input<Tiny> {
    let class = match class {
        "expired" => Class::Expired,
        "busy" => Class::Busy { retry_after: None },
        "busy-for-ever" => Class::Busy { retry_after: Some(Duration::MAX) },
        "busy-60s" => Class::Busy { retry_after: Some(Duration::from_secs(60)) },
        "unreachable" => Class::Unreachable,
        "internal" => Class::Internal,
        "broken" => Class::Broken,
        _ => Class::Other,
    };
    Input::Failed(Trouble { class, text: String::new() })
}

/// `page @9 a@3 b@4 !c more=x`, `added a@3`, `bookmark @9`, `end @9`, `failed expired`, …
fn input(line: &str) -> Input<Tiny> {
    let mut words = line.split_whitespace();
    let verb = words.next().unwrap();
    let rest: Vec<&str> = words.collect();
    let version = || rest[0].trim_start_matches('@').to_owned();
    let object = || Arc::new(tiny(rest[0]));
    let unreadable = |name: &str| {
        let (key, reason) = (Some(("default", name).into()), "bad".to_owned());
        Unreadable { key, gone: verb == "vanished", reason }
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
        Delta::Vanished(key) => format!("vanished {}", key.name),
        Delta::Bookmark(version) => format!("bookmark @{version}"),
        Delta::Sync => "sync".to_owned(),
        Delta::Replaced(list) => {
            let mut text = format!("replaced @{}", list.version);
            list.items.iter().for_each(|item| write!(text, " {item}").unwrap());
            list.unreadable.iter().for_each(|key| write!(text, " !{}", key.name).unwrap());
            text
        }
    }
}

/// Runs the script; `+30s` moves the time.
fn check(script: &str, expected: Expect) {
    let mut state = State::<Tiny>::new(1, String::new());
    let mut now = Duration::ZERO;
    let mut log = format!("> {}\n", show_next(&state.start(), now));
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(seconds) = line.strip_prefix('+') {
            now += Duration::from_secs(seconds.trim_end_matches('s').parse().unwrap());
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

/// C-06 to C-09, C-11: a deletion among the initial events is applied, an ordinary bookmark does not end
/// them, nothing is emitted before their end, and the stream goes on as the watch.
#[test]
fn c_06_the_present_state_comes_as_a_stream_and_is_emitted_as_one() {
    check(
        "
        opened
        added b@2
        added a@1
        bookmark @3
        deleted b@4
        end @5
        modified a@6
        bookmark @9
        deleted a@10
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added b@2
              > read for 30s
            added a@1
              > read for 30s
            bookmark @3
              > read for 30s
            deleted b@4
              > read for 30s
            end @5
              = replaced @5 a@1
              > read
            modified a@6
              = updated a@6
              > read
            bookmark @9
              = bookmark @9
              > read
            deleted a@10
              = deleted a@10
              > read
        "#]],
    );
}

/// C-10: a server that cannot stream the state is asked for a list (C-01, C-03: from its cache, in one).
#[test]
fn c_01_a_server_without_watch_list_is_listed() {
    check(
        "
        failed other
        page @7 a@1 b@2
        opened
        added c@8
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @7 a@1 b@2
              = replaced @7 a@1 b@2
              > watch @7
            opened
              > read
            added c@8
              = added c@8
              > read
        "#]],
    );
}

/// Servers of old ignore the parameter: they send what is there, and then nothing.
#[test]
fn c_12_initial_events_that_never_end_are_given_up() {
    check(
        "
        opened
        +1s
        added a@1
        +30s
        woken
        page @7 a@1
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@1
              > read for 30s
            woken
              > list @0
            page @7 a@1
              = replaced @7 a@1
              > watch @7
        "#]],
    );
}

/// C-10, C-14: waiting is enough, and the wait is the server's if that is longer.
#[test]
fn c_10_a_busy_or_absent_server_is_waited_for_without_a_list() {
    check(
        "
        failed unreachable
        woken
        failed busy-60s
        woken
        opened
        end @5
        closed
        failed unreachable
        woken
        failed busy
        woken
        opened
        failed broken
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            failed unreachable
              > sleep 915ms
            woken
              > watch @ with initial events
            failed busy-60s
              > sleep 60s
            woken
              > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            closed
              > watch @5
            failed unreachable
              > sleep 4s
            woken
              > watch @5
            failed busy
              > sleep 9s
            woken
              > watch @5
            opened
              > read
            failed broken
              > sleep 16s
            woken
              > watch @5
        "#]],
    );
}

/// C-15 and defect c of kube-rs: 410 as the answer to the request and as an event in the stream.
#[test]
fn c_15_gone_both_ways_leads_to_a_relist() {
    check(
        "
        opened
        end @5
        failed expired
        woken
        failed expired
        opened
        end @20
        closed
        failed expired
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            failed expired
              > sleep 915ms
            woken
              > watch @5 with initial events
            failed expired
              > watch @ with initial events
            opened
              > read for 30s
            end @20
              = replaced @20
              > read
            closed
              > watch @20
            failed expired
              > sleep 3s
            woken
              > watch @20 with initial events
        "#]],
    );
}

/// C-02, C-03: the list at a version that is gone is asked for again at once, without one, in pages.
#[test]
fn c_02_a_list_that_expired_drops_its_version_at_once_but_not_for_ever() {
    check(
        "
        failed other
        failed expired
        page @20 a@1 more=x
        page @20 b@2
        opened
        failed other
        woken
        failed other
        failed expired
        failed expired
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            failed expired
              > list @ limit=500
            page @20 a@1 more=x
              > list @ limit=500 more=x
            page @20 b@2
              = replaced @20 a@1 b@2
              > watch @20
            opened
              > read
            failed other
              > sleep 812ms
            woken
              > watch @20 with initial events
            failed other
              > list @20
            failed expired
              > list @ limit=500
            failed expired
              > sleep 3s
        "#]],
    );
}

/// C-04.
#[test]
fn c_04_a_page_that_expired_costs_a_full_list() {
    check(
        "
        failed other
        page @20 a@1 more=x
        failed expired
        page @21 a@1 b@2
        failed other
        woken
        failed other
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @20 a@1 more=x
              > list @ limit=500 more=x
            failed expired
              > list @0
            page @21 a@1 b@2
              = replaced @21 a@1 b@2
              > watch @21
            failed other
              > sleep 812ms
            woken
              > watch @21 with initial events
            failed other
              > list @21 limit=500
        "#]],
    );
}

/// C-16.
#[test]
fn c_16_a_watch_that_ends_is_opened_again_where_it_was() {
    check(
        "
        failed other
        page @7 a@1
        opened
        +400s
        closed
        opened
        bookmark @9
        closed
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @7 a@1
              = replaced @7 a@1
              > watch @7
            opened
              > read
            closed
              > watch @7
            opened
              > read
            bookmark @9
              = bookmark @9
              > read
            closed
              > watch @9
        "#]],
    );
}

/// A proxy, or a server that came back, may tell again what was told before the version asked for: the time
/// goes on, and nothing is told twice. Versions that are no numbers have no order, and are believed.
#[test]
fn a_watch_that_tells_again_what_was_told_does_not_turn_back_the_time() {
    check(
        "
        opened
        added a@2
        end @5
        deleted a@6
        modified a@4
        deleted a@6
        bookmark @3
        added b@7
        modified b@opaque
        modified b@7
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@2
              > read for 30s
            end @5
              = replaced @5 a@2
              > read
            deleted a@6
              = deleted a@6
              > read
            modified a@4
              > read
            deleted a@6
              > read
            bookmark @3
              > read
            added b@7
              = added b@7
              > read
            modified b@opaque
              = updated b@opaque
              > read
            modified b@7
              = updated b@7
              > read
        "#]],
    );
}

/// C-16: a watch that ends at once did not work; in the end its version is given up.
#[test]
fn c_16_watches_that_end_at_once_are_not_asked_for_at_once() {
    check(
        "
        opened
        end @9
        closed
        opened
        closed
        woken
        opened
        closed
        woken
        opened
        closed
        woken
        opened
        closed
        woken
        opened
        closed
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @9
              = replaced @9
              > read
            closed
              > watch @9
            opened
              > read
            closed
              > sleep 812ms
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 3s
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 4s
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 9s
            woken
              > watch @9
            opened
              > read
            closed
              > sleep 16s
            woken
              > watch @9 with initial events
        "#]],
    );
}

#[test]
fn c_15_internal_errors_are_borne_for_a_minute() {
    check(
        "
        opened
        end @5
        failed internal
        +2s
        woken
        opened
        failed internal
        +61s
        woken
        opened
        failed internal
        woken
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            end @5
              = replaced @5
              > read
            failed internal
              > sleep 915ms
            woken
              > watch @5
            opened
              > read
            failed internal
              > sleep 3s
            woken
              > watch @5
            opened
              > read
            failed internal
              > sleep 5s
            woken
              > watch @5 with initial events
        "#]],
    );
}

/// C-18, and the promise that one malformed object costs nobody else.
#[test]
fn c_18_what_cannot_be_read_is_set_aside() {
    check(
        "
        opened
        added a@1
        unreadable b
        end @5
        unreadable c
        failed other
        woken
        failed other
        page @9 a@1 !b
        ",
        expect![[r#"
            > watch @ with initial events
            opened
              > read for 30s
            added a@1
              > read for 30s
            unreadable b
              > read for 30s
            end @5
              = replaced @5 a@1 !b
              > read
            unreadable c
              > read
            failed other
              > sleep 915ms
            woken
              > watch @5 with initial events
            failed other
              > list @5
            page @9 a@1 !b
              = replaced @9 a@1 !b
              > watch @9
        "#]],
    );
}

#[test]
fn what_could_not_be_read_is_named_until_it_can_be() {
    let mut state = State::<Tiny>::new(1, String::new());
    state.start();
    for line in ["opened", "unreadable b", "unreadable c", "end @5", "modified b@6"] {
        state.step(input(line), Duration::ZERO);
    }
    assert_eq!(state.unreadable().keys().collect::<Vec<_>>(), ["default/c"]);
}

#[test]
fn the_first_list_is_not_older_than_what_this_process_wrote() {
    let mut state = State::<Tiny>::new(1, "42".to_owned());
    state.start();
    let step = state.step(input("failed other"), Duration::ZERO);
    assert_eq!(show_next(&step.next, Duration::ZERO), "list @42");
}

#[test]
fn the_same_seed_waits_the_same() {
    let waits = |seed| {
        let mut state = State::<Tiny>::new(seed, String::new());
        state.start();
        let mut now = Duration::ZERO;
        let mut waits = Vec::new();
        for _ in 0..20 {
            if let Next::Sleep { until } = state.step(trouble("unreachable"), now).next {
                now = until;
                waits.push(until);
            }
            state.step(Input::Woken, now);
        }
        waits
    };
    assert_eq!(waits(7), waits(7));
    assert_ne!(waits(7), waits(8));
}

/// An answer that was not asked for neither panics nor is believed.
#[test]
fn an_input_out_of_place_starts_over() {
    check(
        "
        page @7 a@1
        woken
        opened
        ",
        expect![[r#"
            > watch @ with initial events
            page @7 a@1
              > sleep 915ms
            woken
              > watch @ with initial events
            opened
              > read for 30s
        "#]],
    );
}

mod retry;
