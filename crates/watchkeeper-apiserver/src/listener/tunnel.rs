//! A connection that stops to be HTTP, from the socket to who works at its other end.

#[cfg(test)]
mod tests;

use std::io;
use std::pin::pin;
use std::time::Duration;

use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, copy, sink, split};

use crate::server::{Upgrade, Upgraded};

/// How long a client may take, once the work has ended, for what it was told last and to end the connection.
/// Less than a buffer waits for it; one that reads on a slow line shall have it, too.
const LINGER: Duration = Duration::from_secs(30);

/// Carries what is said both ways, until both sides are done.
pub(super) async fn through(coming: OnUpgrade, upgrade: Upgrade) {
    if let (Ok(upgraded), Some(own)) = (coming.await, upgrade.take()) {
        carry(TokioIo::new(upgraded), own).await;
    }
}

async fn carry<S>(socket: S, own: Upgraded)
where
    S: AsyncRead + AsyncWrite,
{
    let (stream, work) = own.apart();
    let (mut from, mut to) = split(socket);
    let (mut said, mut heard) = split(stream);
    let incoming = async {
        // It ends with the client, or when nobody listens any more.
        let _ = copy(&mut from, &mut heard).await;
        let _ = heard.shutdown().await;
        // What is said to nobody is read, too: a socket that is closed with something unread in it
        // takes along what is on its way to the client.
        copy(&mut from, &mut sink()).await
    };
    let outgoing = async {
        copy(&mut said, &mut to).await?;
        to.shutdown().await
    };
    let mut carried = pin!(async {
        // What ends a connection concerns its client only.
        let _: io::Result<(u64, ())> = tokio::try_join!(incoming, outgoing);
    });
    // The work goes on by itself: it may have to give up a client that reads nothing, and then nothing moves here.
    tokio::select! {
        biased;
        () = &mut carried => return,
        () = work => {}
    }
    let _ = tokio::time::timeout(LINGER, carried).await;
}
