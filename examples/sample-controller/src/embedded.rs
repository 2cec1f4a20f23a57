//! The run on a cluster inside this process.

use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use watchkeeper::api::apps::v1::ReplicaSet;
use watchkeeper::api::core::v1::Event;
use watchkeeper::cluster::containers::NOTHING_RUNS;
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::prelude::*;

use crate::args::Args;
use crate::controller::NAME;
use crate::foo::Foo;
use crate::manifest::Manifest;
use crate::problem::Problem;
use crate::run::{self, Convergence, Narrator};
use crate::setup;

/// Runs the cluster, the controller and the story until Ctrl-C or, with `--once`, convergence.
///
/// # Errors
///
/// One sentence: what failed, and what to do.
pub async fn run(args: &Args, manifest: &Manifest, narrator: Narrator) -> Result<(), Problem> {
    let shutdown = signals::shutdown();
    let mut endpoint = Endpoint::bind(args.port).await.map_err(|error| {
        Problem::new(format!("{error}; choose another port with --port, or none for a free one"))
    })?;
    let address = endpoint.address();
    // With --once nobody has the time to join in.
    let kubeconfig = if args.once { None } else { Some(endpoint.kubeconfig()?) };
    let cluster = Cluster::builder().build();
    cluster.containers().banner(NOTHING_RUNS);
    narrator.tell("cluster", "", format!("ready at http://{address}, Kubernetes 1.36, 1 node"));

    let (stop, stopped) = watch::channel(false);
    let mut parts: JoinSet<Result<(), Problem>> = JoinSet::new();
    let (served, until) = (cluster.clone(), requested(stopped.clone()));
    parts.spawn(async move { Ok(endpoint.serve(&served, until).await?) });
    let (actors, until) = (cluster.clone(), requested(stopped.clone()));
    parts.spawn(async move { Ok(actors.run(until).await?) });

    let client = cluster.client(NAME).field_manager(NAME);
    let (leave, left) = watch::channel(false);
    let told = {
        let mut told = pin!(tell(args, manifest, kubeconfig.as_deref(), &narrator, &client, left));
        let first = tokio::select! {
            biased;
            () = shutdown => None,
            Some(ended) = parts.join_next() => Some(Err(early(ended))),
            told = &mut told => Some(told),
        };
        leave.send_replace(true);
        match first {
            Some(told) => told,
            // The controller stops while its cluster still answers.
            None => told.await,
        }
    };
    narrator.tell("cluster", "", "stopping");
    stop.send_replace(true);
    while let Some(ended) = parts.join_next().await {
        ended.map_err(|error| Problem::new(format!("a part broke down: {error}")))??;
    }
    told
}

/// Sets the scene, runs the controller, and tells what happens.
async fn tell(
    args: &Args,
    manifest: &Manifest,
    kubeconfig: Option<&Path>,
    narrator: &Narrator,
    client: &Client,
    left: watch::Receiver<bool>,
) -> Result<(), Problem> {
    setup::install_crd(client).await?;
    narrator.tell("crd", setup::FOOS, "established");
    let foo = setup::apply_foo(client, manifest).await?;
    narrator.tell("foo", &foo.key().to_string(), "applied");

    let manager = Manager::new(client);
    run::controller(&manager, args);
    let _followed = (
        narrator.follow(&manager.watch::<Foo>()),
        narrator.follow(&manager.watch::<Deployment>()),
        narrator.follow(&manager.watch::<ReplicaSet>()),
        narrator.follow(&manager.watch::<Pod>()),
        narrator.follow(&manager.watch::<Event>()),
    );
    let mut convergence = Convergence::of(manager.watch::<Foo>(), foo.key());
    let (stop, stopped) = watch::channel(false);
    let mut running = pin!(manager.run(async {
        tokio::select! {
            biased;
            () = requested(left) => {}
            () = requested(stopped) => {}
        }
    }));
    let limit = if args.once { args.timeout } else { Duration::MAX };
    let reached = tokio::select! {
        biased;
        ended = &mut running => {
            ended?;
            return interrupted(args);
        }
        reached = convergence.within(limit) => reached,
    };
    if reached.is_ok() {
        narrator.tell("foo", &foo.key().to_string(), "converged");
    }
    match kubeconfig.map(Path::display) {
        Some(path) => {
            let line = format!("kubectl --kubeconfig {path} get foos,deploy,pods");
            narrator.tell("join in", "", line);
        }
        None => {
            stop.send_replace(true);
        }
    }
    running.await?;
    reached
}

/// What a stop before convergence means: with `--once` it was not waited for to its end.
pub(crate) fn interrupted(args: &Args) -> Result<(), Problem> {
    if args.once {
        return Err(Problem::new("interrupted before the Foo converged"));
    }
    Ok(())
}

/// Waits until a stop is asked for.
pub(crate) async fn requested(mut stopped: watch::Receiver<bool>) {
    // The sender being gone means that the run is over, too.
    let _over = stopped.wait_for(|stopped| *stopped).await;
}

fn early(ended: Result<Result<(), Problem>, tokio::task::JoinError>) -> Problem {
    match ended {
        Ok(Ok(())) => Problem::new("the cluster ended early"),
        Ok(Err(problem)) => problem,
        Err(error) => Problem::new(format!("the cluster broke down: {error}")),
    }
}
