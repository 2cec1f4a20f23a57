//! Webhooks of a program, asked over HTTPS by the cluster at hand, which has to reach this machine as `localhost`.
//!
//! `cargo run -p watchkeeper-manager --example webhooks`; with `--check` it fails where the
//! story differs from the one that the embedded server tells.

mod story;

use std::net::TcpListener;
use std::process::ExitCode;

use watchkeeper_client::{Error, Result};

const EXPECTED: &str = include_str!("expected.txt");

#[tokio::main]
#[expect(clippy::print_stderr, reason = "a program says why it ends")]
async fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    match walk().await {
        Ok(told) if check && told != EXPECTED => {
            eprintln!("the story differs from examples/webhooks/expected.txt");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "an example tells what it did")]
async fn walk() -> Result<String> {
    let client = watchkeeper_connect::connect().await?.user_agent("webhooks/1");
    let listener = TcpListener::bind("127.0.0.1:0");
    let listener =
        listener.map_err(|error| Error::other(format!("no port to be asked at: {error}")))?;
    let told = story::webhooks(&client, listener).await?;
    print!("{told}");
    Ok(told)
}
