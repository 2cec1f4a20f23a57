//! What one watcher sees, when it is woken, and who watches.

use serde_json::json;

use super::*;
use crate::registry::Registry;
use crate::request::accept::Representation;
use crate::storage::key;
use crate::storage::selector::Labels;
use crate::table::Include;

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
        held: None,
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

/// What a watch sends when its alarm goes off after another write, in a word each.
fn alarm(watches: &mut Watches, seconds: u64) -> Vec<String> {
    alarm_at(watches, seconds, 9)
}

fn alarm_at(watches: &mut Watches, seconds: u64, revision: u64) -> Vec<String> {
    let (mut hooks, mut rng, mut out) = (Vec::new(), Rng::new(1), Vec::new());
    let mut sending = Sending::new(at(seconds), &mut hooks, &mut rng, &mut out);
    assert!(format!("{sending:?}").starts_with("Sending { now: Now("));
    watches.alarm(Ticket(1), revision, &mut sending);
    told(&out)
}

fn told(out: &[Output]) -> Vec<String> {
    let words = |output: &Output| match output {
        Output::Frame(tickets, _) => tickets.iter().map(|to| format!("frame {}", to.0)).collect(),
        Output::Wake(_, at) => vec![format!("wake {}", at.0.as_secs())],
        Output::End(ticket) => vec![format!("end {}", ticket.0)],
        other => vec![format!("{other:?}")],
    };
    out.iter().flat_map(words).collect()
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

/// A kube-apiserver sends none to a watch of what nobody writes, however long it lasts.
#[test]
fn a_bookmark_of_what_a_watch_began_with_is_kept_back() {
    let mut watches = Watches::default();
    watches.insert(Watcher { next_bookmark: Some(at(60)), ..watcher(1) });
    watches.begun(Ticket(1), 10);
    watches.begun(Ticket(1), 9);
    watches.begun(Ticket(2), 11);
    for (seconds, revision, sent) in [
        (60, 10, &["wake 98"][..]),
        (98, 11, &["frame 1", "wake 100"]),
        (99, 11, &["wake 100"]),
        (100, 12, &["end 1"]),
    ] {
        assert_eq!(alarm_at(&mut watches, seconds, revision), sent, "{seconds}");
    }
    watches.insert(Watcher { next_bookmark: Some(at(40)), ..watcher(1) });
    for (seconds, revision, sent) in [
        (40, 9, &["frame 1", "wake 98"][..]),
        (98, 9, &["frame 1", "wake 100"]),
        (100, 9, &["end 1"]),
    ] {
        assert_eq!(
            alarm_at(&mut watches, seconds, revision),
            sent,
            "{seconds}: again, of the same"
        );
    }
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
    assert_eq!(out.len(), 1, "the same for both");
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

#[test]
fn frames_are_made_once_for_each_form_and_version() {
    let count = |frames: &Frames| format!("{frames:?}").matches("Made(").count();
    let mut frames = Frames::new(at(1));
    let of = |watcher: &mut Watcher, frames: &mut Frames| {
        frames.of(watcher, Kind::Added, &object("yes"));
        count(frames)
    };
    assert_eq!(of(&mut watcher(1), &mut frames), 1);
    let resource = Arc::new((*watcher(1).resource).clone());
    assert_eq!(of(&mut Watcher { resource, ..watcher(2) }, &mut frames), 1, "the same version");
    for (group, version) in [("", "v2"), ("example.com", "v1")] {
        let (group, version) = (group.to_owned(), version.to_owned());
        let resource = Resource { group, version, ..(*watcher(1).resource).clone() };
        let before = count(&frames);
        let after = of(&mut Watcher { resource: Arc::new(resource), ..watcher(3) }, &mut frames);
        assert_eq!(after, before + 1);
    }
    let form = Form { codec: crate::request::accept::Codec::Yaml, ..Form::default() };
    assert_eq!(of(&mut Watcher { form, ..watcher(4) }, &mut frames), 4, "another form");
    assert_eq!(of(&mut watcher(5), &mut frames), 4);
}

/// What is sent to a watcher of an event, as JSON.
fn sent(event: Event, hook: Passage) -> Vec<serde_json::Value> {
    struct Told(Passage);
    impl Hook for Told {
        fn on_delivery(&mut self, _: &Delivery<'_>) -> Passage {
            self.0
        }
    }
    let mut watches = Watches::default();
    watches.insert(watcher(1));
    let mut hooks: Vec<Box<dyn Hook>> = vec![Box::new(Told(hook))];
    let (mut rng, mut out) = (Rng::new(1), Vec::new());
    let event = Arc::new(event);
    watches.deliver(&event, &mut Sending::new(at(1), &mut hooks, &mut rng, &mut out));
    let json = |output: &Output| match output {
        Output::Frame(_, bytes) => serde_json::from_slice(bytes).expect("JSON"),
        other => json!(format!("{other:?}")),
    };
    out.iter().map(json).collect()
}

#[test]
fn what_leaves_the_selection_is_told_as_it_was_at_the_revision_of_its_leaving() {
    let value = json!({"metadata": {"name": "a", "labels": {"on": "yes"}}, "data": {"a": "b"}});
    let before = Arc::new(Stored::new(key("default", "a"), 5, value));
    let left = event(Change::Modified, object("no"), Some(before));
    let frames = sent(left, Passage::Deliver);
    assert_eq!(frames.len(), 1);
    let (frame, metadata) = (&frames[0], &frames[0]["object"]["metadata"]);
    assert_eq!((&frame["type"], &frame["object"]["data"]), (&json!("DELETED"), &json!({"a": "b"})));
    assert_eq!(metadata["resourceVersion"], "9");
    assert_eq!(metadata["labels"], json!({"on": "yes"}));
    let entered = event(Change::Modified, object("yes"), Some(object("no")));
    assert_eq!(sent(entered, Passage::Deliver)[0]["type"], "ADDED");
}

#[test]
fn a_hook_may_keep_a_frame_back_or_end_the_watch() {
    let told = |hook| sent(event(Change::Added, object("yes"), None), hook);
    assert_eq!(told(Passage::Deliver)[0]["type"], "ADDED");
    assert!(told(Passage::Skip).is_empty());
    assert_eq!(told(Passage::End), [json!("End(1)")]);
}

#[test]
fn a_bookmark_tells_a_revision_and_the_end_of_what_was_there() {
    let told = |ends_initial| {
        let bytes = frame::bookmark(&watcher(1), 12, at(1), ends_initial);
        serde_json::from_slice::<serde_json::Value>(&bytes).expect("JSON")
    };
    let frame = told(false);
    assert_eq!(
        (&frame["type"], &frame["object"]["kind"]),
        (&json!("BOOKMARK"), &json!("ConfigMap"))
    );
    assert_eq!(frame["object"]["metadata"]["resourceVersion"], "12");
    assert_eq!(frame["object"]["metadata"].get("annotations"), None);
    let frame = told(true);
    let annotations = &frame["object"]["metadata"]["annotations"];
    assert_eq!(*annotations, json!({"k8s.io/initial-events-end": "true"}));
}

#[test]
fn a_table_has_columns_until_an_object_was_told_with_them() {
    let representation = Representation::Table { version: "v1".to_owned(), include: Include::None };
    let form = Form { representation, ..Form::default() };
    let mut watcher = Watcher { form, ..watcher(1) };
    let columns = |bytes: &Bytes| {
        let frame: serde_json::Value = serde_json::from_slice(bytes).expect("JSON");
        assert_eq!(frame["object"]["kind"], "Table");
        frame["object"]["columnDefinitions"].as_array().map_or(0, Vec::len)
    };
    let bookmark = |watcher: &Watcher| columns(&frame::bookmark(watcher, 12, at(1), false));
    assert!(bookmark(&watcher) > 0 && bookmark(&watcher) > 0, "bookmarks do not count");
    let mut frames = Frames::new(at(1));
    assert!(columns(&frames.of(&mut watcher, Kind::Added, &object("yes"))) > 0);
    assert_eq!(columns(&frames.of(&mut watcher, Kind::Added, &object("yes"))), 0);
    assert_eq!(bookmark(&watcher), 0);
    assert_eq!(format!("{frames:?}").matches("Made(").count(), 1, "the first is its own");
}

#[test]
fn a_watch_of_which_nothing_is_known_is_left_alone() {
    let mut watches = Watches::default();
    watches.insert(watcher(1));
    let (mut hooks, mut rng, mut out) = (Vec::new(), Rng::new(1), Vec::new());
    let mut sending = Sending::new(at(1), &mut hooks, &mut rng, &mut out);
    watches.told(Ticket(1), 0, Ok(Bytes::new()), &mut sending);
    watches.told(Ticket(2), 0, Ok(Bytes::new()), &mut sending);
    watches.begin(Ticket(2), &mut sending);
    watches.alarm(Ticket(2), 9, &mut sending);
    assert!(out.is_empty() && watches.has(Ticket(1)));
}

/// Of what waits the objects are told in order, without a webhook that must be asked as they are.
#[test]
fn what_waits_is_told_in_order_to_those_who_see_it() {
    let mut backlog = Box::<Backlog>::default();
    assert!(backlog.is_empty() && backlog.deadline().is_none());
    backlog.push(Item::Present(object("yes")));
    backlog.push(Item::Present(object("no")));
    backlog.push(Item::InitialEnd(9));
    backlog.push(Item::Event(Arc::new(event(Change::Modified, object("no"), Some(object("yes"))))));
    assert!(!backlog.is_empty());
    let mut watches = Watches::default();
    watches.insert(Watcher { backlog: Some(backlog), ..watcher(1) });
    let (mut hooks, mut rng, mut out) = (Vec::new(), Rng::new(1), Vec::new());
    watches.begin(Ticket(1), &mut Sending::new(at(1), &mut hooks, &mut rng, &mut out));
    let kinds = out.iter().map(|output| match output {
        Output::Frame(_, bytes) => {
            let frame: serde_json::Value = serde_json::from_slice(bytes).expect("JSON");
            frame["type"].as_str().expect("a type").to_owned()
        }
        other => format!("{other:?}"),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["ADDED", "BOOKMARK", "DELETED"]);
    assert!(watches.has(Ticket(1)));
}
