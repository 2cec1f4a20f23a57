//! Tunnels whose other end is gone: the API server, or the pod's node behind it.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{Instant, timeout};
use watchkeeper_api::Error;
use watchkeeper_client::{PortStream, Tunnel};

use super::{Heard, PING, Server, connected};

/// Waits on every side of a tunnel until each is told that it has ended, and gives what was told.
async fn ended(tunnel: &Tunnel, busy: &mut PortStream) -> Error {
    // Who waits to be connected is one of those who wait, too.
    let connecting = async { tunnel.connect(81).await.unwrap_err() };
    let copying = async {
        let mut piece = [0; 100];
        loop {
            if let Err(error) = busy.read_exact(&mut piece).await {
                return error;
            }
        }
    };
    let (closed, copied, connected) = tokio::join!(tunnel.closed(), copying, connecting);
    assert_eq!(copied.to_string(), closed.to_string());
    assert_eq!(connected.to_string(), closed.to_string());
    assert!(tunnel.is_closed());
    let written = busy.write_all(b"late").await.unwrap_err();
    assert_eq!(written.to_string(), closed.to_string());
    closed
}

/// Answers pings of the WebSocket for so long, and those in the tunnel for another while.
async fn answering(server: &mut Server, node: Duration) {
    let begun = Instant::now();
    loop {
        match server.next().await {
            Heard::Ping(id) if begun.elapsed() < node => server.control(PING, id).await,
            _ => server.ws.flush().await.unwrap(),
        }
    }
}

const MINUTE: Duration = Duration::from_secs(60);

/// An API server whose node is gone: it takes all that is said, answers pings, and says nothing of it.
async fn without_a_node(server: &mut Server) {
    answering(server, Duration::ZERO).await;
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_closes_when_it_hears_something_soon_does() {
    // As kube-apiserver does: what was read last holds the lock that closing waits for.
    let (tunnel, mut server, mut stream, _) = connected().await;
    let begun = Instant::now();
    let serving = async {
        while let Some(Ok(message)) = server.ws.next().await {
            if message.is_binary() {
                return server.ws.close(None).await.unwrap();
            }
            server.ws.flush().await.unwrap();
        }
        panic!("the client ended it");
    };
    let mut piece = [0];
    let (error, read, ()) = tokio::join!(tunnel.closed(), stream.read(&mut piece), serving);
    assert_eq!(error.to_string(), "portforward pods a/x: the server ended the tunnel");
    assert_eq!(read.unwrap_err().to_string(), error.to_string());
    assert_eq!(begun.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_falls_silent_ends_the_tunnel() {
    let (tunnel, mut server, mut stream, _) = connected().await;
    let begun = Instant::now();
    let error = tokio::select! {
        biased;
        told = tunnel.closed() => told,
        read = stream.read_u8() => panic!("{read:?}"),
        () = answering(&mut server, 5 * MINUTE) => unreachable!(),
    };
    assert!(error.is_timeout(), "{error}");
    // The last that was answered was asked for five seconds before, or just then.
    let lasted = begun.elapsed().as_secs();
    assert!((356..=361).contains(&lasted), "{lasted}");
    assert_eq!(stream.read_u8().await.unwrap_err().to_string(), error.to_string());
    assert_eq!(stream.write_all(b"x").await.unwrap_err().to_string(), error.to_string());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_never_answered_is_waited_for() {
    let (tunnel, mut server, _stream, _) = connected().await;
    let watching = timeout(20 * MINUTE, tunnel.closed());
    tokio::select! {
        biased;
        told = watching => assert!(told.is_err(), "{told:?}"),
        () = without_a_node(&mut server) => unreachable!(),
    }
    assert!(!tunnel.is_closed());
}

#[tokio::test(start_paused = true)]
async fn a_node_whose_program_may_not_read_is_waited_for() {
    let (tunnel, mut server, mut stream, (_, data)) = connected().await;
    let serving = async {
        let Heard::Ping(id) = server.next().await else { panic!("no ping") };
        server.control(PING, id).await;
        // From here on all it hears waits there.
        let mut count = 0;
        loop {
            match server.next().await {
                Heard::Ping(_) => count += 1,
                heard => assert_eq!(heard, Heard::Data(data, b"hello".to_vec(), false)),
            }
            // Each takes a place there: they are few.
            assert!(count <= 8, "{count}");
        }
    };
    let watching = async {
        let wait = timeout(Duration::from_secs(6), tunnel.closed()).await;
        assert!(wait.is_err(), "{wait:?}");
        stream.write_all(b"hello").await.unwrap();
        timeout(20 * MINUTE, tunnel.closed()).await
    };
    tokio::select! {
        biased;
        told = watching => assert!(told.is_err(), "{told:?}"),
        () = serving => unreachable!(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_ends_all_at_once() {
    let (tunnel, server, mut stream, _) = connected().await;
    let begun = Instant::now();
    // Without a word, in the middle of what each of them waits for.
    let vanishing = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(server);
    };
    let (error, ()) = tokio::join!(ended(&tunnel, &mut stream), vanishing);
    assert!(error.is_transport(), "{error}");
    assert_eq!(begun.elapsed().as_secs(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_api_server_that_says_nothing_any_more_is_left() {
    let (tunnel, server, mut stream, _) = connected().await;
    let begun = Instant::now();
    let mut piece = [0];
    let (error, read) = tokio::join!(tunnel.closed(), stream.read(&mut piece));
    assert!(error.is_timeout(), "{error}");
    assert_eq!(read.unwrap_err().to_string(), error.to_string());
    assert_eq!(begun.elapsed().as_secs(), 61);
    drop(server);
}
