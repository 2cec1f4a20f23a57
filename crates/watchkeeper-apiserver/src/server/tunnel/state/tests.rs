//! What a client says, and what comes of it: scripts of frames.

use proptest::prelude::*;

use super::*;
use crate::server::spdy::Decoder;
use crate::server::spdy::tests::opening;

/// A state, and a client that opens streams.
struct Script {
    state: State,
    decoder: Decoder,
    has_begun: bool,
    now: Instant,
}

const NOTHING: [Option<Happened>; 2] = [None, None];

impl Script {
    fn new() -> Self {
        let (state, decoder) = (State::default(), Decoder::default());
        Self { state, decoder, has_begun: false, now: Instant::now() }
    }

    fn open(&mut self, stream: u32, headers: &str, last: bool) -> [Option<Happened>; 2] {
        let headers: Vec<(&str, &str)> =
            headers.split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
        let mut bytes = opening(stream, &headers, !self.has_begun, last).into();
        self.has_begun = true;
        let frame = self.decoder.next(&mut bytes).expect("SPDY").expect("a frame");
        self.state.take(frame, self.now)
    }

    /// Opens both streams of a connection.
    fn connect(&mut self, error: u32, request: &str) -> Pair {
        let data = error + 2;
        let rest = format!("port=80 requestid={request}");
        assert_eq!(self.open(error, &format!("streamtype=error {rest}"), false), NOTHING);
        let pair = Pair { data, error, port: 80 };
        let [connected, None] = self.open(data, &format!("streamtype=data {rest}"), false) else {
            panic!("something else happened")
        };
        assert_eq!(connected, Some(Happened::Connected(pair)));
        self.answers();
        pair
    }

    fn said(&mut self, stream: u32, bytes: &'static str, last: bool) -> [Option<Happened>; 2] {
        self.state.take(Frame::Data { stream, bytes: bytes.into(), last }, self.now)
    }

    fn reset(&mut self, stream: u32) -> Option<Happened> {
        let [happened, None] = self.state.take(Frame::Reset { stream }, self.now) else {
            panic!("two things happened")
        };
        happened
    }

    fn answers(&mut self) -> Vec<u8> {
        self.state.answers().to_vec()
    }

    fn is_empty(&self) -> bool {
        self.state.streams.is_empty() && self.state.halves.is_empty()
    }
}

fn replied(streams: &[u32], is_first: bool) -> Vec<u8> {
    let (mut out, mut replies) = (BytesMut::new(), Replies::default());
    if !is_first {
        replies.put(&mut out, 1);
        out.clear();
    }
    for stream in streams {
        replies.put(&mut out, *stream);
    }
    out.to_vec()
}

fn reset(stream: u32, why: u32) -> Vec<u8> {
    let mut out = BytesMut::new();
    put_reset(&mut out, stream, why);
    out.to_vec()
}

fn told(stream: u32, text: &str, last: bool) -> Vec<u8> {
    let mut out = BytesMut::new();
    put_data(&mut out, stream, text.as_bytes(), last);
    out.to_vec()
}

#[test]
fn two_streams_of_a_request_are_a_connection() {
    let mut script = Script::new();
    assert_eq!(script.open(1, "streamtype=error port=80 requestid=7", false), NOTHING);
    // That of another one, in between, and the other way round.
    assert_eq!(script.open(3, "streamtype=data port=81 requestid=8", false), NOTHING);
    let connected = |data, error, port| Some(Happened::Connected(Pair { data, error, port }));
    let first = script.open(5, "streamtype=data port=80 requestid=7", false);
    assert_eq!(first, [connected(5, 1, 80), None]);
    let second = script.open(7, "streamtype=error port=81 requestid=8", false);
    assert_eq!(second, [connected(3, 7, 81), None]);
    assert_eq!(script.answers(), replied(&[1, 3, 5, 7], true));
    assert_eq!(script.state.deadline(), None);
    // The name may be used again.
    script.connect(9, "7");
}

#[test]
fn what_is_said_goes_to_its_port_until_all_is_said() {
    let mut script = Script::new();
    let pair = script.connect(1, "0");
    let said = |bytes: &'static str| Some(Happened::Said(pair.data, bytes.into()));
    let all = Some(Happened::SaidAll(pair.data));
    assert_eq!(script.said(pair.data, "one", false), [said("one"), None]);
    // Neither on the other stream nor on one that is none.
    assert_eq!(script.said(pair.error, "two", true), NOTHING);
    assert_eq!(script.said(99, "three", true), NOTHING);
    assert_eq!(script.said(pair.data, "", false), NOTHING);
    assert_eq!(script.said(pair.data, "four", true), [said("four"), all]);
    assert_eq!(script.said(pair.data, "five", true), NOTHING);
    assert_eq!(script.answers(), b"");
    script.state.ended(pair);
    assert!(script.is_empty());
    assert_eq!(script.said(pair.data, "six", false), NOTHING);
}

