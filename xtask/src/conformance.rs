//! `cargo xtask conformance`: our code beside programs that we did not write.

use clap::Subcommand;

use crate::{Outcome, real};

mod access;
mod cases;
mod clients;
mod controller_manager;
pub(crate) mod crds;
mod crowds;
mod derive;
pub(crate) mod envtest;
pub(crate) mod generated;
pub(crate) mod helm;
mod http;
pub(crate) mod kill;
mod kube_rs;
pub(crate) mod kubectl;
pub(crate) mod leaders;
mod node;
mod page;
mod protobuf;
mod proxy;
mod served;
mod serving;
pub(crate) mod streams;
mod webhooks;

/// The arguments of `cargo xtask conformance`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Who may do what, and the default roles, on a real kube-apiserver beside the embedded one
    Access(access::Args),
    /// Webhooks, policies and plugins, on a real kube-apiserver beside the embedded one
    Admission(cases::Args),
    /// The real kube-controller-manager on the embedded server
    ControllerManager(controller_manager::Args),
    /// Definitions of other projects, or made up, to types, and objects through them and back
    Crds(crds::Args),
    /// More than anybody should ask of a served cluster, over real connections: bounded memory, others served
    Crowds(crowds::Args),
    /// A kind that uses every option of the derive, on the real kube-apiserver
    Derive(derive::Args),
    /// A Go suite on controller-runtime's envtest, on the real programs and on ours
    Envtest(envtest::Args),
    /// Evictions and disruption budgets, on a real kube-apiserver beside the embedded one
    Eviction(cases::Args),
    /// Objects, patches, schemas and selectors made up by a seed, on a real kube-apiserver beside the embedded one
    Generated(generated::Args),
    /// helm with a chart of our own, on the embedded server and on a real one
    Helm(helm::Args),
    /// A served cluster that is kept on a disk, killed at random moments: what was acknowledged is there
    Kill(kill::Args),
    /// kube-rs: the defects that docs/parity/cache.md tells of, and what it sees of the embedded server and a real one
    KubeRs(kube_rs::Args),
    /// What is typed after kubectl, on a real kube-apiserver beside the embedded one
    Kubectl(kubectl::Args),
    /// Leaders that are killed and paused, ours and client-go's, on a real kube-apiserver: no two work at once
    Leaders(leaders::Args),
    /// What is forgotten: pages, lists and watches from before, on a real kube-apiserver beside the embedded one
    Past(cases::Args),
    /// The part of docs/api-server.md that tells what is answered and what deviates
    Page(page::Args),
    /// Every kind from JSON through our protobuf to Go and back
    Protobuf(protobuf::Args),
    /// Lists that have one merge key twice, on a real kube-apiserver beside the embedded one
    Repeats(cases::Args),
    /// Requests for each statement about the server, on a real kube-apiserver beside the embedded one
    Requests(cases::Args),
    /// Rules in CEL, on a real kube-apiserver beside the embedded one
    Rules(cases::Args),
    /// Lists and watches of a part of the objects, on a real kube-apiserver beside the embedded one
    Shards(cases::Args),
    /// Several versions of a kind, on a real kube-apiserver beside the embedded one
    Versions(cases::Args),
    /// The family of clients on a real kube-apiserver, beside the embedded one
    Clients(clients::Args),
    /// The rows and columns of every kind, on a real kube-apiserver beside the embedded one
    Tables(cases::Args),
    /// Exec, attach, logs and port-forward on a real kube-apiserver, with upstream's streaming server behind it
    Streams(streams::Args),
    /// A program's webhooks and conversions, asked over HTTPS by a real kube-apiserver
    Webhooks(webhooks::Args),
}

/// Runs the comparison.
///
/// # Errors
/// One sentence: what failed, or how much differs.
pub(crate) fn run(args: &Args) -> Outcome {
    match &args.what {
        What::Access(args) => access::run(args),
        What::Admission(args) => cases::run(&cases::ADMISSION, args),
        What::ControllerManager(args) => controller_manager::run(args),
        What::Crds(args) => crds::run(args),
        What::Crowds(args) => crowds::run(args),
        What::Derive(args) => derive::run(args),
        What::Envtest(args) => envtest::run(args),
        What::Eviction(args) => cases::run(&cases::EVICTION, args),
        What::Generated(args) => generated::run(args),
        What::Helm(args) => helm::run(args),
        What::Kill(args) => kill::run(args),
        What::KubeRs(args) => kube_rs::run(args),
        What::Kubectl(args) => kubectl::run(args),
        What::Leaders(args) => leaders::run(args),
        What::Page(args) => page::run(args),
        What::Protobuf(args) => protobuf::run(args),
        What::Past(args) => cases::run(&cases::PAST, args),
        What::Repeats(args) => cases::run(&cases::REPEATS, args),
        What::Requests(args) => cases::run(&cases::REQUESTS, args),
        What::Shards(args) => cases::run(&cases::SHARDS, args),
        What::Rules(args) => cases::run(&cases::RULES, args),
        What::Versions(args) => cases::run(&cases::VERSIONS, args),
        What::Tables(args) => cases::run(&cases::TABLES, args),
        What::Clients(args) => clients::run(args),
        What::Streams(args) => streams::run(args),
        What::Webhooks(args) => webhooks::run(args),
    }
}

/// `cargo xtask conformance clients`, for the long checks.
///
/// # Errors
/// As [`run`].
pub(crate) fn clients(cache: &real::Cache) -> Outcome {
    clients::run(&clients::Args::of(cache.clone()))
}
