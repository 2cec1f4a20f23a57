//! Where a reflector is, and what it lacks.

use expect_test::expect;

use super::*;

/// A failure is told until the server has made it good, and whether all is listed again or the watch goes on.
#[test]
fn a_status_tells_what_is_wrong_until_it_is_not() {
    check(
        "
        status
        failed busy
        status
        woken
        status
        opened
        status
        end @5
        status
        failed broken
        status
        woken
        status
        opened
        status
        failed expired
        status
        woken
        failed other
        status
        page @9
        status
        ",
        expect![[r#"
            > watch @ with initial events
            listing
            failed busy
              > sleep 915ms
            asleep, then a list; busy
            woken
              > watch @ with initial events
            listing; busy
            opened
              > read for 30s
            listing; busy
            end @5
              = replaced @5
              > read
            watching
            failed broken
              > sleep 3s
            asleep, then a watch; broken
            woken
              > watch @5
            watching; broken
            opened
              > read
            watching
            failed expired
              > sleep 5s
            asleep, then a list; expired
            woken
              > watch @5 with initial events
            failed other
              > list @5
            listing; other
            page @9
              = replaced @9
              > watch @9
            watching
        "#]],
    );
}

/// C-18: a list that comes in pages is one: what one page could not tell is named after the next as well, and
/// the next list is asked anew.
#[test]
fn c_18_what_a_page_could_not_tell_is_named_until_the_next_list() {
    check(
        "
        failed other
        page @5 !a b@1 more=x
        status
        page @5 !c more=y
        status
        page @5 d@1
        status
        failed expired
        woken
        failed other
        page @9 a@6 more=x
        status
        page @9 !c
        status
        ",
        expect![[r#"
            > watch @ with initial events
            failed other
              > list @0
            page @5 !a b@1 more=x
              > list @ limit=500 more=x
            listing; other; default/a: bad
            page @5 !c more=y
              > list @ limit=500 more=y
            listing; other; default/a: bad; default/c: bad
            page @5 d@1
              = replaced @5 b@1 d@1 !a !c
              > watch @5
            watching; default/a: bad; default/c: bad
            failed expired
              > sleep 812ms
            woken
              > watch @5 with initial events
            failed other
              > list @5 limit=500
            page @9 a@6 more=x
              > list @ limit=500 more=x
            listing; other
            page @9 !c
              = replaced @9 a@6 !c
              > watch @9
            watching; default/c: bad
        "#]],
    );
}

/// However many there are, and each change of them is told once.
#[test]
fn c_18_all_are_named() {
    let mut state = State::<Tiny>::new(1, String::new());
    state.start();
    let (mut told, mut step) = (BTreeMap::new(), |line: &str, told: &mut BTreeMap<_, _>| {
        state.step(input(line), Duration::ZERO);
        let is_changed = state.malformed().is_changed();
        state.malformed_mut().tell(told);
        (is_changed, told.len())
    });
    assert_eq!(step("opened", &mut told), (false, 0));
    for number in 1..=250 {
        assert_eq!(step(&format!("unreadable o{number}"), &mut told), (true, number));
    }
    assert_eq!(told.get("default/o199").map(String::as_str), Some("bad"));
    assert_eq!(step("end @5", &mut told), (false, 250));
    assert_eq!(step("modified o199@6", &mut told), (true, 249));
    assert_eq!(step("modified o199@7", &mut told), (false, 249));
    assert!(!told.contains_key("default/o199"));
    assert_eq!(step("vanished o7", &mut told), (true, 248));
    assert_eq!(step("failed expired", &mut told), (false, 248));
    step("woken", &mut told);
    assert_eq!(step("opened", &mut told), (true, 0), "what is listed anew is looked at anew");
}

/// The version of what the copy was told last; none before the first list, and none that tells no order.
#[test]
fn a_reflector_tells_how_far_the_copy_is() {
    let mut state = State::<Tiny>::new(1, String::new());
    state.start();
    let mut after = |line: &str| {
        state.step(input(line), Duration::ZERO);
        state.how_far()
    };
    assert_eq!(after("opened"), None);
    assert_eq!(after("added a@3"), None);
    assert_eq!(after("end @5"), Some("5".to_owned()));
    assert_eq!(after("modified a@7"), Some("7".to_owned()));
    assert_eq!(after("bookmark @9"), Some("9".to_owned()));
    assert_eq!(after("bookmark @0"), None);
}

/// C-18: only those that are named, for the reason with which they are, are told of to who listens.
#[test]
fn c_18_what_is_named_was_set_aside() {
    let mut state = State::<Tiny>::new(1, String::new());
    state.start();
    let which = |name: &str, reason: &str| Unreadable {
        key: Some(("default", name).into()),
        version: String::new(),
        gone: false,
        reason: reason.to_owned(),
    };
    state.step(Input::Unreadable(which("a", "bad")), Duration::ZERO);
    assert!(state.malformed().has(&which("a", "bad")));
    assert!(!state.malformed().has(&which("a", "worse")));
    assert!(!state.malformed().has(&which("b", "bad")));
}