#[test]
fn all_may_be_said_before_there_is_a_connection() {
    for ends_at_once in [true, false] {
        let mut script = Script::new();
        let asked = "streamtype=data port=80 requestid=0";
        assert_eq!(script.open(1, asked, ends_at_once), NOTHING);
        if !ends_at_once {
            assert_eq!(script.said(1, "", true), NOTHING);
        }
        let happened = script.open(3, "streamtype=error port=80 requestid=0", true);
        let pair = Pair { data: 1, error: 3, port: 80 };
        assert_eq!(happened, [Some(Happened::Connected(pair)), Some(Happened::SaidAll(1))]);
    }
}

#[test]
fn content_before_there_is_a_connection_resets_its_stream() {
    let mut script = Script::new();
    assert_eq!(script.open(1, "streamtype=data port=80 requestid=0", false), NOTHING);
    assert_eq!(script.said(1, "early", false), NOTHING);
    let expected = [replied(&[1], true), reset(1, PROTOCOL_ERROR)].concat();
    assert_eq!(script.answers(), expected);
    assert!(script.is_empty());
    // Nobody listens to what is said on a stream of errors, nor to its end.
    assert_eq!(script.open(3, "streamtype=error port=80 requestid=0", false), NOTHING);
    assert_eq!(script.said(3, "early", true), NOTHING);
    assert_eq!(script.answers(), replied(&[3], false));
    let [connected, said_all] = script.open(5, "streamtype=data port=80 requestid=0", false);
    assert_eq!((connected.is_some(), said_all), (true, None));
}

#[test]
fn old_clients_do_not_name_their_requests() {
    let mut script = Script::new();
    assert_eq!(script.open(1, "streamtype=error port=80", false), NOTHING);
    let [connected, _] = script.open(3, "streamtype=data port=80", false);
    assert_eq!(connected, Some(Happened::Connected(Pair { data: 3, error: 1, port: 80 })));
    assert_eq!(script.open(4, "streamtype=data port=80", false), NOTHING);
}

#[test]
fn a_stream_that_makes_no_sense_is_reset() {
    let mut script = Script::new();
    for (at, headers) in [
        "streamtype=data requestid=0",
        "streamtype=data port= requestid=0",
        "streamtype=data port=0 requestid=0",
        "streamtype=data port=+80 requestid=0",
        "streamtype=data port=65536 requestid=0",
        "port=80 requestid=0",
        "streamtype=Data port=80 requestid=0",
    ]
    .iter()
    .enumerate()
    {
        let stream = 1 + 2 * u32::try_from(at).expect("few");
        assert_eq!(script.open(stream, headers, false), NOTHING);
        assert_eq!(script.answers(), reset(stream, CANCEL), "{headers}");
        assert!(script.is_empty());
    }
    let most = format!("streamtype=data port={} requestid=0", u16::MAX);
    assert_eq!(script.open(99, &most, false), NOTHING);
    assert_eq!(script.answers(), replied(&[99], true));
}

#[test]
fn numbers_of_streams_grow() {
    let mut script = Script::new();
    script.connect(5, "0");
    for stream in [7, 5, 1, 8] {
        assert_eq!(script.open(stream, "streamtype=error port=80 requestid=1", false), NOTHING);
        assert_eq!(script.answers(), reset(stream, PROTOCOL_ERROR));
    }
    script.connect(9, "0");
    let most = i32::MAX.unsigned_abs();
    assert_eq!(script.open(most, "streamtype=error port=80 requestid=1", false), NOTHING);
    assert_eq!(script.answers(), replied(&[most], false));
}

#[test]
fn a_second_stream_of_a_kind_is_told_to_the_first_and_refused() {
    let mut script = Script::new();
    assert_eq!(script.open(1, "streamtype=data port=80 requestid=a", false), NOTHING);
    assert_eq!(script.open(3, "streamtype=data port=80 requestid=a", false), NOTHING);
    assert_eq!(script.answers(), [replied(&[1], true), reset(3, CANCEL)].concat());
    assert_eq!(script.open(5, "streamtype=error port=80 requestid=b", false), NOTHING);
    assert_eq!(script.open(7, "streamtype=error port=80 requestid=b", false), NOTHING);
    let why = "error processing stream for request b: error stream already assigned";
    let expected = [replied(&[5], false), told(5, why, false), reset(7, CANCEL)].concat();
    assert_eq!(script.answers(), expected);
}

#[test]
fn there_are_no_more_streams_than_may_be() {
    let mut script = Script::new();
    let count = u32::try_from(MOST_STREAMS).expect("not too many");
    let pairs: Vec<Pair> =
        (0..count / 2).map(|at| script.connect(1 + 4 * at, &at.to_string())).collect();
    let next = 1 + 2 * count;
    assert_eq!(script.open(next, "streamtype=error port=80 requestid=x", false), NOTHING);
    assert_eq!(script.answers(), reset(next, REFUSED));
    script.state.ended(pairs[3]);
    script.connect(next + 2, "x");
}

