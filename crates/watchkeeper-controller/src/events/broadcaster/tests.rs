//! Who hears what, and that nobody waits.

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::object;

use super::*;
use crate::events::EventType::{Normal, Warning};
use crate::testing::Server;

fn pod(name: &str) -> Pod {
    object!(Pod { metadata: { name: name, namespace: "shop" } })
}

fn said(occurrences: &mut Occurrences) -> Vec<String> {
    occurrences.take().iter().map(ToString::to_string).collect()
}

/// what a test reads, with the object beside it.
#[test]
fn r_09_what_is_told_can_be_read_as_a_line() {
    let broadcaster = Broadcaster::new("test", RecorderOptions::default());
    let mut told = broadcaster.occurrences();
    let recorder = broadcaster.recorder();
    recorder.event(&pod("a"), Normal, "Synced", "all is well");
    let happened = Occurrence::of(&pod("b"), Warning, "Tired", "needs sleep").annotation("k", "v");
    recorder.record(happened.clone());
    let all = told.take();
    assert_eq!(all[0].to_string(), "Normal Synced all is well");
    assert_eq!(all[0].object().name, "a");
    assert_eq!(all[1], happened);
    assert!(told.take().is_empty());
}

/// a sink that is full, or gone, takes nothing from another one, and nobody waits.
#[tokio::test(start_paused = true)]
async fn r_01_each_who_hears_has_a_queue_of_a_thousand() {
    let server = Server::new(|_, _, _| Err("broken"));
    let broadcaster = Broadcaster::new("test", RecorderOptions::default());
    let recorder = broadcaster.recorder();
    let stuck = broadcaster.sink(&server.client());
    let mut log = broadcaster.occurrences();
    drop(broadcaster.occurrences());
    let mut late = None;
    for number in 0..1500 {
        recorder.event(&pod("a"), Normal, "Synced", format!("{number}"));
        if number == 999 {
            assert_eq!(said(&mut log).len(), 1000);
            late = Some(broadcaster.occurrences());
        }
    }
    assert_eq!(said(&mut log).first().map(String::as_str), Some("Normal Synced 1000"));
    assert_eq!(late.expect("made").take().len(), 500, "who comes later hears of what comes later");
    assert_eq!(format!("{recorder:?}"), "EventRecorder { queues: [0, 1000, 1000] }");
    drop(stuck);
    recorder.event(&pod("a"), Normal, "Synced", "once more");
    assert_eq!(said(&mut log), ["Normal Synced once more"]);
    assert_eq!(server.log(), [""; 0], "no sink ran");
}

#[tokio::test(start_paused = true)]
async fn who_hears_is_told_when_nobody_is_left_to_tell() {
    let broadcaster = Broadcaster::new("test", RecorderOptions::default());
    let (recorder, mut log) = (broadcaster.recorder(), broadcaster.occurrences());
    recorder.event(&pod("a"), Normal, "Synced", "all is well");
    drop((recorder, broadcaster));
    assert_eq!(log.next().await.map(|told| told.reason).as_deref(), Some("Synced"));
    assert_eq!(log.next().await, None);
}
