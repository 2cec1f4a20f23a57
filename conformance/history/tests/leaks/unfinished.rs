//! Over sockets: servers that stop in the middle of what they say, say nothing at all, hang up, or are not there.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Phase, Subscription, Watch};
use watchkeeper_client::Client;

use crate::service::{Open, Stage};
use crate::sockets::{Connect, nothing_since, runtime, until};
use crate::usage::{Usage, left, left_at_last};

mod servers;

use servers::{End, Way, connect};

/// So long a wait is left in its middle.
const MOMENT: Duration = Duration::from_millis(5);

pub(crate) fn nothing_is_left_of_what_is_unfinished() {
    for end in End::ALL {
        for way in end.ways() {
            runtime().block_on(of_an_end(end, *way));
            runtime().block_on(of_a_forgotten_one(end, *way));
        }
    }
}

async fn of_an_end(end: End, way: Way) {
    let (open, mut serving) = (Open::default(), JoinSet::new());
    let connect = connect(end, way, &open, &mut serving).await;
    let left = left_at_last(|| round(end, way, &connect, &open)).await;
    assert!(left.is_nothing(), "{end:?}, {way:?}: {left:?}");
}

/// The control: of a copy that is forgotten all is left.
async fn of_a_forgotten_one(end: End, way: Way) {
    let (open, mut serving) = (Open::default(), JoinSet::new());
    let connect = connect(end, way, &open, &mut serving).await;
    let left =
        left(async || _ = Box::leak(Box::new(Unfinished::new(end, &connect, &open).await))).await;
    assert!(left.tasks > 0 && left.bytes > 64, "{end:?}, {way:?}: {left:?}");
    let is_connected = left.files > 0 || end.is_failure() || !cfg!(target_os = "linux");
    assert!(is_connected, "{end:?}, {way:?}: {left:?}");
}

/// A copy that does not come to its first list, and all that users hold of it.
struct Unfinished {
    handles: (Watch<ConfigMap>, Subscription),
    running: JoinSet<()>,
    held: (Cache, Client),
}

impl Unfinished {
    async fn new(end: End, connect: &Connect, open: &Open) -> Self {
        let (before, ever) = (open.count(), open.ever());
        let client = connect();
        let cache = Cache::new(&client);
        let maps = cache.watch::<ConfigMap>();
        let handler = maps.subscribe(|_| ());
        let mut running = JoinSet::new();
        let run = cache.clone();
        running.spawn(async move { run.run().await });
        let is_reached = || match end {
            End::Absent => maps.status().phase == Phase::BackingOff,
            // Some failures the client itself tries again, in a second.
            End::Closing | End::At(Stage::BackingOff) => {
                open.ever() > ever && open.count() == before
            }
            End::Silent | End::At(Stage::Asking) => open.count() > before,
            End::At(_) => maps.status().listed >= Some(2),
        };
        until("the server comes to its end", is_reached).await;
        assert!(timeout(MOMENT, maps.get(("default", "a"))).await.is_err(), "the reader waits");
        Self { handles: (maps, handler), running, held: (cache, client) }
    }
}

/// What is held is dropped, in two orders: each time the server is told, while the client goes on.
async fn round(end: End, way: Way, connect: &Connect, open: &Open) {
    // Who says nothing counts connections, and one of HTTP/2 goes with its client.
    let is_told = |open: &Open| open.count() == 0 || (end, way) == (End::Silent, Way::Gate);
    let before = Usage::now();
    let Unfinished { handles, running, held } = Unfinished::new(end, connect, open).await;
    drop(handles);
    until("the server is told", || is_told(open)).await;
    drop((running, held));
    nothing_since(before).await;
    let Unfinished { handles, running, held } = Unfinished::new(end, connect, open).await;
    drop(running);
    until("the server is told", || is_told(open)).await;
    drop((handles, held));
    nothing_since(before).await;
}
