//! Frames byte by byte, some of them as `moby/spdystream` wrote them.

use proptest::prelude::*;

use super::*;

/// What `moby/spdystream` 0.5.1 writes for two streams of a connection, with the dictionary.
const FIRST: &str = "800300010000003e0000000100000000000078f9e3c6a7c202253a060606ce2248fc6482d22da30138e59514a526e6420b17d65450d0430aea22709eb030b03000000000ffff";
const SECOND: &str =
    "80030001000000220000000300000000000002d1584a222e8417300c0295528958cc417300000000ffff";

fn bytes_of(hex: &str) -> Vec<u8> {
    let pair = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    (0..hex.len()).step_by(2).map(pair).collect()
}

/// A control frame.
pub(in crate::server) fn control(kind: u16, flags: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a short frame");
    let rest = (u32::from(flags) << 24 | length).to_be_bytes();
    [&[0x80, 3], &kind.to_be_bytes()[..], &rest, content].concat()
}

/// A block of headers before it is packed.
fn block(headers: &[(&str, &str)]) -> Vec<u8> {
    let number = |length: usize| u32::try_from(length).expect("a short text").to_be_bytes();
    let mut block = number(headers.len()).to_vec();
    for text in headers.iter().flat_map(|(name, value)| [name, value]) {
        block.extend(number(text.len()));
        block.extend(text.as_bytes());
    }
    block
}

/// A block that is stored; the first of a connection begins the zlib stream.
fn stored(block: &[u8], is_first: bool) -> Vec<u8> {
    let length = u16::try_from(block.len()).expect("a short block");
    let beginning = if is_first { &BEGINNING[..] } else { &[] };
    [beginning, &[0], &length.to_le_bytes(), &(!length).to_le_bytes(), block].concat()
}

/// What opens a stream.
pub(in crate::server) fn opening(
    stream: u32,
    headers: &[(&str, &str)],
    is_first: bool,
    last: bool,
) -> Vec<u8> {
    let content = [&stream.to_be_bytes()[..], &[0; 6], &stored(&block(headers), is_first)].concat();
    control(SYN_STREAM, u8::from(last), &content)
}

fn opened(stream: u32, headers: &[(&str, &str)], last: bool) -> Frame {
    let content = [&stream.to_be_bytes()[..], &[0; 6], &stored(&block(headers), true)].concat();
    let frame = Decoder::default().control(SYN_STREAM, u8::from(last), content.into());
    frame.expect("no error").expect("a frame")
}

/// All frames in these bytes, which come so many at a time; parts of content are put together.
fn frames(bytes: &[u8], slice: usize) -> Result<Vec<Frame>, &'static str> {
    let mut decoder = Decoder::default();
    let mut frames: Vec<Frame> = Vec::new();
    for part in bytes.chunks(slice) {
        let mut part = Bytes::copy_from_slice(part);
        while let Some(frame) = decoder.next(&mut part)? {
            match (frames.last_mut(), frame) {
                (
                    Some(Frame::Data { stream: old, bytes: begun, last: begun_last @ false }),
                    Frame::Data { stream, bytes, last },
                ) if *old == stream => {
                    *begun = [&begun[..], &bytes[..]].concat().into();
                    *begun_last = last;
                }
                (_, frame) => frames.push(frame),
            }
        }
        assert!(part.is_empty(), "all is taken");
    }
    Ok(frames)
}

#[test]
fn streams_are_opened_as_clients_of_go_open_them() {
    let all = [bytes_of(FIRST), bytes_of(SECOND)].concat();
    for slice in 1..=all.len() {
        let frames = frames(&all, slice).expect("two frames");
        let told: Vec<(u32, [&str; 4], bool)> = frames
            .iter()
            .map(|frame| {
                let Frame::Open { stream, headers, last } = frame else { panic!("{frame:?}") };
                let names = ["streamtype", "port", "requestid", "content-type"];
                (*stream, names.map(|name| headers.get(name)), *last)
            })
            .collect();
        let first = (1, ["error", "8080", "0", ""], false);
        assert_eq!(told, [first, (3, ["data", "8080", "0", "text/plain"], false)]);
    }
}

