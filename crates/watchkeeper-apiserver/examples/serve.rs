//! Serves an empty cluster on a loopback port until Ctrl-C: `cargo run --example serve -- 8001`.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use watchkeeper_apiserver::{ApiServer, Clock, listen, serve};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            #[expect(clippy::print_stderr, reason = "this is a program")]
            {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), String> {
    let port = std::env::args().nth(1).unwrap_or_else(|| "8001".to_owned());
    let port: u16 = port
        .parse()
        .map_err(|error: std::num::ParseIntError| format!("{port} is no port: {error}"))?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = listen(address)
        .map_err(|error| format!("cannot listen on {address}: {error}; name another port"))?;
    // The port 0 is any that is free.
    let address = listener.local_addr().map_err(|error| format!("{address}: {error}"))?;
    let server = ApiServer::builder().clock(Clock::System).build();
    #[expect(clippy::print_stdout, reason = "this is a program")]
    {
        println!("kubectl --server http://{address} get namespaces");
    }
    let interrupted = async {
        // Without a signal handler there is nothing to wait for but the end of the process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    serve(listener, server, interrupted).await.map_err(|error| format!("cannot accept: {error}"))
}
