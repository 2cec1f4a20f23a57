//! Walks through everything that the client does, on the cluster at hand.
//!
//! `cargo run -p watchkeeper-connect --example tour`

mod story;

use watchkeeper_client::Result;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "an example tells what it did")]
async fn main() -> Result<()> {
    let client = watchkeeper_connect::connect().await?.user_agent("tour/1");
    for line in story::tour(&client).await?.lines() {
        println!("{line}");
    }
    Ok(())
}
