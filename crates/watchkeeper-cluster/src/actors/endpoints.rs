//! The endpoints actor: the addresses behind each service, in one object of the service's name.
//!
//! Upstream's endpoints controller (`core/v1`), which came before slices and is there still for those who read
//! nothing else. Addresses that have the same ports are together, those of pods that are not ready apart from the
//! others, and there are a thousand at most. The object goes with the service.

use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{Endpoints, Pod, Service};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_client::DeleteOptions;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use super::endpoint_slice::moments::{Moments, Seen};
use super::endpoint_slice::{has_pods, selects, services_of};
use super::unless_gone;

mod plan;
pub(super) mod subsets;

#[cfg(test)]
mod tests;

/// The annotation of those that are no addresses of a service, but say who leads.
const LEADER: &str = "control-plane.alpha.kubernetes.io/leader";

/// Adds the endpoints actor to `manager`.
pub fn endpoints(manager: &Manager) {
    let services = manager.watch::<Service>();
    let pods = manager.watch::<Pod>();
    let endpoints = manager.watch::<Endpoints>();
    let known = services.clone();
    manager
        .controller("endpoint-controller", &services)
        .watches(&pods, move |pod: &Pod| services_of(&known, pod))
        .watches(endpoints.when(matters), |endpoints: &Endpoints| [endpoints.key()])
        .workers(2)
        .with(Watches { services, pods, endpoints, moments: Moments::default() })
        .reconcile(Watches::reconcile);
}

/// Whether their service has to be looked at: they may be of one that went while nobody looked, or are gone
/// themselves. What others write meanwhile stays until something happens to the service or its pods.
fn matters(change: &Change<Endpoints>) -> bool {
    change.is_deleted() || (change.is_initial() && !says_who_leads(change.object()))
}

/// Whether they are the record of an election.
pub(super) fn says_who_leads(endpoints: &Endpoints) -> bool {
    endpoints.annotation(LEADER).is_some()
}

#[derive(Debug)]
struct Watches {
    services: Watch<Service>,
    pods: Watch<Pod>,
    endpoints: Watch<Endpoints>,
    moments: Moments,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(service) = self.services.get(&request).await? else {
            self.moments.forget(&request);
            return remove(&request, &ctx).await;
        };
        if !has_pods(&service) {
            return Ok(Action::done());
        }
        let current = self.endpoints.get(&request).await?;
        let pods = self.pods.peek_in(request.namespace()).into_iter();
        let pods: Vec<Arc<Pod>> = pods.filter(|pod| selects(&service, pod)).collect();
        let seen = Seen::of(&service, &pods);
        let moment = self.moments.first_new(&request, &seen);
        if let Some(wanted) = plan::plan(&service, &pods, current.as_deref(), moment) {
            write(current.as_deref(), &wanted, &ctx).await?;
        }
        // What could not be written is told with the next try.
        self.moments.keep(&request, seen);
        Ok(Action::done())
    }
}

/// Removes what has the name of a service that is gone, whoever made it and whether or not it has been seen yet.
async fn remove(request: &Request, ctx: &Context) -> Result<Action, Failure> {
    let api = ctx.client().api::<Endpoints>().namespace(request.namespace());
    unless_gone(api.delete(request.name(), &DeleteOptions::default()).await)?;
    Ok(Action::done())
}

async fn write(
    current: Option<&Endpoints>,
    wanted: &Endpoints,
    ctx: &Context,
) -> Result<(), Failure> {
    let (written, reason, what) = match current {
        None => {
            let made = ctx.create(wanted).await;
            (made.map(drop), "FailedToCreateEndpoint", "create endpoint for service")
        }
        Some(current) => {
            let edited = ctx.edit(current, |current: &mut Endpoints| *current = wanted.clone());
            (edited.await.map(drop), "FailedToUpdateEndpoint", "update endpoint")
        }
    };
    match written {
        Err(error) if error.cause("NamespaceTerminating").is_some() => Ok(()),
        Err(error) => {
            let message = format!("Failed to {what} {}: {error}", wanted.key());
            ctx.event(wanted, EventType::Warning, reason, message);
            Err(error.into())
        }
        Ok(()) => Ok(()),
    }
}
