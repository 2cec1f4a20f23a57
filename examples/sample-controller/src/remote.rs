//! The run on a real cluster.

use std::pin::pin;

use tokio::sync::watch;
use watchkeeper::connection::{self, Config, Options};
use watchkeeper::prelude::*;

use crate::args::Args;
use crate::controller::NAME;
use crate::embedded::{interrupted, requested};
use crate::foo::Foo;
use crate::manifest::Manifest;
use crate::problem::Problem;
use crate::run::{self, Convergence, Narrator};
use crate::setup;

/// Connects, looks whether everything is there, and runs the controller until Ctrl-C or, with
/// `--once`, convergence.
///
/// # Errors
///
/// One sentence: what is missing, and what to do.
pub async fn run(
    args: &Args,
    manifest: Option<&Manifest>,
    narrator: Narrator,
) -> Result<(), Problem> {
    let mut shutdown = pin!(signals::shutdown());
    let (client, foo) = tokio::select! {
        biased;
        () = &mut shutdown => return interrupted(args),
        ready = prepare(args, manifest, &narrator) => ready?,
    };
    let mut manager = Manager::new(&client);
    if let Some(election) = args.election() {
        manager = manager.leader_election(election);
    }
    run::controller(&manager, args);
    let _followed = narrator.follow(&manager.watch::<Foo>());
    let convergence = foo.map(|foo| Convergence::of(manager.watch::<Foo>(), foo.key()));
    let (stop, stopped) = watch::channel(false);
    let mut running = pin!(manager.run(async {
        tokio::select! {
            biased;
            () = shutdown => {}
            () = requested(stopped) => {}
        }
    }));
    let Some(mut convergence) = convergence.filter(|_| args.once) else {
        return Ok(running.await?);
    };
    let reached = tokio::select! {
        biased;
        ended = &mut running => {
            ended?;
            return interrupted(args);
        }
        reached = convergence.within(args.timeout) => reached,
    };
    if reached.is_ok() {
        narrator.tell("foo", &convergence.key().to_string(), "converged");
    }
    stop.send_replace(true);
    running.await?;
    reached
}

/// Connects, looks whether everything is there, and applies the Foo, if there is one.
async fn prepare(
    args: &Args,
    manifest: Option<&Manifest>,
    narrator: &Narrator,
) -> Result<(Client, Option<Foo>), Problem> {
    let options = Options {
        path: args.kubeconfig.clone(),
        context: args.context.clone(),
        master: args.master.clone(),
        ..Options::default()
    };
    let client = connection::verified(Config::from_kubeconfig(&options)?).await?;
    let client = client.user_agent(NAME).field_manager(NAME);
    let connected = match client.server_version().await {
        Ok(version) => format!("connected, Kubernetes {}", version.git_version),
        // Who may not read the version may still do his work.
        Err(_) => "connected".to_owned(),
    };
    narrator.tell("cluster", "", connected);
    if args.install_crd {
        setup::install_crd(&client).await?;
        narrator.tell("crd", setup::FOOS, "established");
    }
    setup::preflight(&client).await?;
    let Some(manifest) = manifest else { return Ok((client, None)) };
    Ok((client.clone(), Some(setup::apply_foo(&client, manifest).await?)))
}
