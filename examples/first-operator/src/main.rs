mod controller;
mod site;
#[cfg(test)]
mod tests;

use clap::Parser;
use watchkeeper::api::json;
use watchkeeper::manager::Flags;
use watchkeeper::prelude::*;

/// Keeps a Deployment for each Site.
#[derive(Parser)]
struct Args {
    /// Print the definition of a Site, and exit
    #[arg(long)]
    print_crd: bool,
    #[command(flatten)]
    flags: Flags,
}

#[tokio::main]
async fn main() -> watchkeeper::Result<()> {
    let args = Args::parse();
    if args.print_crd {
        println!("{}", json::to_string(&site::Site::crd()));
        return Ok(());
    }
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let client = args.flags.connect().await?.user_agent("first-operator");
    let manager = args.flags.manager(&client, "first-operator", Default::default());
    controller::site_controller(&manager);
    manager.run(signals::shutdown()).await
}
