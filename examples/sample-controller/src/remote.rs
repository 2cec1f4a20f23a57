//! The run on a real cluster.

use tokio::sync::watch;
use watchkeeper::connection::{Config, Options};
use watchkeeper::prelude::*;

use crate::args::Args;
use crate::controller::NAME;
use crate::embedded::{interrupted, requested};
use crate::foo::Foo;
use crate::problem::Problem;
use crate::run::{self, Convergence, Narrator};
use crate::setup;

/// Connects, looks whether everything is there, and runs the controller until Ctrl-C or, with
/// `--once`, convergence.
///
/// # Errors
///
/// One sentence: what is missing, and what to do.
pub async fn run(args: &Args, narrator: Narrator) -> Result<(), Problem> {
    let options = Options {
        path: args.kubeconfig.clone(),
        context: args.context.clone(),
        master: args.master.clone(),
    };
    let client = Config::from_kubeconfig(&options)?.client()?.user_agent(NAME).field_manager(NAME);
    let version = client.server_version().await?;
    narrator.tell("cluster", "", format!("connected, Kubernetes {}", version.git_version));
    if args.install_crd {
        setup::install_crd(&client).await?;
        narrator.tell("crd", "foos.samplecontroller.k8s.io", "established");
    }
    setup::preflight(&client).await?;
    let foo = match &args.foo {
        Some(file) => Some(setup::apply_foo(&client, Some(file)).await?),
        None if args.once => {
            return Err(Problem::new(
                "--once on a real cluster needs a Foo to wait for: add --foo FILE",
            ));
        }
        None => None,
    };
    let manager = Manager::new(&client);
    run::controller(&manager, args);
    let _followed = narrator.follow(&manager.watch::<Foo>());
    let convergence = foo.map(|foo| Convergence::of(manager.watch::<Foo>(), foo.key()));
    let (stop, stopped) = watch::channel(false);
    let mut running = std::pin::pin!(manager.run(async {
        tokio::select! {
            biased;
            () = signals::shutdown() => {}
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
