//! Controllers that are held up, or end.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::Seen;
use crate::server::{self, Answer, client, map, maps, status};

/// Between two changes.
const PERIOD: Duration = Duration::from_secs(47);
const CHANGES: u32 = 20;

fn config() -> watcher::Config {
    watcher::Config::default()
}

/// All sources of a controller share one backoff.
pub async fn e_one_fails() -> Seen {
    let opened = Arc::new(Mutex::new(Instant::now()));
    let begin = Arc::clone(&opened);
    let (client, _) = client(move |request, count| match (request, count) {
        ("LIST configmaps", _) => maps(5, &[]),
        ("WATCH configmaps", 1) => {
            *begin.lock().expect("no panic") = Instant::now();
            let added = |n: u32| {
                let object = map(&format!("m{n}"), 10 + u64::from(n));
                (PERIOD * n, json!({ "type": "ADDED", "object": object }))
            };
            Answer::Watch { lines: (1..=CHANGES).map(added).collect(), stays_open: true }
        }
        ("WATCH configmaps", _) => server::silence(),
        _ => Answer::Json(403, status(403, "Forbidden")),
    });
    let (maps, secrets): (Api<ConfigMap>, Api<Secret>) =
        (Api::all(client.clone()), Api::all(client));
    let late = Arc::new(Mutex::new(Vec::new()));
    let run = Controller::new(maps, config()).owns(secrets, config()).run(
        move |map, late: Arc<Mutex<Vec<Duration>>>| {
            let opened = *opened.lock().expect("no panic");
            async move {
                let number = map.metadata.name.as_deref().unwrap_or_default()[1..].parse::<u32>();
                let changed = opened + PERIOD * number.expect("a number");
                late.lock().expect("no panic").push(changed.elapsed());
                Ok::<_, Infallible>(Action::await_change())
            }
        },
        |_, _, _| Action::await_change(),
        Arc::clone(&late),
    );
    drop(timeout(PERIOD * (CHANGES + 2), run.for_each(|_| std::future::ready(()))).await);
    let late = late.lock().expect("no panic");
    let latest = late.iter().max().copied().unwrap_or_default();
    let text = format!(
        "of {CHANGES} changes of the other {} are reconciled, the latest after {:.1} s",
        late.len(),
        latest.as_secs_f64()
    );
    Seen::new(latest > Duration::from_secs(1), text)
}

/// The end of a task is unwrapped.
pub async fn f_a_panic() -> Seen {
    let (client, _): (Client, _) = client(|request, _| match request {
        "LIST configmaps" => maps(5, &[map("a", 1), map("b", 2)]),
        _ => server::silence(),
    });
    let run = Controller::new(Api::<ConfigMap>::all(client), config()).run(
        |map, _| async move {
            assert!(map.metadata.name.as_deref() != Some("a"), "a bug in one reconcile");
            Ok::<_, Infallible>(Action::await_change())
        },
        |_, _, _| Action::await_change(),
        Arc::new(()),
    );
    let mut running = JoinSet::new();
    running.spawn(run.for_each(|_| std::future::ready(())));
    let ended = timeout(Duration::from_secs(60), running.join_next()).await;
    let has_panicked = matches!(ended, Ok(Some(Err(ref error))) if error.is_panic());
    let text = if has_panicked { "the controller ends with it" } else { "the controller goes on" };
    Seen::new(has_panicked, text.to_owned())
}