#[test]
fn frames_are_read_however_they_are_sliced() {
    let nothing = stored(&block(&[]), false);
    let all = [
        opening(1, &[("port", "80"), ("many", "one\0two")], true, true),
        // These say nothing, but are a part of what is packed.
        control(SYN_REPLY, 1, &[&[0, 0, 0, 1], &nothing[..]].concat()),
        control(HEADERS, 0, &[&[0, 0, 0, 1], &nothing[..]].concat()),
        control(HEADERS, 1, &[&[0, 0, 0, 1], &nothing[..]].concat()),
        // What is not heeded here.
        control(SETTINGS, 0, &[0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 9]),
        control(SETTINGS, 0, &[]),
        control(WINDOW_UPDATE, 0, &[0, 0, 0, 1, 0, 0, 0, 9]),
        opening(3, &[], false, false),
        vec![0, 0, 0, 3, 0, 0, 0, 5],
        b"hello".to_vec(),
        vec![0, 0, 0, 3, 1, 0, 0, 0],
        control(PING, 0, &[0, 0, 0, 1]),
        control(RST_STREAM, 0, &[0, 0, 0, 3, 0, 0, 0, 5]),
        control(GO_AWAY, 0, &[0; 8]),
    ]
    .concat();
    let data =
        |stream, bytes: &'static [u8]| Frame::Data { stream, bytes: bytes.into(), last: true };
    let expected = [
        opened(1, &[("port", "80"), ("many", "one\0two")], true),
        data(1, b""),
        opened(3, &[], false),
        data(3, b"hello"),
        Frame::Ping { id: 1 },
        Frame::Reset { stream: 3 },
        Frame::GoAway,
    ];
    let Frame::Open { headers, .. } = &expected[0] else { panic!("it opens a stream") };
    assert_eq!([headers.get("many"), headers.get("none")], ["one", ""]);
    for slice in 1..=all.len() {
        assert_eq!(frames(&all, slice).as_deref(), Ok(&expected[..]), "in slices of {slice}");
    }
}

#[test]
fn what_is_no_spdy_is_told() {
    let wrong = |bytes: &[u8]| frames(bytes, 3).expect_err("an error");
    assert_eq!(wrong(&[0, 0, 0, 0, 0, 0, 0, 1, 9]), "content of no stream");
    let other = [0x80, 2, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1];
    assert_eq!(wrong(&other), "another version of SPDY than 3");
    let long = [0x80, 3, 0, 1, 0, 0, 0x80, 1];
    assert_eq!(wrong(&long), "a control frame that is too long");
    for kind in [0, 5, 10, 77] {
        assert_eq!(wrong(&control(kind, 0, b"")), "a control frame of a kind that is none");
    }
    let length = "a control frame of another length than its kind has";
    for (kind, count) in [(1, 9), (2, 3), (3, 7), (3, 9), (6, 3), (6, 5), (7, 7), (7, 9), (8, 3)] {
        assert_eq!(wrong(&control(kind, 0, &vec![1; count])), length, "of kind {kind}");
    }
    for kind in [1, 2, 3, 8] {
        let content = if kind == 3 { vec![0; 8] } else { vec![0; 10] };
        assert_eq!(wrong(&control(kind, 0, &content)), "a stream without a number");
    }
}

/// What comes of a first block.
fn refused(packed: &[u8]) -> &'static str {
    let content = [&[0, 0, 0, 1, 0, 0, 0, 0, 0, 0], packed].concat();
    frames(&control(SYN_STREAM, 0, &content), 1 << 20).expect_err("an error")
}

#[test]
fn headers_that_make_no_sense_are_told() {
    let none = "headers that are no zlib stream";
    for packed in [&b""[..], b"\x78", b"\x78\x02", b"\x77\x05", b"\x78\xf9\xe3\xc6\xa7"] {
        assert_eq!(refused(packed), none, "{packed:x?}");
    }
    let other = "headers with another dictionary than that of SPDY/3";
    assert_eq!(refused(b"\x78\xf9\xe3\xc6\xa7\xc3\x00"), other);
    // A kind of block that is none; one that is the last; one of which the rest is missing.
    for deflated in [&b"\x78\x01\x07"[..], b"\x78\x01\x01\x04\x00\xfb\xff\x00\x00\x00\x00"] {
        assert_eq!(refused(deflated), "headers that cannot be unpacked");
    }
    assert_eq!(refused(&BEGINNING), "headers without a number of them");
    let said = |block: &[u8]| refused(&stored(block, true));
    assert_eq!(said(&[0, 0, 0, 101]), "too many headers");
    let mut whole = block(&[("port", "80")]);
    assert_eq!(said(&whole[..whole.len() - 1]), "headers that are too short");
    assert_eq!(said(&whole[..6]), "headers that are too short");
    whole.push(0);
    assert_eq!(said(&whole), "headers with something behind them");
    assert_eq!(said(&block(&[("Port", "80")])), "a header with capital letters");
    assert_eq!(said(&block(&[("a", "1"), ("a", "2")])), "a header that is there twice");
    assert_eq!(said(b"\0\0\0\x01\0\0\0\x01\xff\0\0\0\0"), "headers that are no text");
    let long = "x".repeat(16 << 10);
    assert_eq!(said(&block(&[("long", &long)])), "headers that are too long");
}

