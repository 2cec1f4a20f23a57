//! What is sent, made once: a frame of a watch for each pod and each change, in both codecs.

use crate::Outcome;
use bench_decode::pods::random::Random;
use bench_decode::pods::{self, LISTED, Set};
use std::ops::Range;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::meta::v1::{ObjectMeta, Status};
use watchkeeper_api::{Map, json, pb};

/// A frame of a watch, and where in it the object is that a list would hold.
pub struct Frame {
    pub bytes: Box<[u8]>,
    object: Range<usize>,
}

impl Frame {
    pub fn object(&self) -> &[u8] {
        &self.bytes[self.object.clone()]
    }
}

/// The frames of one codec.
#[derive(Default)]
pub struct Sent {
    /// Every pod as it is added.
    pub pods: Vec<Frame>,
    /// What says that these were all.
    pub end: Vec<u8>,
    /// What ends a watch whose version is forgotten.
    pub expired: Vec<u8>,
    /// Pods that change.
    pub changes: Vec<Frame>,
}

pub struct Frames {
    pub json: Sent,
    pub protobuf: Sent,
    /// The resourceVersion of the last change.
    pub last: u64,
}

impl Frames {
    pub fn make(set: Set, count: u64, changes: u64) -> Outcome<Self> {
        let [mut json, mut protobuf] = [Sent::default(), Sent::default()];
        let mut decoder = json::Decoder::new().keep_managed_fields(true);
        for index in 0..count {
            let text = pods::pod(set, 1, index);
            json.pods.push(in_json("ADDED", &text));
            protobuf.pods.push(in_protobuf("ADDED", &decoder.decode_str(&text)?)?);
        }
        let mut rounds = vec![0; count.try_into()?];
        let mut random = Random::new(1, count);
        for change in 0..changes {
            // In no order, as pods change in a cluster.
            let index = random.below(count);
            let round = &mut rounds[usize::try_from(index)?];
            *round += 1;
            let text = pods::changed(set, 1, index, *round, LISTED + 1 + change);
            json.changes.push(in_json("MODIFIED", &text));
            protobuf.changes.push(in_protobuf("MODIFIED", &decoder.decode_str(&text)?)?);
        }
        let end = bookmark();
        json.end =
            format!("{{\"type\":\"BOOKMARK\",\"object\":{}}}\n", json::to_string(&end)).into();
        protobuf.end = pb::event_to_frame("BOOKMARK", &end);
        let expired = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version","reason":"Expired","code":410}"#;
        json.expired = format!("{{\"type\":\"ERROR\",\"object\":{expired}}}\n").into();
        let expired: Status = decoder.decode_str(expired)?;
        protobuf.expired = pb::event_to_frame("ERROR", &expired);
        Ok(Self { json, protobuf, last: LISTED + changes })
    }

    pub fn of(&self, protobuf: bool) -> &Sent {
        if protobuf { &self.protobuf } else { &self.json }
    }
}

fn in_json(what: &str, pod: &str) -> Frame {
    let head = format!("{{\"type\":\"{what}\",\"object\":");
    let object = head.len()..head.len() + pod.len();
    Frame { bytes: format!("{head}{pod}}}\n").into_bytes().into(), object }
}

fn in_protobuf(what: &str, pod: &Pod) -> Outcome<Frame> {
    let bytes = pb::event_to_frame(what, pod);
    // Four bytes of length, then the event: the message in its envelope is at its end.
    let event = pb::Event::open(&bytes[4..])?;
    let message = event.object.message();
    let start = message.as_ptr() as usize - bytes.as_ptr() as usize;
    let object = start..start + message.len();
    Ok(Frame { bytes: bytes.into(), object })
}

/// What ends the present state in a watch that began with it.
fn bookmark() -> Pod {
    Pod {
        metadata: ObjectMeta {
            resource_version: LISTED.to_string().into(),
            annotations: Map::from([("k8s.io/initial-events-end", "true")]),
            ..ObjectMeta::default()
        },
        ..Pod::default()
    }
}
