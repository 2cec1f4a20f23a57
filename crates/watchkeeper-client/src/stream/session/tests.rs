//! Sessions, with a server made of frames.

use bytes::{Bytes, BytesMut};
use proptest::prelude::*;

use super::{Opening, Pair, Reading, Session, UNREAD_LIMIT};
use crate::stream::spdy::{Decoder, Frame, put_data, put_ping, put_reset};

const ERROR: u32 = 1;
const DATA: u32 = 3;

fn control(kind: u8, stream: u32) -> Vec<u8> {
    let mut frame = vec![0x80, 3, 0, kind, 0, 0, 0, 4];
    frame.extend(stream.to_be_bytes());
    frame
}

fn reply(stream: u32) -> Vec<u8> {
    control(2, stream)
}

fn data(stream: u32, text: &[u8], last: bool) -> Vec<u8> {
    let mut out = BytesMut::new();
    put_data(&mut out, stream, text, last);
    out.to_vec()
}

fn reset(stream: u32) -> Vec<u8> {
    let mut out = BytesMut::new();
    put_reset(&mut out, stream, 5);
    out.to_vec()
}

impl Session {
    fn hear(&mut self, frames: &[Vec<u8>]) {
        self.take(frames.concat().into()).unwrap();
    }

    /// What is sent, read by the same rules.
    fn said(&mut self) -> Vec<Frame> {
        let mut said = Vec::new();
        let mut decoder = Decoder::default();
        while self.has_unsent() {
            let mut bytes = self.unsent();
            while let Some(frame) = decoder.next(&mut bytes).unwrap() {
                said.push(frame);
            }
        }
        said
    }
}

/// A connection that the server has taken, with nothing left to send.
fn open() -> (Session, Pair) {
    let mut session = Session::default();
    let pair = session.open(80).unwrap();
    session.hear(&[reply(ERROR), reply(DATA)]);
    session.said();
    (session, pair)
}

fn end(stream: u32) -> Frame {
    Frame::Data { stream, bytes: Bytes::new(), last: true }
}

fn failed(what: &str) -> Reading {
    Reading::Failed(what.to_owned())
}

#[test]
fn a_connection_is_open_when_both_streams_are_taken() {
    let mut session = Session::default();
    let pair = session.open(80).unwrap();
    assert_eq!(session.said(), [Frame::Opened { stream: ERROR }, Frame::Opened { stream: DATA }]);
    assert_eq!(session.opening(pair), Opening::Wait);
    session.hear(&[reply(DATA)]);
    assert_eq!((session.opening(pair), session.said()), (Opening::Wait, vec![]));
    session.hear(&[reply(ERROR), reply(ERROR)]);
    // Clients have nothing to say on the stream of errors.
    assert_eq!((session.opening(pair), session.said()), (Opening::Done, vec![end(ERROR)]));
    let second = session.open(81).unwrap();
    assert_eq!(session.said(), [Frame::Opened { stream: 5 }, Frame::Opened { stream: 7 }]);
    assert_eq!(session.opening(second), Opening::Wait);
}

/// `spdystream` replies from several workers, and the pod may be quicker than one of them.
#[test]
fn a_connection_with_content_is_open_before_the_last_reply() {
    let mut session = Session::default();
    let pair = session.open(80).unwrap();
    session.said();
    session.hear(&[reply(DATA), data(DATA, &vec![0; UNREAD_LIMIT], false)]);
    assert_eq!((session.is_full(), session.opening(pair)), (true, Opening::Done));
    assert!(matches!(session.read(pair, UNREAD_LIMIT), Reading::Bytes(_)));
    session.hear(&[reply(ERROR)]);
    assert_eq!((session.is_full(), session.said()), (false, vec![end(ERROR)]));
}

#[test]
fn a_connection_that_is_refused_is_told() {
    for refusal in [reset(DATA), reset(ERROR), data(DATA, b"", true)] {
        let mut session = Session::default();
        let pair = session.open(80).unwrap();
        session.hear(&[refusal]);
        let told = Opening::Failed("the server refused the connection".to_owned());
        assert_eq!(session.opening(pair), told);
    }
}

#[test]
fn what_arrives_is_read_in_order_and_the_end_after_it() {
    let (mut session, pair) = open();
    assert_eq!(session.read(pair, 10), Reading::Wait);
    session.hear(&[data(DATA, b"hello ", false), data(DATA, b"world", false)]);
    assert_eq!(session.read(pair, 4), Reading::Bytes("hell".into()));
    assert_eq!(session.read(pair, 100), Reading::Bytes("o world".into()));
    session.hear(&[data(DATA, b"!", true)]);
    assert_eq!(session.read(pair, 100), Reading::Bytes("!".into()));
    // It may have gone wrong yet.
    assert_eq!((session.read(pair, 100), session.is_over(pair)), (Reading::Wait, false));
    session.hear(&[data(ERROR, b"", true)]);
    assert_eq!((session.read(pair, 100), session.is_over(pair)), (Reading::End, true));
}

#[test]
fn what_went_wrong_is_told_after_what_arrived() {
    let (mut session, pair) = open();
    let what = data(ERROR, b"connection refused\n", false);
    session.hear(&[data(DATA, b"x", false), what, reset(DATA), reset(ERROR)]);
    assert_eq!(session.read(pair, 100), Reading::Bytes("x".into()));
    assert_eq!(session.read(pair, 100), failed("connection refused"));
    let (mut session, pair) = open();
    session.hear(&[reset(DATA), reset(ERROR)]);
    assert_eq!(session.read(pair, 100), failed("the server reset the connection"));
}

