//! What one watcher sees, when it is woken, and who watches.

use serde_json::json;

use super::*;
use crate::registry::Registry;
use crate::storage::key;
use crate::storage::selector::Labels;

const fn at(seconds: u64) -> Now {
    Now(Duration::from_secs(seconds))
}

/// One of config maps with `on=yes`, until 100 seconds after the epoch.
fn watcher(ticket: u64) -> Watcher {
    let registry = Registry::shared();
    let resource = registry.find("", "v1", "configmaps").expect("config maps").clone();
    let labels = Labels::parse("on=yes").expect("a selector");
    Watcher {
        ticket: Ticket(ticket),
        actor: "me".to_owned(),
        resource,
        filter: Filter { labels, ..Filter::default() },
        form: Form::default(),
        from: 8,
        next_bookmark: None,
        deadline: at(100),
        columns_sent: false,
        backlog: None,
    }
}

fn object(on: &str) -> Arc<Stored> {
    let value = json!({"metadata": {"name": "a", "labels": {"on": on}}});
    Arc::new(Stored::new(key("default", "a"), 9, value))
}

fn event(change: Change, object: Arc<Stored>, previous: Option<Arc<Stored>>) -> Event {
    Event { revision: 9, table: "configmaps".into(), change, object, previous }
}

#[test]
fn what_enters_the_selection_is_added_and_what_leaves_it_is_deleted() {
    let watcher = watcher(1);
    let (yes, no) = (|| object("yes"), || object("no"));
    let left = Some((Kind::Deleted, View::Previous));
    let gone = Some((Kind::Deleted, View::Object));
    for (event, seen) in [
        (event(Change::Added, yes(), None), Some((Kind::Added, View::Object))),
        (event(Change::Added, no(), None), None),
        (event(Change::Modified, yes(), Some(yes())), Some((Kind::Modified, View::Object))),
        (event(Change::Modified, yes(), Some(no())), Some((Kind::Added, View::Object))),
        (event(Change::Modified, no(), Some(yes())), left),
        (event(Change::Modified, no(), Some(no())), None),
        (event(Change::Deleted, yes(), Some(yes())), gone),
        (event(Change::Deleted, no(), Some(yes())), gone),
        (event(Change::Deleted, yes(), Some(no())), None),
    ] {
        assert_eq!(watcher.sees(&event), seen, "{event:?}");
    }
}

/// What a watch sends when its alarm goes off, in a word each.
fn alarm(watches: &mut Watches, seconds: u64) -> Vec<String> {
    let (mut hooks, mut rng, mut out) = (Vec::new(), Rng::new(1), Vec::new());
    let mut sending = Sending::new(at(seconds), &mut hooks, &mut rng, &mut out);
    assert!(format!("{sending:?}").starts_with("Sending { now: Now("));
    watches.alarm(Ticket(1), 5, &mut sending);
    told(&out)
}

fn told(out: &[Output]) -> Vec<String> {
    let word = |output: &Output| match output {
        Output::Frame(ticket, _) => format!("frame {}", ticket.0),
        Output::Wake(_, at) => format!("wake {}", at.0.as_secs()),
        Output::End(ticket) => format!("end {}", ticket.0),
        other => format!("{other:?}"),
    };
    out.iter().map(word).collect()
}

#[test]
fn bookmarks_come_each_minute_and_just_before_the_end() {
    let mut watches = Watches::default();
    watches.insert(Watcher { next_bookmark: Some(at(60)), ..watcher(1) });
    for (seconds, sent) in [
        (59, &["wake 60"][..]),
        (60, &["frame 1", "wake 98"]),
        (97, &["wake 98"]),
        (98, &["frame 1", "wake 100"]),
        (99, &["wake 100"]),
        (100, &["end 1"]),
        (101, &[]),
    ] {
        assert_eq!(alarm(&mut watches, seconds), sent, "{seconds}");
    }
    assert!(watches.is_empty());
    watches.insert(Watcher { next_bookmark: Some(at(100)), ..watcher(1) });
    assert_eq!(alarm(&mut watches, 100), ["end 1"]);
}

#[test]
fn a_watch_that_has_something_to_tell_yet_gets_no_bookmark() {
    for (is_behind, sent) in [(true, &["wake 98"][..]), (false, &["frame 1", "wake 98"])] {
        let mut backlog = Box::<Backlog>::default();
        if is_behind {
            backlog.push(Item::InitialEnd(5));
        }
        let mut watches = Watches::default();
        let next_bookmark = Some(at(60));
        watches.insert(Watcher { next_bookmark, backlog: Some(backlog), ..watcher(1) });
        assert_eq!(alarm(&mut watches, 60), sent);
    }
}

#[test]
fn the_bookmark_behind_one_comes_before_the_end_or_not_at_all() {
    let ends = watcher(1);
    for (now, next) in [(10, Some(70)), (38, Some(98)), (50, Some(98)), (97, Some(98)), (98, None)]
    {
        assert_eq!(ends.bookmark_after(at(now)), next.map(at), "{now}");
    }
    for (next, wake) in [(None, 100), (Some(50), 50), (Some(200), 100)] {
        let woken = Watcher { next_bookmark: next.map(at), ..watcher(1) };
        assert_eq!(woken.wake(), at(wake), "{next:?}");
    }
}

#[test]
fn an_event_goes_to_those_who_watch_from_before_it() {
    let mut watches = Watches::default();
    assert!(watches.is_empty());
    for (ticket, from) in [(1, 8), (2, 9), (3, 7)] {
        watches.insert(Watcher { from, ..watcher(ticket) });
    }
    assert_eq!((watches.len(), watches.is_empty()), (3, false));
    let (mut hooks, mut rng, mut out) = (Vec::new(), Rng::new(1), Vec::new());
    let event = Arc::new(event(Change::Added, object("yes"), None));
    watches.deliver(&event, &mut Sending::new(at(1), &mut hooks, &mut rng, &mut out));
    let mut sent = told(&out);
    sent.sort();
    assert_eq!(sent, ["frame 1", "frame 3"]);
    assert!(watches.has(Ticket(2)) && watches.remove(Ticket(2)).is_some());
    assert!(!watches.has(Ticket(2)) && watches.remove(Ticket(2)).is_none());
    assert_eq!(watches.of_table("configmaps"), [Ticket(1), Ticket(3)]);
    assert!(watches.of_table("pods").is_empty());
    let mut out = Vec::new();
    watches.end_table("configmaps", &mut out);
    assert_eq!(told(&out), ["end 1", "end 3"]);
    assert!(watches.is_empty() && watches.of_table("configmaps").is_empty());
}

#[test]
fn of_frames_their_kind_and_length_are_printed() {
    let mut frames = Frames::new(at(1));
    let bytes = frames.of(&mut watcher(1), Kind::Added, &object("yes"));
    assert_eq!(frames.of(&mut watcher(2), Kind::Added, &object("yes")), bytes, "made once");
    let printed = format!("{frames:?}");
    assert!(
        printed.ends_with(&format!("made: [Made(Added, {} bytes)] }}", bytes.len())),
        "{printed}"
    );
    frames.of(&mut watcher(3), Kind::Deleted, &object("yes"));
    assert!(format!("{frames:?}").contains(", Made(Deleted, "), "another kind, another frame");
}
