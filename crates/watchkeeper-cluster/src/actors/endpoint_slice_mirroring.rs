//! The mirroring actor: slices for addresses that somebody else gives a service.
//!
//! Upstream's controller for the mirroring of endpoint slices (`discovery.k8s.io/v1`): who reads slices alone finds
//! there what others write into the Endpoints of a service without a selector.

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{Endpoints, Service};
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_cache::{Change, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::image::Image;
use super::endpoint_slice::service_of;
use super::endpoints::says_who_leads;

mod image;
mod plan;

#[cfg(test)]
mod tests;

/// Who sees to mirrored slices, as their label says.
const US: &str = "endpointslicemirroring-controller.k8s.io";
/// The label of Endpoints that nobody is to mirror.
const SKIP: &str = "endpointslice.kubernetes.io/skip-mirror";

/// Adds the actor to `manager` that mirrors Endpoints in slices.
pub fn endpoint_slice_mirroring(manager: &Manager) {
    let endpoints = manager.watch::<Endpoints>();
    let services = manager.watch::<Service>();
    let slices = manager.watch::<EndpointSlice>();
    manager
        .controller("endpointslicemirroring-controller", &endpoints)
        .watches(services.when(matters), |service: &Service| [service.key()])
        .watches(&slices, |slice: &EndpointSlice| service_of(slice, US))
        .workers(2)
        .with(Watches { endpoints, services, slices })
        .reconcile(Watches::reconcile);
}

/// Whether the change of a service may change whether its Endpoints are mirrored.
fn matters(change: &Change<Service>) -> bool {
    let has_selector = |service: &Service| !service.spec.selector.is_empty();
    match change {
        Change::Updated { old, new } => has_selector(old) != has_selector(new),
        _ => !has_selector(change.object()),
    }
}

/// Whether these may be mirrored, if they are of a service whose pods nobody looks for.
fn may_be_mirrored(endpoints: &Endpoints) -> bool {
    endpoints.label(SKIP) != Some("true") && !says_who_leads(endpoints)
}

#[derive(Debug)]
struct Watches {
    endpoints: Watch<Endpoints>,
    services: Watch<Service>,
    slices: Watch<EndpointSlice>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let endpoints = self.endpoints.get(&request).await?;
        let service = self.services.get(&request).await?;
        self.slices.caught_up_in(request.namespace()).await?;
        let slices = self.slices.peek_in(request.namespace()).into_iter();
        let slices = slices.filter(|slice| service_of(slice, US).as_ref() == Some(&request.key));
        let slices: Vec<_> = slices.filter(|slice| !slice.is_deleting()).collect();
        let is_mirrored = service.is_some_and(|service| service.spec.selector.is_empty());
        match endpoints.filter(|endpoints| is_mirrored && may_be_mirrored(endpoints)) {
            Some(endpoints) => {
                let image = Image::of(&endpoints);
                tell(&endpoints, &image, &ctx);
                let changes = plan::plan(&endpoints, image.groups, &slices);
                changes.write(&*endpoints, &ctx).await?;
            }
            None => {
                for slice in &slices {
                    ctx.delete(slice).await?;
                }
            }
        }
        Ok(Action::done())
    }
}

/// Tells of addresses that are not mirrored.
fn tell(endpoints: &Endpoints, image: &Image, ctx: &Context) {
    let Image { invalid, skipped, .. } = image;
    if *invalid > 0 {
        let message =
            format!("Skipped {invalid} invalid IP addresses when mirroring to EndpointSlices");
        ctx.event(endpoints, EventType::Warning, "InvalidIPAddress", message);
    }
    if skipped > invalid {
        let most = image::MOST;
        let message = format!(
            "A max of {most} addresses can be mirrored to EndpointSlices per Endpoints subset. \
             {skipped} addresses were skipped"
        );
        ctx.event(endpoints, EventType::Warning, "TooManyAddressesToMirror", message);
    }
}
