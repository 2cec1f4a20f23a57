//! `watchkeeper serve`: a cluster for whoever wants to join in, with kubectl or otherwise.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tokio::runtime;
use tokio::sync::oneshot;
use watchkeeper_apiserver::hooks::AuditLines;
use watchkeeper_cluster::actors::{Actor, FakeNode, UnknownActor};
use watchkeeper_cluster::containers::NOTHING_RUNS;
use watchkeeper_cluster::{Authority, Builder, Cluster, Disk, Endpoint, Keeper, User};
use watchkeeper_manager::signals;

use self::audit::AuditFile;
use crate::Outcome;

mod audit;
mod snapshot;

/// The arguments of `watchkeeper serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The port to listen on [default: a free one]
    #[arg(long)]
    port: Option<u16>,
    /// The address to listen on; off loopback it takes --tls, and roles and bindings hold there
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Keep the cluster in this folder, and serve the one that is in it; in memory without it
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where to write the kubeconfig, which goes with the program; what others wrote there stays
    /// [default: a folder of its own below that of temporary files]
    #[arg(long, value_name = "FILE")]
    kubeconfig_out: Option<PathBuf>,
    #[command(flatten)]
    snapshots: snapshot::Snapshots,
    /// What makes it a cluster: `all`, `none`, or names with commas between them
    #[arg(long, value_name = "all|none|LIST", default_value = "all")]
    actors: Actors,
    /// How many nodes there are, which run nothing
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(..=i64::from(FakeNode::MOST)))]
    nodes: u16,
    /// Speak TLS, with a certificate authority that is made anew
    #[arg(long)]
    tls: bool,
    /// Write a line for each request to the end of this file, as an API server's audit log has them
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
}

/// The actors that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Actors(Vec<Actor>);

impl FromStr for Actors {
    type Err = String;

    fn from_str(text: &str) -> Outcome<Self> {
        let named = match text {
            "all" => Ok(Actor::ALL.to_vec()),
            "none" => Ok(Vec::new()),
            list => list.split(',').map(|name| name.trim().parse()).collect(),
        };
        named.map(Self).map_err(|error: UnknownActor| format!("{error}, and all, and none"))
    }
}

/// Serves until it is told to stop.
///
/// # Errors
/// What is asked for cannot be had, or what broke down.
pub(crate) fn run(args: &Args) -> Outcome {
    crate::log::begin()?;
    runtime()?.block_on(serve(args))
}

/// Of one thread: who asks waits for the one lock of a server anyway, and to be woken on another core takes longer than
/// most answers do.
pub(crate) fn runtime() -> Outcome<runtime::Runtime> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("the runtime does not start: {error}"))
}

async fn serve(args: &Args) -> Outcome {
    let shutdown = signals::shutdown();
    if !args.address.is_loopback() && !args.tls {
        return Err(format!("others can reach {}: it takes --tls as well", args.address));
    }
    let authority = args.tls.then(Authority::generate).transpose().map_err(text)?;
    let mut endpoint = endpoint(args, authority.as_ref()).await?;
    let (cluster, keeper) = cluster(args, authority.as_ref())?;
    if let Some(path) = &args.audit {
        cluster.server().add_hook(AuditLines::new(AuditFile::open(path)?));
    }
    cluster.containers().banner(NOTHING_RUNS);
    let kubeconfig = kubeconfig(args, &mut endpoint, &cluster)?;
    introduce(args, &endpoint.url(), &kubeconfig);

    // One after the other: who asks, who acts, and last who keeps what those wrote.
    let (stop, stopped) = oneshot::channel::<()>();
    let (end, ended) = oneshot::channel::<()>();
    let served = async {
        let outcome = endpoint.serve(&cluster, shutdown).await;
        drop(stop);
        outcome.map_err(text)
    };
    let acted = async {
        let outcome = cluster.run(async { drop(stopped.await) }).await;
        drop(end);
        outcome.map_err(text)
    };
    let kept = async {
        match keeper {
            Some(keeper) => {
                keeper.run(async { drop(ended.await) }).await.map_err(|e| e.to_string())
            }
            None => Ok(()),
        }
    };
    let ended = tokio::try_join!(served, acted, kept).map(|_| ());
    // However it ended: what there was is worth a look then, too.
    let exported = args.snapshots.end(&cluster);
    ended.and(exported)
}

/// The cluster, and who keeps it if somebody does.
fn cluster(args: &Args, authority: Option<&Authority>) -> Outcome<(Cluster, Option<Keeper<Disk>>)> {
    let builder = args.snapshots.begin(builder(args, authority))?;
    let Some(folder) = &args.data else { return Ok((builder.build(), None)) };
    let opened = builder.build_on(Disk::open(folder).map_err(text)?);
    let (cluster, keeper) = opened.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok((cluster, Some(keeper)))
}

async fn endpoint(args: &Args, authority: Option<&Authority>) -> Outcome<Endpoint> {
    let wanted = SocketAddr::from((args.address, args.port.unwrap_or_default()));
    let endpoint = Endpoint::bind_to(wanted).await.map_err(|error| {
        format!("{error}; choose another port with --port, or none for a free one")
    })?;
    match authority {
        Some(authority) => endpoint.tls(authority).map_err(text),
        None => Ok(endpoint),
    }
}

fn builder(args: &Args, authority: Option<&Authority>) -> Builder {
    let builder = Cluster::builder().nodes(args.nodes).actors(args.actors.0.iter().copied());
    let mut builder = builder.control_plane_maps();
    if let Some(authority) = authority {
        builder = builder.root_ca(authority.pem());
    }
    // On loopback whoever asks is the administrator, as the files of the machine are protection enough.
    if args.address.is_loopback() { builder } else { builder.rbac() }
}

fn kubeconfig(args: &Args, endpoint: &mut Endpoint, cluster: &Cluster) -> Outcome<PathBuf> {
    let admin = User::admin();
    match &args.kubeconfig_out {
        None => endpoint.kubeconfig_as(cluster, &admin).map_err(text),
        Some(path) => {
            endpoint.kubeconfig_at(path, cluster, &admin).map_err(text)?;
            Ok(path.clone())
        }
    }
}

#[expect(clippy::print_stdout, reason = "how to join in is what was asked for")]
fn introduce(args: &Args, url: &str, kubeconfig: &Path) {
    let nodes = if args.nodes == 1 { "1 node".to_owned() } else { format!("{} nodes", args.nodes) };
    let actors = if args.actors.0.is_empty() { ", no actors" } else { "" };
    println!("Kubernetes 1.36 at {url}, {nodes}{actors}, until Ctrl-C");
    println!("kubectl --kubeconfig {} get namespaces", kubeconfig.display());
}

fn text(error: watchkeeper_client::Error) -> String {
    error.to_string()
}
