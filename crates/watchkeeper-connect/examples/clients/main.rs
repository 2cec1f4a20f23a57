//! Walks through the whole family of clients, on the cluster at hand.
//!
//! `cargo run -p watchkeeper-connect --example clients`; with `--check` it fails where the story differs from
//! the one that the embedded server tells; with `--json` nothing is asked for as protobuf.

mod story;

use std::process::ExitCode;

use watchkeeper_client::{Codec, Result};

const EXPECTED: &str = include_str!("expected.txt");

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "a program says why it ends")]
async fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    match walk().await {
        Ok(told) if check && told != EXPECTED => {
            eprintln!("the story differs from examples/clients/expected.txt");
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
    let json = std::env::args().any(|argument| argument == "--json");
    let codec = if json { Codec::Json } else { Codec::Protobuf };
    let client = watchkeeper_connect::connect().await?.user_agent("clients/1").codec(codec);
    let told = story::clients(&client).await?;
    print!("{told}");
    Ok(told)
}