#[test]
fn a_reset_tells_what_the_client_still_wants_to_hear() {
    for (first, happened, second) in [(3, Some(Happened::Deaf(3)), 1), (1, None, 3)] {
        let mut script = Script::new();
        let pair = script.connect(1, "0");
        assert_eq!(script.reset(first), happened);
        assert_eq!(script.reset(first), None);
        assert_eq!(script.reset(second), Some(Happened::Left(pair.data)));
        assert!(script.is_empty());
        assert_eq!(script.answers(), b"");
    }
    // Of a connection that waits for its other half.
    let mut script = Script::new();
    assert_eq!(script.open(1, "streamtype=error port=80 requestid=0", false), NOTHING);
    assert_eq!(script.open(3, "streamtype=data port=80 requestid=1", false), NOTHING);
    assert_eq!((script.reset(1), script.reset(3)), (None, None));
    assert!(script.is_empty());
}

#[test]
fn half_a_connection_is_given_up_in_time() {
    let mut script = Script::new();
    assert_eq!(script.open(1, "streamtype=error port=80 requestid=a", false), NOTHING);
    let began = script.now;
    script.now += PAIRED_WITHIN / 2;
    assert_eq!(script.open(3, "streamtype=data port=80 requestid=b", false), NOTHING);
    script.answers();
    assert_eq!(script.state.deadline(), Some(began + PAIRED_WITHIN));
    script.state.expire(began + PAIRED_WITHIN - Duration::from_nanos(1));
    assert_eq!(script.answers(), b"");
    script.state.expire(began + PAIRED_WITHIN);
    assert_eq!(script.answers(), told(1, "(request=a) timed out waiting for streams", true));
    assert_eq!(script.state.deadline(), Some(script.now + PAIRED_WITHIN));
    script.state.expire(script.now + PAIRED_WITHIN);
    assert_eq!(script.answers(), reset(3, CANCEL));
    assert!(script.is_empty());
}

#[test]
fn pings_of_the_client_are_sent_back_and_it_may_go() {
    let mut script = Script::new();
    for (id, answer) in [(1, true), (2, false), (0, false), (u32::MAX, true)] {
        assert_eq!(script.state.take(Frame::Ping { id }, script.now), NOTHING);
        let mut expected = BytesMut::new();
        if answer {
            put_ping(&mut expected, id);
        }
        assert_eq!(script.answers(), expected);
    }
    assert_eq!(script.state.take(Frame::GoAway, script.now), [Some(Happened::Over), None]);
}

/// What a client may do at a stream.
#[derive(Clone, Debug)]
enum Act {
    Open { kind: usize, request: u8, last: bool },
    Say { text: bool, last: bool },
    Reset,
    End,
    Wait,
}

fn acts() -> impl Strategy<Value = Vec<(u32, Act)>> {
    let act = prop_oneof![
        3 => (0..3_usize, 0..3_u8, any::<bool>())
            .prop_map(|(kind, request, last)| Act::Open { kind, request, last }),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(text, last)| Act::Say { text, last }),
        1 => Just(Act::Reset),
        1 => Just(Act::End),
        1 => Just(Act::Wait),
    ];
    proptest::collection::vec((1..12_u32, act), 0..60)
}

proptest! {
    /// A connection begins once and is left once, in between it hears what is said until all is, and nothing of a
    /// stream is kept that has gone.
    #[test]
    fn whatever_a_client_does_connections_begin_and_end_once(acts in acts()) {
        let (mut script, mut pairs, mut next) = (Script::new(), BTreeMap::new(), 1);
        for (stream, act) in acts {
            let happened = match act {
                Act::Open { kind, request, last } => {
                    let kind = ["data", "error", "none"][kind];
                    next += 2;
                    let asked = format!("streamtype={kind} port=80 requestid={request}");
                    script.open(next, &asked, last)
                }
                Act::Say { text, last } => script.said(stream, if text { "text" } else { "" }, last),
                Act::Reset => [script.reset(stream), None],
                Act::End => {
                    if let Some((pair, _)) = pairs.remove(&stream) {
                        script.state.ended(pair);
                    }
                    NOTHING
                }
                Act::Wait => {
                    script.now += PAIRED_WITHIN / 4;
                    script.state.expire(script.now);
                    NOTHING
                }
            };
            for happened in happened.into_iter().flatten() {
                match happened {
                    Happened::Connected(pair) => {
                        prop_assert!(pairs.insert(pair.data, (pair, false)).is_none());
                    }
                    Happened::Said(data, _) => prop_assert!(!pairs[&data].1),
                    Happened::SaidAll(data) | Happened::Deaf(data) => {
                        pairs.get_mut(&data).expect("a connection").1 = true;
                    }
                    Happened::Left(data) => prop_assert!(pairs.remove(&data).is_some()),
                    Happened::Over => prop_assert!(false, "nobody said so"),
                }
            }
            let waiting = script.state.halves.values();
            let waiting: usize =
                waiting.map(|half| usize::from(half.data.is_some()) + usize::from(half.error.is_some())).sum();
            prop_assert!(script.state.streams.len() <= waiting + 2 * pairs.len());
            prop_assert!(script.state.halves.len() <= waiting);
        }
        for (pair, _) in pairs.into_values() {
            script.state.ended(pair);
        }
        script.state.expire(script.now + PAIRED_WITHIN);
        prop_assert!(script.is_empty());
    }
}
