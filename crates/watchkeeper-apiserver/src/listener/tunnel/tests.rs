//! What a client gets that reads late, speaks too long, or never reads.

use std::future::Future;

use tokio::io::{AsyncReadExt as _, DuplexStream, duplex};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::*;

/// How much a client leaves unread before who writes has to wait.
const ROOM: usize = 1 << 10;
const MUCH: usize = 8 << 10;

/// A client of some work.
fn client<F>(tasks: &mut JoinSet<()>, work: impl FnOnce(DuplexStream) -> F) -> DuplexStream
where
    F: Future<Output = ()> + Send + 'static,
{
    let (client, socket) = duplex(ROOM);
    tasks.spawn(carry(socket, Upgrade::to(work).take().expect("the stream")));
    client
}

/// Says much, and is done.
async fn much(mut stream: DuplexStream) {
    stream.write_all(&[7; MUCH]).await.expect("it is taken");
}

#[tokio::test(start_paused = true)]
async fn a_client_gets_all_that_was_said_although_it_still_speaks_itself() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, much);
    client.write_all(&[1; MUCH]).await.expect("somebody reads it");
    sleep(LINGER / 2).await;
    let mut told = Vec::new();
    client.read_to_end(&mut told).await.expect("all of it");
    assert_eq!(told, [7; MUCH]);
    drop(client);
    assert!(tasks.join_next().await.expect("the connection").is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_reads_is_let_go() {
    let mut tasks = JoinSet::new();
    let client = client(&mut tasks, much);
    let began = Instant::now();
    assert!(tasks.join_next().await.expect("the connection").is_ok());
    let after = began.elapsed();
    assert!((LINGER..LINGER * 2).contains(&after), "{after:?}");
    drop(client);
}

#[tokio::test(start_paused = true)]
async fn work_hears_that_its_client_has_ended() {
    let mut tasks = JoinSet::new();
    let mut client = client(&mut tasks, |mut stream| async move {
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).await.expect("an end");
        stream.write_all(&heard).await.expect("it is taken");
    });
    client.write_all(b"hello").await.expect("it is taken");
    client.shutdown().await.expect("an end");
    let mut told = Vec::new();
    client.read_to_end(&mut told).await.expect("an answer");
    assert_eq!(told, b"hello");
    assert!(tasks.join_next().await.expect("the connection").is_ok());
}