#[test]
fn a_direction_ends_by_itself_and_once() {
    let (mut session, pair) = open();
    assert_eq!(session.write(pair, b"hello"), 5);
    session.finish(pair);
    session.finish(pair);
    assert!(session.is_finished(pair));
    let said = Frame::Data { stream: DATA, bytes: "hello".into(), last: false };
    assert_eq!(session.said(), [said, end(DATA)]);
    session.hear(&[data(DATA, b"still here", false)]);
    assert_eq!(session.read(pair, 100), Reading::Bytes("still here".into()));
}

#[test]
fn a_connection_that_is_given_up_is_told_and_forgotten() {
    let (mut session, pair) = open();
    session.give_up(pair);
    assert_eq!(session.said(), [Frame::Reset { stream: DATA }, Frame::Reset { stream: ERROR }]);
    session.hear(&[data(DATA, b"late", false), reply(DATA), data(ERROR, b"late", true), reset(9)]);
    assert_eq!((session.read(pair, 100), session.said()), (Reading::End, vec![]));
    // Nothing is said when both sides know.
    let (mut session, pair) = open();
    session.finish(pair);
    session.hear(&[data(DATA, b"", true), data(ERROR, b"", true)]);
    session.said();
    session.give_up(pair);
    assert_eq!(session.said(), []);
}

#[test]
fn pings_come_back_and_streams_of_the_server_do_not() {
    let (mut session, _) = open();
    // The second is an answer to one of ours, of which there are none.
    let opened = vec![0x80, 3, 0, 1, 0, 0, 0, 10, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0];
    session.hear(&[control(6, 2), control(6, 3), opened, data(2, b"dropped", true)]);
    assert_eq!(session.said(), [Frame::Ping { id: 2 }, Frame::Reset { stream: 2 }]);
}

#[test]
fn what_is_no_spdy_is_told() {
    let wrong = "content of a stream that nobody opened";
    for bytes in [&b"HTTP/1.1 500 Internal Server Error"[..], &data(5, b"x", false)] {
        assert_eq!(open().0.take(Bytes::copy_from_slice(bytes)), Err(wrong));
    }
}

#[test]
fn a_server_that_goes_takes_no_more_connections() {
    let (mut session, pair) = open();
    session.hear(&[control(7, 0), data(DATA, b"x", false)]);
    assert!(session.is_going());
    assert!(session.open(80).is_err());
    assert_eq!(session.read(pair, 100), Reading::Bytes("x".into()));
}

#[test]
fn who_asks_for_more_answers_than_he_reads_is_left() {
    let (mut session, _) = open();
    let mut ping = BytesMut::new();
    put_ping(&mut ping, 2);
    let pings = Bytes::from(ping.repeat(6_000));
    assert!(session.take(pings.clone()).is_err());
    // Who reads may ask for ever.
    let (mut session, _) = open();
    for part in pings.repeat(10).chunks(1200) {
        session.take(Bytes::copy_from_slice(part)).unwrap();
        assert_eq!(session.said().len(), 100);
    }
}

#[test]
fn what_nobody_reads_and_nobody_takes_is_bounded() {
    let (mut session, pair) = open();
    let piece = vec![b'x'; 1 << 16];
    let mut count = 0;
    while !session.is_full() {
        session.hear(&[data(DATA, &piece, false)]);
        count += 1;
    }
    assert_eq!(count, UNREAD_LIMIT / piece.len());
    assert!(matches!(session.read(pair, 1), Reading::Bytes(_)));
    assert!(!session.is_full());
    // What is told of a failure is cut, and holds up nobody.
    let (mut session, pair) = open();
    for _ in 0..100 {
        session.hear(&[data(ERROR, &piece, false)]);
    }
    session.hear(&[reset(DATA), reset(ERROR)]);
    let Reading::Failed(told) = session.read(pair, 1) else { panic!("no failure") };
    assert_eq!((told.len(), session.is_full()), (1 << 16, false));
    // What is to be sent has its limit, too.
    let (mut session, pair) = open();
    let written: usize =
        std::iter::from_fn(|| Some(session.write(pair, &piece)).filter(|taken| *taken > 0)).sum();
    assert_eq!(written, 128 << 10);
}

proptest! {
    #[test]
    fn nothing_that_arrives_brings_it_down(
        parts in proptest::collection::vec(
            prop_oneof![
                (0_u8..12, 0_u32..9).prop_map(|(kind, stream)| control(kind, stream)),
                (0_u32..9, any::<bool>()).prop_map(|(stream, last)| data(stream, b"text", last)),
                (0_u32..9).prop_map(reset),
                proptest::collection::vec(any::<u8>(), 0..20),
            ],
            0..40,
        ),
    ) {
        let (mut session, pair) = open();
        let input: usize = parts.iter().map(Vec::len).sum();
        for part in parts {
            if session.take(part.into()).is_err() {
                break;
            }
        }
        let mut read = 0;
        while let Reading::Bytes(bytes) = session.read(pair, 7) {
            prop_assert!((1..=7).contains(&bytes.len()));
            read += bytes.len();
        }
        prop_assert!(read <= input);
        session.give_up(pair);
        prop_assert!(session.streams.is_empty());
        prop_assert!(session.out.len() <= input + 100);
    }
}
