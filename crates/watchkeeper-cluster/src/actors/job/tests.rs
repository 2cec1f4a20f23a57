//! What a job makes of its pods, without a server.

use std::sync::Arc;

use expect_test::{Expect, expect};
use watchkeeper_api::batch::v1::{Job, JobStatus};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object, Time};

use super::backoff::Backoff;
use super::indexes::Indexes;
use super::look::{End, Look, indexed};
use super::plan::{self, Step};
use super::pods::{self, FAILURES, INDEX, TRACKING};
use super::{template, track};

mod ends;
mod indexes;
mod steps;
mod tracking;

fn job(spec: &str) -> Job {
    let text = format!(
        r#"{{"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {{"name": "pi", "namespace": "default", "uid": "job"}},
            "spec": {{"template": {{"spec": {{"containers": [{{"name": "c"}}]}}}}, {spec}}},
            "status": {{"startTime": "1970-01-01T00:00:00Z"}}}}"#
    );
    watchkeeper_api::json::from_slice(text.as_bytes()).expect("a job")
}

/// A pod by its state: `name phase@seconds index/failures`, the parts after the name as they apply. Those that
/// are asked to go have a `-` before the phase, those that are counted a `!`.
fn pod(text: &str) -> Arc<Pod> {
    let mut words = text.split(' ');
    let mut pod = Pod::default();
    pod.metadata.name = words.next().unwrap_or_default().into();
    pod.metadata.namespace = "default".into();
    pod.metadata.uid = pod.metadata.name.clone();
    let mut state = words.next().unwrap_or("Running");
    if let Some(rest) = state.strip_prefix('-') {
        (state, pod.metadata.deletion_timestamp) = (rest, Some(Time::from_unix(0)));
    }
    match state.strip_prefix('!') {
        Some(rest) => state = rest,
        None => pod.metadata.finalizers.push(TRACKING.into()),
    }
    let (phase, ended) = state.split_once('@').unwrap_or((state, "0"));
    pod.status.phase = phase.into();
    let ended = ended.parse().expect("seconds");
    pod.metadata.creation_timestamp = Some(Time::from_unix(ended));
    if let Some(work) = words.next() {
        let (index, failures) = work.split_once('/').unwrap_or((work, "0"));
        pod.metadata.annotations.insert(INDEX, index);
        pod.metadata.annotations.insert(FAILURES, failures);
    }
    Arc::new(pod)
}

fn pods(texts: &[&str]) -> Vec<Arc<Pod>> {
    texts.iter().map(|text| pod(text)).collect()
}

fn look_at(job: Job, texts: &[&str], now: i64) -> Look {
    Look::at(Arc::new(job), pods(texts), Backoff::default(), Time::from_unix(now))
}

fn names(pods: &[Arc<Pod>]) -> String {
    pods.iter().map(|pod| pod.name()).collect::<Vec<_>>().join(" ")
}
