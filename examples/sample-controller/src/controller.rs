//! The controller: a Foo's Deployment exists, looks as it should, and is counted in the status.
//!
//! Upstream's sample-controller, with its weak points mended: a Foo without a name for its
//! Deployment is told so once, a renamed one leaves nothing behind, the status and the event are
//! written only when something changed, and an edit by hand is set back.

use std::time::Duration;

use watchkeeper::prelude::*;

use crate::foo::Foo;

/// The name that writes, events and logs carry.
pub const NAME: &str = "sample-controller";

/// Adds the controller to `manager`: with this many workers, and each Foo looked at again after
/// `resync` even if nothing changes (never where it is zero).
pub fn foo_controller(manager: &Manager, workers: usize, resync: Duration) {
    let foos = manager.watch::<Foo>();
    let deployments = manager.watch::<Deployment>();
    manager
        .controller(NAME, &foos)
        .owns(&deployments)
        .workers(workers)
        .with(FooController::new(foos, deployments, resync))
        .reconcile(FooController::reconcile);
}

/// What each reconcile is lent.
#[derive(Debug)]
pub struct FooController {
    foos: Watch<Foo>,
    deployments: Watch<Deployment>,
    resync: Duration,
}

impl FooController {
    /// Reads these copies, and looks again after `resync`, never where it is zero.
    #[must_use]
    pub const fn new(foos: Watch<Foo>, deployments: Watch<Deployment>, resync: Duration) -> Self {
        Self { foos, deployments, resync }
    }

    /// Brings one Foo's Deployment to where it should be.
    ///
    /// # Errors
    ///
    /// When the Deployment is somebody else's, or the server does not take a write.
    pub async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(foo) = self.foos.get(&request).await? else {
            tracing::debug!(foo = %request, "Foo referenced by item in work queue no longer exists");
            return Ok(Action::done());
        };
        if foo.is_deleting() {
            return Ok(Action::done());
        }
        let renamed = self.remove_renamed(&foo, &ctx).await?;
        if foo.spec.deployment_name.is_empty() {
            let message = "spec.deploymentName is empty: name the Deployment this Foo asks for";
            ctx.event(&foo, Warning, "DeploymentNameMissing", message);
            ctx.edit_status(&foo, |status| status.available_replicas = 0).await?;
            return Ok(Action::done());
        }
        let (deployment, changed) = self.deployment(&foo, &ctx).await?;
        let available = deployment.status.available_replicas;
        let counted = foo.status.available_replicas != available;
        ctx.edit_status(&foo, |status| status.available_replicas = available).await?;
        if renamed || changed || counted {
            ctx.event(&foo, Normal, "Synced", "Foo synced successfully");
        }
        Ok(if self.resync.is_zero() { Action::done() } else { Action::after(self.resync) })
    }

    /// Makes the Foo's Deployment or sets it right. Tells whether anything was written.
    async fn deployment(&self, foo: &Foo, ctx: &Context) -> Result<(Deployment, bool), Failure> {
        let wanted = deployment_for(foo);
        let Some(existing) = self.deployments.get(&wanted.key()).await? else {
            // Created, not applied: should somebody else have been faster, the answer is a
            // refusal, and the next look finds theirs.
            return Ok((ctx.create(&wanted).await?, true));
        };
        if !existing.is_controlled_by(foo) {
            let message = format!(
                "Resource \"{}\" already exists and is not managed by Foo",
                existing.name()
            );
            ctx.event(foo, Warning, "ErrResourceExists", &message);
            return Err(Failure::from(message));
        }
        let applied = ctx.apply(&wanted).await?;
        let changed = applied.spec != existing.spec;
        Ok((applied, changed))
    }

    /// Deletes what the Foo owned under a former name.
    async fn remove_renamed(&self, foo: &Foo, ctx: &Context) -> Result<bool, Failure> {
        let namespace = foo.namespace().unwrap_or_default();
        let mut removed = false;
        for deployment in self.deployments.list_in(namespace).await? {
            let ours = deployment.is_controlled_by(foo) && !deployment.is_deleting();
            if ours && deployment.name() != &*foo.spec.deployment_name {
                ctx.delete(&*deployment).await?;
                removed = true;
            }
        }
        Ok(removed)
    }
}

/// The Deployment that a Foo asks for.
fn deployment_for(foo: &Foo) -> Deployment {
    let labels = Map::from([("app", "nginx"), ("controller", foo.name())]);
    object!(Deployment {
        metadata: {
            name: &foo.spec.deployment_name,
            namespace: foo.namespace(),
            owner_references: [controlled_by(foo)],
        },
        spec: {
            replicas: foo.spec.replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
            },
        },
    })
}
