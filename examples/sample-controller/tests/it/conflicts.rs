//! What reading one's own writes saves: conflicts of the sample, counted by the server's audit.

use std::future::pending;
use std::time::Duration;

use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use sample_controller::controller::{FooController, NAME};
use sample_controller::foo::Foo;
use sample_controller::setup;
use serde_json::json;
use tokio::time::sleep;
use watchkeeper::apiserver::hooks::{Audit, AuditEntry};
use watchkeeper::cache::Cache;
use watchkeeper::client::Body;
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

use crate::world::{EPOCH, World};

const FOOS: usize = 3;

/// How long a watch event is on its way. In the process it comes at once, from a real server it does not.
const LAG: Duration = Duration::from_millis(20);

/// The client, with watches that come later.
fn lagging(client: Client) -> Client {
    client.intercept(|request, next| async move {
        let is_watch = request.uri().query().is_some_and(|query| query.contains("watch="));
        let answer = next.send(request).await?;
        Ok(if is_watch { answer.map(late) } else { answer })
    })
}

fn late(body: Body) -> Body {
    let frames = stream::unfold(body, |mut body| async move {
        let frame = body.data().await.transpose()?;
        sleep(LAG).await;
        Some((frame.map(Frame::data), body))
    });
    Body::new(StreamBody::new(frames))
}

/// Which writes the copies know of that the sample reads.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    /// Its own, as those of a manager's client are.
    Own,
    /// None: what a read finds is as old as the watch is behind.
    None,
}

/// What the sample wrote, and how much of that was refused as conflicts.
#[derive(Debug, PartialEq)]
struct Counted {
    writes: usize,
    conflicts: usize,
}

impl Counted {
    fn by(audit: &Audit) -> Self {
        let entries = audit.entries();
        let is_write = |entry: &&AuditEntry| {
            let writes = ["create", "update", "patch", "delete"].contains(&&*entry.verb);
            entry.actor == NAME && entry.table != "events" && writes
        };
        let writes: Vec<_> = entries.iter().filter(is_write).collect();
        let conflicts = writes.iter().filter(|entry| entry.code == Some(409)).count();
        Self { writes: writes.len(), conflicts }
    }
}

/// Foos that come and change, at any moment of the rollouts before.
async fn story(world: &World) {
    for number in 0..FOOS {
        let name = format!("foo-{number}");
        world.foo(&name, &name, Some(1)).await;
    }
    for replicas in [3, 1, 2] {
        sleep(Duration::from_millis(1500)).await;
        for number in 0..FOOS {
            let change = json!({"spec": {"replicas": replicas}});
            world.patch::<Foo>(&format!("foo-{number}"), change).await;
        }
    }
    world.settled().await;
}

/// The writes of the sample through the story, and where it ended.
async fn counted(known: Known) -> (Counted, String) {
    let cluster = Cluster::builder().seed(1).clock(EPOCH).build();
    let (audit, client) = (Audit::default(), cluster.client("script").field_manager("script"));
    cluster.server().add_hook(audit.clone());
    let world = World { client, cluster };
    setup::install_crd(&world.client).await.expect("the CRD");
    let client = lagging(world.cluster.client(NAME));
    let cache = Cache::new(&client).seed(1);
    let client = match known {
        Known::Own => client.observed_by(cache.observer()),
        Known::None => client,
    };
    let (foos, deployments) = (cache.watch::<Foo>(), cache.watch::<Deployment>());
    let controller = Controller::new(&client, NAME, &foos)
        .owns(&deployments)
        .workers(2)
        .seed(1)
        .clock(world.cluster.clock())
        .with(FooController::new(foos.clone(), deployments, Duration::ZERO))
        .reconcile(FooController::reconcile);
    let told = async {
        story(&world).await;
        (Counted::by(&audit), world.picture().await)
    };
    tokio::select! {
        biased;
        told = told => told,
        ended = controller.run(pending()) => panic!("the controller ended: {ended:?}"),
        ended = world.cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
        () = cache.run() => panic!("the cache ended"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_sample_meets_nearly_no_conflict_where_it_reads_its_own_writes() {
    let (with, end) = counted(Known::Own).await;
    let (without, same_end) = counted(Known::None).await;
    assert_eq!(end, same_end);
    // Somebody else may write between a read and a write, so it need not be none; here nobody does.
    assert_eq!(with.conflicts, 0, "{with:?}");
    assert!(without.conflicts > 5, "{without:?}");
    assert!(with.writes < without.writes, "{with:?} with, {without:?} without");
}
