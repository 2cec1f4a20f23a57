//! What a job does to its pods.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Error, Object, Time};
use watchkeeper_client::{Patch, PatchOptions};
use watchkeeper_controller::{Context, EventType, Failure, slow_start};

use super::look::{End, Look, count};
use super::plan::{self, Step};
use super::pods::{self, TRACKING};
use super::template;
use crate::actors::replicaset::ready_since;

/// What came of one look.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// How many pods were made, how many active ones were asked to go, and how many of these were ready.
    pub(crate) made: i32,
    pub(crate) gone: i32,
    pub(crate) ready_gone: i32,
    /// Before then no further pod is made.
    pub(crate) wait: Option<Time>,
    /// How the job ends; only once all its pods were asked to go.
    pub(crate) end: Option<End>,
    /// Whether the number of pods was seen to.
    pub(crate) steered: bool,
    pub(crate) failure: Option<Failure>,
}

/// Adopts the pods that the job's selector finds, and holds them like its own; lets go of those that it
/// does not find any more.
pub(super) async fn claim(
    job: &Arc<Job>,
    selector: &Selector,
    nearby: Vec<Arc<Pod>>,
    ctx: &Context,
) -> Result<(), Failure> {
    let orphans = nearby.iter().filter(|pod| pod.controller().is_none());
    let orphans: BTreeSet<String> = orphans.map(|pod| pod.uid().to_owned()).collect();
    for pod in ctx.claim(job, selector, nearby).await? {
        if orphans.contains(pod.uid()) {
            ctx.add_finalizer(&pod, TRACKING).await?;
        }
    }
    Ok(())
}

/// Takes the next step: the end of a job that ends, else more or fewer pods.
pub(super) async fn act(look: &Look, now: Time, ctx: &Context) -> Done {
    let mut done = Done::default();
    if let Some(end) = &look.end {
        for pod in &look.active {
            done.remove(look, pod, ctx).await;
        }
        done.end = Some(end.clone()).filter(|_| done.failure.is_none());
        return done;
    }
    if !look.job.is_deleting() {
        done.steered = true;
        match plan::step(look, now) {
            Step::Rest => {}
            Step::Wait(until) => done.wait = Some(until),
            Step::Remove(pods) => {
                for pod in &pods {
                    match release(pod, ctx).await {
                        Ok(()) => done.remove(look, pod, ctx).await,
                        Err(failure) => done.failure = Some(failure),
                    }
                }
            }
            Step::Create(indexes) => done.create(look, &indexes, ctx).await,
        }
    }
    let active = count(look.active.len()) + done.made - done.gone;
    let enough = match look.job.spec.completions {
        None => look.succeeded > 0,
        Some(completions) => look.succeeded >= completions,
    };
    if enough && active == 0 {
        done.end = Some(End::complete());
        done.steered = false;
    }
    done
}

impl Done {
    async fn remove(&mut self, look: &Look, pod: &Arc<Pod>, ctx: &Context) {
        let job = &*look.job;
        match ctx.delete(&**pod).await {
            Ok(()) => {
                let message = format!("Deleted pod: {}", pod.name());
                ctx.event(job, EventType::Normal, "SuccessfulDelete", &message);
                self.gone += 1;
                self.ready_gone += i32::from(ready_since(pod).is_some());
            }
            Err(error) => {
                let message = format!("Error deleting: {error}");
                ctx.event(job, EventType::Warning, "FailedDelete", &message);
                self.failure = Some(error.into());
            }
        }
    }

    /// Makes pods, few at first: what refuses one may refuse them all.
    async fn create(&mut self, look: &Look, indexes: &[Option<u32>], ctx: &Context) {
        let job = &*look.job;
        let (made, ended) = slow_start(indexes.len(), |place| {
            let index = indexes[place];
            let replaced = index.and_then(|index| look.awaiting.get(&index));
            let pod = template::pod_of(job, index, replaced.map(|pod| &**pod));
            async move { tell_made(job, ctx.create(&pod).await, ctx) }
        })
        .await;
        self.made = count(made);
        match ended {
            Err(error) if error.cause("NamespaceTerminating").is_none() => {
                self.failure = Some(error.into());
            }
            _ => {}
        }
    }
}

fn tell_made(job: &Job, made: Result<Pod, Error>, ctx: &Context) -> Result<(), Error> {
    match &made {
        Ok(pod) => {
            let message = format!("Created pod: {}", pod.name());
            ctx.event(job, EventType::Normal, "SuccessfulCreate", &message);
        }
        Err(error) if error.cause("NamespaceTerminating").is_some() => {}
        Err(error) => {
            let message = format!("Error creating: {error}");
            ctx.event(job, EventType::Warning, "FailedCreate", &message);
        }
    }
    made.map(drop)
}

/// Takes the finalizer off a pod, whatever else was written to it meanwhile.
pub(super) async fn release(pod: &Pod, ctx: &Context) -> Result<(), Failure> {
    if !pods::is_tracked(pod) {
        return Ok(());
    }
    let patch = json!({"metadata": {
        "uid": pod.uid(),
        "$deleteFromPrimitiveList/finalizers": [TRACKING],
    }});
    let api = ctx.client().api_for(pod);
    match api.patch(pod.name(), &Patch::strategic(&patch), &PatchOptions::default()).await {
        // Another one of that name: this one is gone.
        Err(error) if !error.is_not_found() && !error.is_conflict() => Err(error.into()),
        _ => Ok(()),
    }
}