/// The same byte over and over, packed so that it is short.
#[test]
fn what_is_short_until_it_is_unpacked_is_refused_in_time() {
    let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 8 << 20], 9);
    assert!(bomb.len() < LONGEST, "{}", bomb.len());
    assert_eq!(refused(&bomb), "headers that are too long");
}

#[test]
fn as_many_headers_as_there_may_be_are_read() {
    let names: Vec<String> = (0..100).map(|at| format!("n{at}")).collect();
    let headers: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "v")).collect();
    let Frame::Open { headers, .. } = opened(1, &headers, false) else { panic!("no stream") };
    assert_eq!(headers.get("n99"), "v");
}

#[test]
fn blocks_may_be_longer_together_than_the_window() {
    let (mut packed, long) = (Vec::new(), "y".repeat(10_000));
    for at in 0..10 {
        packed.extend(opening(1 + 2 * at, &[("long", &long)], at == 0, false));
    }
    assert_eq!(frames(&packed, 1000).expect("ten streams").len(), 10);
}

#[test]
fn what_is_written_is_read_by_its_readers() {
    let (mut out, mut replies) = (BytesMut::new(), Replies::default());
    replies.put(&mut out, 1);
    replies.put(&mut out, 3);
    let reply = |stream: u8, beginning: &[u8]| {
        let no_headers = stored(&block(&[]), false);
        let content = [&[0, 0, 0, stream], beginning, &no_headers, &[0, 0, 0, 0xff, 0xff]].concat();
        control(SYN_REPLY, 0, &content)
    };
    assert_eq!(out[..], [reply(1, &BEGINNING), reply(3, &[])].concat());
    // RFC 1950, 2.2: a multiple of 31, deflate, and no dictionary.
    let beginning = u16::from_be_bytes(BEGINNING);
    assert_eq!((beginning % 31, beginning & 0x0f20), (0, 0x0800));
    let mut out = BytesMut::new();
    put_data(&mut out, 3, &[b'x'; 0x0102], false);
    assert_eq!(out[..8], [0, 0, 0, 3, 0, 0, 1, 2]);
    put_data(&mut out, 3, b"", true);
    put_ping(&mut out, 7);
    put_reset(&mut out, 5, CANCEL);
    let told = frames(&out, 10).expect("frames");
    let data = Frame::Data { stream: 3, bytes: vec![b'x'; 0x0102].into(), last: true };
    assert_eq!(told, [data, Frame::Ping { id: 7 }, Frame::Reset { stream: 5 }]);
    assert!(out.ends_with(&[0, 0, 0, 5, 0, 0, 0, 5]));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        kind in 0_u16..12,
        flags in 0_u8..4,
        slice in 1_usize..50,
    ) {
        let _read = frames(&bytes, slice);
        // What begins well is more likely to go on.
        let begun = control(kind, flags, &bytes);
        prop_assert_eq!(frames(&begun, slice), frames(&begun, begun.len()));
        let packed = [&BEGINNING[..], &bytes].concat();
        let content = [&[0, 0, 0, 1, 0, 0, 0, 0, 0, 0], &packed[..]].concat();
        let opened = control(SYN_STREAM, flags, &content);
        prop_assert_eq!(frames(&opened, slice), frames(&opened, opened.len()));
        let block = [&[0, 0, 0, 2], &bytes[..]].concat();
        let content = [&[0, 0, 0, 1, 0, 0, 0, 0, 0, 0], &stored(&block, true)[..]].concat();
        let _read = frames(&control(SYN_STREAM, flags, &content), slice);
    }
}
