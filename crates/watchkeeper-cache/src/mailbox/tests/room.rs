//! What a mailbox keeps, and what it gives back.

use super::*;

#[test]
fn objects_that_come_and_go_leave_nothing_behind() {
    let mut mailbox = Mailbox::new(1, Overflow::Coalesce);
    mailbox.push(change("add a@1"));
    for number in 0..10_000 {
        mailbox.push(change(&format!("add x{number}@2")));
        mailbox.push(change(&format!("update x{number}@2 x{number}@3")));
        mailbox.push(change(&format!("delete x{number}@4")));
        assert!(mailbox.letters.len() <= 2 + GAPS + 1, "{}", mailbox.letters.len());
    }
    mailbox.push(change("update a@1 a@5"));
    let mut log = String::new();
    drain(&mut mailbox, &mut log);
    assert_eq!(log, "add default/a @5\n");
}

/// A handler that stays a little too slow for good must not cost more with every name that ever was.
#[test]
fn names_that_were_told_are_forgotten_while_the_mailbox_stays_full() {
    let mut mailbox = Mailbox::new(4, Overflow::Coalesce);
    for number in 0..1000 {
        mailbox.push(change(&format!("add x{number}@1")));
        if mailbox.len() > 4 {
            mailbox.pop();
        }
    }
    assert!(mailbox.len() >= 4, "it stayed full");
    assert!(mailbox.last_of.as_ref().is_some_and(|last_of| last_of.len() <= mailbox.len()));
}

/// What a handler is told at its beginning is as much as there is: the room for that is not kept.
#[test]
fn a_mailbox_that_is_empty_has_room_for_its_buffer_and_no_more() {
    let mut mailbox = Mailbox::new(100, Overflow::Coalesce);
    let object = |number| change(&format!("initial o{number}@1"));
    mailbox.push_at_one_stroke((0..5000).map(object));
    assert!(mailbox.letters.capacity() >= 5000);
    drain(&mut mailbox, &mut String::new());
    assert!(mailbox.letters.capacity() <= 200, "{}", mailbox.letters.capacity());
    for number in 0..100 {
        mailbox.push(change(&format!("add p{number}@2")));
    }
    let room = mailbox.letters.capacity();
    drain(&mut mailbox, &mut String::new());
    assert_eq!(mailbox.letters.capacity(), room, "what is needed again is kept");
}

/// Until then nobody pays for moving letters.
#[test]
fn gaps_are_closed_once_there_are_too_many() {
    let mut mailbox = Mailbox::new(3, Overflow::Coalesce);
    ["add a@1", "add b@1", "add c@1"].iter().for_each(|line| mailbox.push(change(line)));
    let mut come_and_go = |number: usize| {
        mailbox.push(change(&format!("add x{number}@2")));
        mailbox.push(change(&format!("delete x{number}@3")));
        mailbox.letters.len()
    };
    let borne = 3 + GAPS;
    for number in 1..=borne {
        assert_eq!(come_and_go(number), 3 + number);
    }
    assert_eq!(come_and_go(borne + 1), 3);
}

/// What came at one stroke is known by its numbers, which change as gaps are closed.
#[test]
fn what_came_at_one_stroke_is_beside_the_buffer_after_gaps_are_closed() {
    let mut mailbox = Mailbox::new(1, Overflow::Coalesce);
    mailbox.push(change("add a@1"));
    assert!(mailbox.pop().is_some());
    mailbox.push_at_one_stroke(["add b@2", "add c@2"].map(change).into_iter());
    mailbox.push(change("add d@3"));
    let mut longest = 0;
    for number in 0..100 {
        longest = longest.max(mailbox.letters.len());
        mailbox.push(change(&format!("add x{number}@4")));
        mailbox.push(change(&format!("delete x{number}@5")));
        assert_eq!(mailbox.counted(), count_of_those_that_count(&mailbox));
        assert!(mailbox.has_stroke());
    }
    assert!(mailbox.letters.len() < longest, "no gap was closed");
    assert!(mailbox.pop().is_some() && mailbox.has_stroke());
    assert!(mailbox.pop().is_some() && !mailbox.has_stroke());
    assert_eq!((mailbox.len(), mailbox.counted()), (1, 1));
}

/// A handler that is just too slow has twice its buffer waiting again and again.
#[test]
fn room_for_twice_the_buffer_is_kept() {
    let mut mailbox = Mailbox::new(GAPS, Overflow::Coalesce);
    mailbox.letters.reserve_exact(2 * GAPS);
    let room = mailbox.letters.capacity();
    assert_eq!(room, 2 * GAPS);
    mailbox.push(change("add a@1"));
    drain(&mut mailbox, &mut String::new());
    assert_eq!(mailbox.letters.capacity(), room);
}
