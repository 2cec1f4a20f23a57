//! Frames byte by byte.

use bytes::{Bytes, BytesMut};
use proptest::prelude::*;

use super::{CANCEL, Decoder, Encoder, Frame, put_data, put_ping, put_reset};

/// All frames in these bytes, which arrive so many at a time; parts of content are put together.
fn frames(bytes: &[u8], slice: usize) -> Result<Vec<Frame>, &'static str> {
    let mut decoder = Decoder::default();
    let mut frames: Vec<Frame> = Vec::new();
    for part in bytes.chunks(slice.max(1)) {
        let mut part = Bytes::copy_from_slice(part);
        while let Some(frame) = decoder.next(&mut part)? {
            match (frames.last_mut(), frame) {
                (
                    Some(Frame::Data { stream: old, bytes: begun, last: false }),
                    Frame::Data { stream, bytes, last },
                ) if *old == stream => {
                    let whole = [&begun[..], &bytes[..]].concat().into();
                    *frames.last_mut().unwrap() = Frame::Data { stream, bytes: whole, last };
                }
                (_, frame) => frames.push(frame),
            }
        }
        assert!(part.is_empty(), "all is taken");
        assert!(decoder.held.len() <= 8, "next to nothing is held");
    }
    Ok(frames)
}

fn control(kind: u16, flags: u8, content: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80, 3];
    frame.extend(kind.to_be_bytes());
    frame.extend((u32::from(flags) << 24 | content.len() as u32).to_be_bytes());
    frame.extend(content);
    frame
}

#[test]
fn a_stream_is_opened_as_servers_read_it() {
    let (mut out, mut encoder) = (BytesMut::new(), Encoder::default());
    encoder.open(&mut out, 1, &[("port", "80")]);
    let head = |length: usize| [0x80, 3, 0, 1, 0, 0, 0, 10 + length as u8];
    let stream = |id| [0, 0, 0, id, 0, 0, 0, 0, 0, 0];
    let block = *b"\0\0\0\x01\0\0\0\x04port\0\0\0\x0280";
    let stored = [&[0, 18, 0, !18, 0xff], &block[..], &[0, 0, 0, 0xff, 0xff]].concat();
    let begun = [&[0x78, 0x01], &stored[..]].concat();
    assert_eq!(&out[..], [&head(begun.len())[..], &stream(1), &begun].concat());
    // All header blocks are one zlib stream: the second has no beginning.
    let mut out = BytesMut::new();
    encoder.open(&mut out, 3, &[("port", "80")]);
    assert_eq!(&out[..], [&head(stored.len())[..], &stream(3), &stored].concat());
}

#[test]
fn the_beginning_of_the_zlib_stream_is_one() {
    // RFC 1950, 2.2: a multiple of 31, deflate, and no dictionary.
    assert_eq!(0x7801 % 31, 0);
    assert_eq!(0x7801 & 0x0f20, 0x0800);
}

#[test]
fn what_is_written_is_read() {
    let mut out = BytesMut::new();
    put_data(&mut out, 3, b"hello", false);
    put_data(&mut out, 3, b"", true);
    put_ping(&mut out, 2);
    put_reset(&mut out, 5, CANCEL);
    let data = |bytes: &'static [u8], last| Frame::Data { stream: 3, bytes: bytes.into(), last };
    let expected = [data(b"hello", true), Frame::Ping { id: 2 }, Frame::Reset { stream: 5 }];
    for slice in 1..=out.len() {
        assert_eq!(frames(&out, slice).unwrap(), expected, "in slices of {slice}");
    }
}

#[test]
fn frames_of_servers_are_read_however_they_are_sliced() {
    // Headers are passed over, here in a block of nonsense.
    let block = [0xaa; 300];
    let all = [
        control(2, 0, &[&[0, 0, 0, 1], &block[..]].concat()),
        control(2, 1, &[0, 0, 0, 3]),
        control(1, 0, &[&[0, 0, 0, 2, 0, 0, 0, 0, 0, 0], &block[..]].concat()),
        control(8, 0, &[&[0, 0, 0, 1], &block[..]].concat()),
        control(8, 1, &[&[0, 0, 0, 1], &block[..]].concat()),
        // Settings, a window, what was left out of SPDY/3.1, and what nobody knows.
        control(4, 0, &[0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 9]),
        control(4, 0, &[]),
        control(9, 0, &[0, 0, 0, 1, 0, 0, 0, 9]),
        control(5, 0, &[]),
        control(77, 0xff, &block),
        control(7, 0, &[0, 0, 0, 0, 0, 0, 0, 0]),
    ]
    .concat();
    let expected = [
        Frame::Reply { stream: 1, last: false },
        Frame::Reply { stream: 3, last: true },
        Frame::Opened { stream: 2 },
        Frame::Ended { stream: 1 },
        Frame::GoAway,
    ];
    for slice in 1..=all.len() {
        assert_eq!(frames(&all, slice).unwrap(), expected, "in slices of {slice}");
    }
}

#[test]
fn what_is_no_spdy_is_told() {
    let wrong = |bytes: &[u8]| frames(bytes, 3).unwrap_err();
    assert_eq!(wrong(&[0, 0, 0, 0, 0, 0, 0, 1, 9]), "content of no stream");
    assert_eq!(wrong(&[0x80, 2, 0, 6, 0, 0, 0, 4, 0, 0, 0, 2]), "another version of SPDY");
    assert_eq!(wrong(&[0x80, 3, 0, 2, 0, 0x10, 0, 1]), "a control frame that is too long");
    for (kind, length) in [(1, 7), (2, 3), (3, 7), (6, 3), (7, 0), (8, 2)] {
        let short = control(kind, 0, &vec![1; length]);
        assert_eq!(wrong(&short), "a control frame that is too short", "of kind {kind}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        slice in 1_usize..50,
    ) {
        // Frames that begin well are more likely to go on.
        let begun = control(2, 0, &bytes[..bytes.len().min(20)]);
        let _read = frames(&bytes, slice);
        prop_assert_eq!(frames(&begun, slice), frames(&begun, begun.len()));
    }
}
