//! What comes for a ticket, who is cut, and what is printed.

use http::Response;

use super::*;

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
        assert!(boxes.post(start, 2).is_empty());
        assert!(boxes.post(frames(3), 2).is_empty(), "nobody can read it yet");
        assert!(matches!(mailbox.lock().take_head(), Some(Head::Streamed(_))));
        for at in 0..read {
            assert_eq!(mailbox.lock().take_frame().is_some(), at < 3);
        }
        assert!(boxes.post(frames(more), 2).is_empty(), "{read}");
        assert_eq!(boxes.under_way().collect::<Vec<_>>(), [Ticket(1)]);
        assert_eq!(boxes.post(frames(1), 2), [Ticket(1)], "{read}");
        assert!(boxes.under_way().next().is_none());
        let mut mailbox = mailbox.lock();
        assert!(mailbox.ended && mailbox.done && mailbox.take_frame().is_none());
    }
}

#[test]
fn a_mailbox_is_closed_with_or_without_an_answer() {
    let mut boxes = Mailboxes::default();
    let answered = boxes.open(Ticket(1));
    boxes.open(Ticket(2));
    assert_eq!(boxes.len(), 2);
    boxes.post(vec![Output::Reply(Ticket(1), Response::new(Bytes::new()))], 2);
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
    boxes.post(vec![Output::Wake(Ticket(1), Now::default())], 2);
    assert_eq!((boxes.take_wakers().len(), mailbox.lock().wake), (1, Some(Now::default())));
    boxes.post(frames(1), 2);
    assert!(boxes.take_wakers().is_empty());
}

#[test]
fn after_the_end_nothing_comes() {
    for (last, is_cut) in [(Output::End(Ticket(1)), false), (Output::Hangup(Ticket(1)), true)] {
        let mut boxes = Mailboxes::default();
        let mailbox = boxes.open(Ticket(1));
        boxes.post([frames(1), vec![last], frames(1)].into_iter().flatten().collect(), 2);
        let mut mailbox = mailbox.lock();
        assert!(mailbox.ended && mailbox.done);
        assert_eq!(mailbox.frames.len(), 1);
        assert_eq!(matches!(mailbox.take_head(), Some(Head::Hangup)), is_cut);
    }
}
