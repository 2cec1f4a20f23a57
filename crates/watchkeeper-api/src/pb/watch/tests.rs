use super::*;
use crate::core::v1::ConfigMap;
use crate::{object, pb};

#[test]
fn frames_are_the_same_however_the_bytes_arrive() {
    let config = object!(ConfigMap { metadata: { name: "a" } });
    let mut sent = event_to_frame("ADDED", &config);
    sent.extend(event_to_frame("BOOKMARK", &ConfigMap::default()));
    sent.extend(event_to_frame("DELETED", &config));
    for piece in 1..sent.len() {
        let (mut frames, mut seen) = (WatchFrames::default(), Vec::new());
        for chunk in sent.chunks(piece) {
            frames.push(chunk).expect("frames");
            while let Some(frame) = frames.frame().expect("frames") {
                let event = Event::open(frame).expect("an event");
                assert!(event.object.is("v1", "ConfigMap"));
                let object: ConfigMap = pb::Decoder::new().object_in(&event.object).expect("one");
                seen.push((event.type_.to_owned(), object.metadata.name.to_string()));
            }
        }
        let seen: Vec<_> = seen.iter().map(|(type_, name)| (&**type_, &**name)).collect();
        assert_eq!(seen, [("ADDED", "a"), ("BOOKMARK", ""), ("DELETED", "a")]);
        assert!(!frames.is_cut());
    }
}

#[test]
fn what_is_cut_or_too_long_is_told() {
    let sent = event_to_frame("ADDED", &ConfigMap::default());
    let mut frames = WatchFrames::default();
    frames.push(&sent[..9]).expect("a beginning");
    assert_eq!(frames.frame(), Ok(None));
    assert!(frames.is_cut());
    assert!(WatchFrames::default().push(b"\xff\xff\xff\xff").is_err());
    // JSON, where a proxy does not know better.
    assert!(WatchFrames::default().push(br#"{"type":"ADDED"}"#).is_err());
}

#[test]
fn an_error_is_told_at_its_byte_of_the_frame() {
    let frame = &mut event_to_frame("ADDED", &ConfigMap::default())[LENGTH..];
    let place = frame.windows(3).position(|part| part == b"k8s").expect("the magic");
    frame[place] = b'x';
    let error = Event::open(frame).unwrap_err();
    assert_eq!((error.path().as_str(), error.offset()), ("object", place));
    assert_eq!(Event::open(b"\x0a\x00").unwrap_err().message(), "the event has no object");
}
