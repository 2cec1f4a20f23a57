//! What a connection does, it does to events.

use std::sync::Arc;

use bytes::Bytes;
use watchkeeper_client::{Body, BoxError};

use super::{Endings, Stream};
use crate::faults::{Fault, Faults, Pace};
use crate::speech::Speech;

/// What the server sends, in blocks that end within events.
struct Blocks(Bytes);

const BLOCK: usize = 100;

impl http_body::Body for Blocks {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, BoxError>>> {
        let length = BLOCK.min(self.0.len());
        let block = self.0.split_to(length);
        std::task::Poll::Ready((length > 0).then(|| Ok(http_body::Frame::data(block))))
    }
}

#[tokio::test]
async fn of_blocks_that_end_within_events_whole_events_come_twice() {
    for speech in [Speech::Json, Speech::Protobuf] {
        let events: Vec<Bytes> = (1..40).map(|version| speech.bookmark(version)).collect();
        let sent = Bytes::from(events.concat());
        assert!(!events[0].len().is_multiple_of(BLOCK), "blocks end within events");
        let faults = Arc::new(Faults::new(1, Pace::Paused, None));
        let body = Body::new(Blocks(sent));
        let stream = Stream::new(body, faults, speech, Endings::OfWatch);
        let mut body = Body::new(Stream { manner: Some(Fault::Repeated), ending: None, ..stream });
        let mut came: Vec<Bytes> = Vec::new();
        while let Some(data) = body.data().await.expect("nothing breaks") {
            came.push(data);
        }
        let twice: Vec<Bytes> =
            events.iter().flat_map(|event| [event.clone(), event.clone()]).collect();
        assert_eq!(came, twice, "{speech:?}");
    }
}
