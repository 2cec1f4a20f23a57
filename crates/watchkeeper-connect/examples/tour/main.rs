//! Walks through everything that the client does, on the cluster at hand.
//!
//! `cargo run -p watchkeeper-connect --example tour`

mod story;

use std::process::ExitCode;

use watchkeeper_client::Result;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "a program says why it ends")]
async fn main() -> ExitCode {
    match walk().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "an example tells what it did")]
async fn walk() -> Result<()> {
    let client = watchkeeper_connect::connect().await?.user_agent("tour/1");
    for line in story::tour(&client).await?.lines() {
        println!("{line}");
    }
    Ok(())
}
