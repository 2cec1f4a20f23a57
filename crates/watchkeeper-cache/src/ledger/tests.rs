use super::*;

fn key(name: &str) -> impl FnOnce() -> ObjectKey {
    let key = ObjectKey::from(("shop", name));
    || key
}

fn limited(limit: usize) -> Ledger {
    let ledger = Ledger::default();
    ledger.limit(limit);
    ledger
}

fn bytes(ledger: &Ledger) -> usize {
    ledger.content().expect("it has a limit").bytes
}

#[test]
fn without_a_limit_nothing_is_noted() {
    let ledger = Ledger::default();
    ledger.list_begins();
    let unasked = || -> ObjectKey { panic!("the key is not asked for") };
    assert_eq!(ledger.came(unasked, usize::MAX), Ok(()));
    ledger.gone(unasked);
    ledger.list_ends();
    assert_eq!(ledger.content(), None);
}

#[test]
fn what_comes_changes_and_goes_is_counted() {
    let ledger = limited(100);
    assert_eq!(ledger.came(key("a"), 40), Ok(()));
    assert_eq!(ledger.came(key("b"), 60), Ok(()));
    assert_eq!(ledger.content(), Some(Content { bytes: 100, limit: 100 }));
    assert_eq!(ledger.came(key("a"), 10), Ok(()));
    assert_eq!(bytes(&ledger), 70);
    ledger.gone(key("b"));
    ledger.gone(key("never seen"));
    assert_eq!(bytes(&ledger), 10);
}

#[test]
fn what_is_too_much_is_told_and_not_noted() {
    let ledger = limited(100);
    assert_eq!(ledger.came(key("a"), 90), Ok(()));
    let too_much = ledger.came(key("b"), 11).expect_err("it is too much");
    assert_eq!(too_much, OverLimit { objects: 2, bytes: 101, limit: 100 });
    assert_eq!(bytes(&ledger), 90);
    let too_much = ledger.came(key("a"), 101).expect_err("it is too much");
    assert_eq!(too_much, OverLimit { objects: 1, bytes: 101, limit: 100 });
    let told = too_much.to_string();
    assert!(
        told.starts_with("1 objects of 101 bytes, and there may be more, are above the 100 bytes"),
        "{told}"
    );
    assert_eq!(ledger.came(key("b"), 10), Ok(()));
}

#[test]
fn a_list_counts_by_itself_and_takes_the_place_of_what_was() {
    let ledger = limited(100);
    assert_eq!(ledger.came(key("a"), 90), Ok(()));
    ledger.list_begins();
    assert_eq!(ledger.came(key("b"), 80), Ok(()));
    assert_eq!(bytes(&ledger), 90, "the copy still has the one before");
    ledger.list_ends();
    assert_eq!(bytes(&ledger), 80);
    ledger.list_ends();
    assert_eq!(bytes(&ledger), 80, "only a list that began ends");
}

#[test]
fn a_list_that_breaks_off_changes_nothing() {
    let ledger = limited(100);
    assert_eq!(ledger.came(key("a"), 90), Ok(()));
    ledger.list_begins();
    assert_eq!(ledger.came(key("b"), 80), Ok(()));
    assert!(ledger.came(key("c"), 30).is_err());
    ledger.list_breaks_off();
    assert_eq!(bytes(&ledger), 90);
    assert!(ledger.came(key("c"), 11).is_err(), "what comes counts with what is held again");
    ledger.list_begins();
    assert_eq!(ledger.came(key("d"), 100), Ok(()), "the next one begins from nothing");
}

#[test]
fn what_cannot_be_read_counts_as_it_was() {
    let ledger = limited(100);
    assert_eq!(ledger.came(key("a"), 60), Ok(()));
    ledger.stays(&key("a")());
    assert_eq!(bytes(&ledger), 60, "no list is under way");
    ledger.list_begins();
    ledger.stays(&key("a")());
    ledger.stays(&key("never seen")());
    assert!(ledger.came(key("b"), 41).is_err());
    assert_eq!(ledger.came(key("b"), 40), Ok(()));
    ledger.list_ends();
    assert_eq!(bytes(&ledger), 100);
}

#[test]
fn above_the_limit_what_takes_no_more_than_before_is_taken_in() {
    let ledger = limited(100);
    assert_eq!(ledger.came(key("a"), 60), Ok(()));
    ledger.list_begins();
    assert_eq!(ledger.came(key("b"), 60), Ok(()));
    ledger.stays(&key("a")());
    ledger.list_ends();
    assert_eq!(bytes(&ledger), 120, "what could not be read came on top");
    assert_eq!(ledger.came(key("b"), 60), Ok(()));
    assert!(ledger.came(key("b"), 61).is_err());
    assert_eq!(ledger.came(key("b"), 30), Ok(()));
    assert_eq!(bytes(&ledger), 90);
}
