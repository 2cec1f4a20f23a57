//! A log as it comes: what is there, and for who follows what comes until the run ends.

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::stream;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_apiserver::containers::{Container, LogRequest, LogStream};
use watchkeeper_client::{Client, WatchEvent, WatchOptions};

use super::Logs;
use super::log::Reader;

/// A reader, and what it waits for.
struct Following {
    logs: Logs,
    id: String,
    reader: Reader,
    /// Ready when nothing more will be printed; none when that is so.
    end: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

pub(super) fn stream(logs: Logs, client: Client, asked: LogRequest) -> LogStream {
    let reader = Reader::new(&asked);
    let LogRequest { container, follow, .. } = asked;
    let id = container.id.clone();
    let end: Option<Pin<Box<dyn Future<Output = ()> + Send>>> = match follow {
        true => Some(Box::pin(ended(client, container))),
        false => None,
    };
    let following = Following { logs, id, reader, end };
    Box::pin(stream::unfold(following, Following::next))
}

impl Following {
    async fn next(mut self) -> Option<(Bytes, Self)> {
        let told = self.logs.printed.clone();
        loop {
            // What is printed from here on is not missed.
            let printed = told.notified();
            let text = self.read();
            if !text.is_empty() {
                return Some((text, self));
            }
            if self.reader.is_full() {
                return None;
            }
            let end = self.end.as_mut()?;
            tokio::select! {
                biased;
                () = printed => {}
                // What was printed before the end is read once more.
                () = end => self.end = None,
            }
        }
    }

    fn read(&mut self) -> Bytes {
        let logs = self.logs.lock();
        logs.get(&self.id).map_or_else(Bytes::new, |log| self.reader.read(log))
    }
}

/// Waits until a run is over: its pod says so, or is gone.
async fn ended(client: Client, run: Container) {
    let pods = client.api::<Pod>().namespace(&run.namespace);
    loop {
        let Ok(pod) = pods.get(&run.pod).await else { return };
        if !is_running(&pod, &run) {
            return;
        }
        let options = WatchOptions::since(pod.resource_version())
            .fields(format!("metadata.name={}", run.pod));
        let Ok(mut watch) = pods.watch_on(options) else { return };
        let over = watch.until(|event| {
            Ok(match event {
                WatchEvent::Added(pod) | WatchEvent::Modified(pod) => !is_running(pod, &run),
                WatchEvent::Deleted(_) => true,
                _ => false,
            })
        });
        if over.await.is_ok() {
            return;
        }
        // The version is forgotten, or the server is too busy: the pod is looked at anew.
    }
}

fn is_running(pod: &Pod, run: &Container) -> bool {
    let status = &pod.status;
    let mut all = status
        .container_statuses
        .iter()
        .chain(&status.init_container_statuses)
        .chain(&status.ephemeral_container_statuses);
    all.any(|one| *one.container_id == *run.id && one.state.running.is_some())
}
