use watchkeeper::api::conditions;
use watchkeeper::controller::{Finalizer, Life};
use watchkeeper::prelude::*;

use crate::site::Site;

pub fn site_controller(manager: &Manager) {
    let sites = manager.watch::<Site>();
    let deployments = manager.watch::<Deployment>();
    let listed = Finalizer::new("example.com/directory");

    manager
        .controller("site", &sites) // reconciles Sites
        .owns(&deployments) // … when their Deployments change, too
        .with((sites, listed)) // lent to every call
        .reconcile(async |(sites, listed), request, ctx| {
            let Some(site) = sites.get(&request).await? else { return Ok(Action::done()) };
            match listed.guard(&ctx, &site, unlist(&ctx, &site)).await? {
                Life::Going => return Ok(Action::done()),
                Life::Alive => list(&ctx, &site).await?,
            }
            let deployment = ctx.apply(&deployment_for(&site)).await?;
            report(&ctx, &site, &deployment).await?;
            Ok(Action::done())
        });
}

/// The Deployment that a Site asks for. It goes with its Site, as that owns it.
fn deployment_for(site: &Site) -> Deployment {
    let labels = Map::from([("site", site.name())]);
    object!(Deployment {
        metadata: {
            name: site.name(),
            namespace: site.namespace(),
            owner_references: [controlled_by(site)],
        },
        spec: {
            replicas: site.spec.replicas,
            selector: { match_labels: &labels },
            template: {
                metadata: { labels: &labels },
                spec: { containers: [{ name: "web", image: "nginx:1.29" }] },
            },
        },
    })
}

/// Writes what there is into the status, and tells when the Site becomes ready.
async fn report(ctx: &Context, site: &Site, deployment: &Deployment) -> Result<(), Failure> {
    let ready = deployment.status.ready_replicas;
    let (status, reason) =
        if ready == site.spec.replicas { ("True", "AllReady") } else { ("False", "Waits") };
    let edited = ctx.edit_status(site, |found| {
        let condition = object!(Condition {
            type_: "Ready",
            status: status,
            reason: reason,
            observed_generation: site.metadata.generation,
        });
        found.ready = ready;
        conditions::set(&mut found.conditions, condition, ctx.now());
    });
    edited.await?;
    if status == "True" && !conditions::is_true(&site.status.conditions, "Ready") {
        ctx.event(site, Normal, "Ready", format!("{} has {ready} servers", site.spec.host));
    }
    Ok(())
}

/// The directory lists the Sites of all namespaces, so none of them can own it.
fn directory() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "sites", namespace: "default" } })
}

fn entry(site: &Site) -> String {
    format!("{}.{}", site.namespace().unwrap_or_default(), site.name())
}

/// Puts the Site into the directory.
async fn list(ctx: &Context, site: &Site) -> Result<(), Failure> {
    let put = |map: &mut ConfigMap| drop(map.data.insert(entry(site), site.spec.host.as_str()));
    ctx.create_or_update(&directory(), put).await?;
    Ok(())
}

/// Takes the Site out of the directory.
async fn unlist(ctx: &Context, site: &Site) -> Result<(), Failure> {
    let take = |map: &mut ConfigMap| drop(map.data.remove(&entry(site)));
    ctx.create_or_update(&directory(), take).await?;
    Ok(())
}
