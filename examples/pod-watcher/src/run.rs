//! From the command line to a running controller.

use std::future::{Future, pending};

use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use watchkeeper::cluster::containers::NOTHING_RUNS;
use watchkeeper::cluster::{Cluster, Endpoint};
use watchkeeper::connection::{self, Config, Options};
use watchkeeper::manager::Stop;
use watchkeeper::prelude::*;

use crate::Outcome;
use crate::args::Args;
use crate::lab::{PodController, failure};
use crate::printer::Printer;
use crate::script;

/// The name that the requests carry.
pub const NAME: &str = "pod-watcher";
/// A pod that is supposed to have been there on the last run.
const REMEMBERED: &str = "mypod";

/// Runs the program until Ctrl-C or, with `--once`, until there is no more to see.
///
/// # Errors
///
/// One sentence: why it could not go on.
pub async fn run(args: &Args, printer: Printer) -> Outcome {
    let stop = signals::shutdown();
    if args.is_remote() {
        return remote(args, printer, stop).await;
    }
    let cluster = Cluster::builder().build();
    cluster.containers().banner(NOTHING_RUNS);
    let mut endpoint = Endpoint::bind(args.port).await.map_err(|error| {
        format!("{error}; choose another port with --port, or none for a free one")
    })?;
    // With --once nobody has the time to join in.
    if !args.once {
        let kubeconfig = endpoint.kubeconfig().map_err(|error| error.to_string())?;
        let namespace = &args.namespace;
        let kubectl = format!("kubectl --kubeconfig {} -n {namespace}", kubeconfig.display());
        printer.line(format_args!("# to join in: {kubectl} run mine --image nginx"));
    }
    let (over, until) = Stop::channel();
    let mut parts = JoinSet::new();
    let (actors, stopped) = (cluster.clone(), until.clone());
    parts.spawn(async move { actors.run(stopped.requested()).await });
    let (served, stopped) = (cluster.clone(), until.clone());
    parts.spawn(async move { endpoint.serve(&served, stopped.requested()).await });
    let outcome = tokio::select! {
        biased;
        Some(ended) = parts.join_next() => Err(early(ended)),
        outcome = embedded(args, &cluster, printer, stop) => outcome,
    };
    // In order, so that nobody tells of what others took away from them.
    over.stop();
    while parts.join_next().await.is_some() {}
    outcome
}

/// Why a part of the cluster ended that should not.
fn early(ended: Result<Result<(), watchkeeper::Error>, JoinError>) -> String {
    let why = match ended {
        Ok(Ok(())) => "nobody said why".to_owned(),
        Ok(Err(error)) => error.to_string(),
        Err(error) => failure(error),
    };
    format!("the embedded cluster ended early: {why}")
}

/// Watches the pods of a kubeconfig's cluster.
async fn remote(args: &Args, printer: Printer, stop: impl Future<Output = ()> + Send) -> Outcome {
    let options = Options {
        path: args.kubeconfig.clone(),
        context: args.context.clone(),
        master: args.master.clone(),
        ..Options::default()
    };
    let config = Config::from_kubeconfig(&options).map_err(|error| error.to_string())?;
    let client = connection::verified(config).await.map_err(|error| error.to_string())?;
    let client = client.user_agent(NAME);
    preflight(&client, &args.namespace).await?;
    let controller =
        PodController::new(&client, &args.namespace, printer, args.style).remembering(REMEMBERED);
    let enough = async {
        if args.once {
            controller.told_everything().await;
        } else {
            pending::<()>().await;
        }
    };
    controller.run(args.workers, either(stop, enough)).await
}

/// Asks for what the informer will need, so that what is missing is told at once.
async fn preflight(client: &Client, namespace: &str) -> Outcome {
    let pods = client.api::<Pod>().namespace(namespace);
    let one = watchkeeper::client::ListOptions::default().limit(1);
    pods.list(&one).await.map(drop).map_err(|error| {
        if error.is_forbidden() {
            format!("this user may not list pods: {error}; list and watch on pods are needed")
        } else {
            error.to_string()
        }
    })
}

/// Watches the pods of a cluster in this process, which follow a script.
///
/// # Errors
///
/// One sentence: why it could not go on.
pub async fn embedded(
    args: &Args,
    cluster: &Cluster,
    printer: Printer,
    stop: impl Future<Output = ()> + Send,
) -> Outcome {
    let goes = ObjectKey::new(&*args.namespace, script::GOES);
    let (told, seen) = watch::channel(Seen::Never);
    let client = cluster.client(NAME);
    let controller = PodController::new(&client, &args.namespace, printer.clone(), args.style)
        .remembering(REMEMBERED)
        .wrapped(|handler| {
            move |key, pod| {
                let outcome = handler(key, pod);
                if *key == goes {
                    told.send_replace(if pod.is_some() { Seen::There } else { Seen::Gone });
                }
                outcome
            }
        });
    let mut played = Ok(());
    let enough = async {
        controller.told_everything().await;
        let client = cluster.client("script").field_manager("script");
        let there = reached(seen.clone(), Seen::There);
        played = script::play(&client, &args.namespace, &printer, there).await;
        if played.is_ok() {
            reached(seen, Seen::Gone).await;
            if !args.once {
                pending::<()>().await;
            }
        }
    };
    controller.run(args.workers, either(stop, enough)).await?;
    played
}

/// What was told of the pod that goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Never,
    There,
    Gone,
}

/// Waits until so much was told.
async fn reached(mut seen: watch::Receiver<Seen>, wanted: Seen) {
    // The sender lives as long as the controller.
    drop(seen.wait_for(|seen| *seen >= wanted).await);
}

/// Waits for the first of the two.
async fn either(one: impl Future<Output = ()> + Send, other: impl Future<Output = ()> + Send) {
    tokio::select! {
        biased;
        () = one => {}
        () = other => {}
    }
}
