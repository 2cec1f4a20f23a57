//! What comes for a ticket, who is cut, and what is printed.

use http::Response;

use super::*;

/// More bytes than any of these tests has.
const TWO: Slow = Slow { frames: 2, bytes: 100 };

fn frames(count: usize) -> Vec<Output> {
    (0..count).map(|_| Output::Frame(vec![Ticket(1)], Bytes::from_static(b"x"))).collect()
}

#[test]
fn how_much_there_is_is_printed() {
    let mut mailbox = Mailbox::default();
    assert_eq!(format!("{mailbox:?}"), "Mailbox(0 frames, done: false)");
    mailbox.frames.push_back(Bytes::from_static(b"secret"));
    mailbox.done = true;
    assert_eq!(format!("{mailbox:?}"), "Mailbox(1 frames, done: true)");
}

/// What came before anybody could read counts as long as it is not read.
#[test]
fn a_watcher_is_cut_that_has_more_to_read_than_it_may() {
    for (read, more) in [(0, 2), (1, 2), (3, 2), (4, 2)] {
        let mut boxes = Mailboxes::default();
        let mailbox = boxes.open(Ticket(1));
        let start = vec![Output::Start(Ticket(1), Response::new(()))];
        assert!(boxes.post(start, TWO).is_empty());
        assert!(boxes.post(frames(3), TWO).is_empty(), "nobody can read it yet");
        assert!(matches!(mailbox.lock().take_head(), Some(Head::Streamed(_))));
        for at in 0..read {
            assert_eq!(mailbox.lock().take_frame().is_some(), at < 3);
        }
        assert!(boxes.post(frames(more), TWO).is_empty(), "{read}");
        assert_eq!(boxes.under_way().collect::<Vec<_>>(), [Ticket(1)]);
        assert_eq!(boxes.post(frames(1), TWO), [Ticket(1)], "{read}");
        assert!(boxes.under_way().next().is_none());
        let mut mailbox = mailbox.lock();
        assert!(mailbox.ended && mailbox.done && mailbox.take_frame().is_none());
    }
}

/// However few frames they are in; a first burst of any size is no slowness.
#[test]
fn a_watcher_is_cut_that_has_more_bytes_to_read_than_it_may() {
    for (read, is_cut) in [(0, true), (1, true), (2, true), (3, false)] {
        let mut boxes = Mailboxes::default();
        let mailbox = boxes.open(Ticket(1));
        let slow = Slow { frames: 100, bytes: 9 };
        let tens = |count| -> Vec<Output> {
            let ten = Bytes::from_static(b"0123456789");
            (0..count).map(|_| Output::Frame(vec![Ticket(1)], ten.clone())).collect()
        };
        assert!(boxes.post(vec![Output::Start(Ticket(1), Response::new(()))], slow).is_empty());
        assert!(boxes.post(tens(2), slow).is_empty(), "nobody can read it yet");
        assert!(matches!(mailbox.lock().take_head(), Some(Head::Streamed(_))));
        assert!(boxes.post(frames(9), slow).is_empty());
        for _ in 0..read {
            assert!(mailbox.lock().take_frame().is_some());
        }
        assert_eq!(!boxes.post(frames(1), slow).is_empty(), is_cut, "{read}");
    }
}

#[test]
fn a_mailbox_is_closed_with_or_without_an_answer() {
    let mut boxes = Mailboxes::default();
    let answered = boxes.open(Ticket(1));
    boxes.open(Ticket(2));
    assert_eq!(boxes.len(), 2);
    boxes.post(vec![Output::Reply(Ticket(1), Response::new(Bytes::new()))], TWO);
    assert!(matches!(answered.lock().take_head(), Some(Head::Whole(_))));
    assert_eq!(boxes.under_way().collect::<Vec<_>>(), [Ticket(2)]);
    assert!(!boxes.close(Ticket(1)) && boxes.close(Ticket(2)) && !boxes.close(Ticket(2)));
    assert_eq!(boxes.len(), 0);
}

#[test]
fn who_listens_is_woken_once_by_what_comes() {
    let mut boxes = Mailboxes::default();
    let mailbox = boxes.open(Ticket(1));
    mailbox.lock().listen(Waker::noop());
    mailbox.lock().listen(Waker::noop());
    assert!(boxes.take_wakers().is_empty());
    boxes.post(vec![Output::Wake(Ticket(1), Now::default())], TWO);
    assert_eq!((boxes.take_wakers().len(), mailbox.lock().wake), (1, Some(Now::default())));
    boxes.post(frames(1), TWO);
    assert!(boxes.take_wakers().is_empty());
}

#[test]
fn after_the_end_nothing_comes() {
    for (last, is_cut) in [(Output::End(Ticket(1)), false), (Output::Hangup(Ticket(1)), true)] {
        let mut boxes = Mailboxes::default();
        let mailbox = boxes.open(Ticket(1));
        boxes.post([frames(1), vec![last], frames(1)].into_iter().flatten().collect(), TWO);
        let mut mailbox = mailbox.lock();
        assert!(mailbox.ended && mailbox.done);
        assert_eq!(mailbox.frames.len(), 1);
        assert_eq!(matches!(mailbox.take_head(), Some(Head::Hangup)), is_cut);
    }
}
