//! Walks through the whole family of clients, on the cluster at hand.
//!
//! `cargo run -p watchkeeper-connect --example clients`; with `--check` it fails where the story differs from
//! the one that the embedded server tells; with `--json` nothing is asked for as protobuf. With `--containers`
//! the story is of two pods, which must be there.

mod containers;
mod story;

use std::process::ExitCode;

use watchkeeper_client::{Codec, Result};

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "a program says why it ends")]
async fn main() -> ExitCode {
    let check = has("--check");
    let (file, expected) = match has("--containers") {
        true => ("containers.txt", include_str!("containers.txt")),
        false => ("expected.txt", include_str!("expected.txt")),
    };
    match walk().await {
        Ok(told) if check && told != expected => {
            eprintln!("the story differs from examples/clients/{file}");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn has(flag: &str) -> bool {
    std::env::args().any(|argument| argument == flag)
}

#[expect(clippy::print_stdout, reason = "an example tells what it did")]
async fn walk() -> Result<String> {
    let codec = if has("--json") { Codec::Json } else { Codec::Protobuf };
    let client = watchkeeper_connect::connect().await?.user_agent("clients/1").codec(codec);
    let told = match has("--containers") {
        true => containers::containers(&client).await?,
        false => story::clients(&client).await?,
    };
    print!("{told}");
    Ok(told)
}
