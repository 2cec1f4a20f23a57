//! Connections to the ports of a pod.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use watchkeeper_api::error::Subject;
use watchkeeper_api::{Error, HasStreams, Object, Result};

use super::channel::{self, ChannelStream};
use super::handshake::connect;
use super::tunnel::{Spdy, TunnelStream};
use crate::api::Api;
use crate::client::Client;
use crate::query::Query;
use crate::send::in_time;

/// Upstream's name of a tunnel.
const PROTOCOL: &str = "SPDY/3.1+portforward.k8s.io";

impl<K: Object> Api<K> {
    /// Connects to a port of a pod, over a tunnel of its own.
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::Pod, Result};
    /// # use watchkeeper_client::{Client, PortStream};
    /// # async fn f(client: Client) -> Result<()> {
    /// // Reads and writes as a TCP stream does: `tokio::io::AsyncRead` and `AsyncWrite`.
    /// let stream: PortStream = client.api::<Pod>().namespace("shop").port_forward("web-0", 80).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As of [`tunnel`](Self::tunnel) and [`Tunnel::connect`].
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn port_forward(&self, name: &str, port: u16) -> Result<PortStream>
    where
        K: HasStreams,
    {
        self.tunnel(name).await?.connect(port).await
    }

    /// Opens a tunnel to the ports of a pod, for any number of connections (upstream: `tools/portforward`, with
    /// the dialer that tunnels SPDY in a WebSocket).
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::Pod, Result};
    /// # use watchkeeper_client::Client;
    /// # async fn f(client: Client) -> Result<()> {
    /// let tunnel = client.api::<Pod>().namespace("shop").tunnel("web-0").await?;
    /// let (plain, metrics) = (tunnel.connect(80).await?, tunnel.connect(9090).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Whatever the server says, also that it cannot now (429, 500, 503); a service that cannot upgrade
    /// connections; a client of [dry runs](Client::dry_run), as connections would reach what runs. A server that
    /// knows no tunnels is no error: one that answers 400, 405, 426 or 501, or with another upgrade than was asked
    /// for, or with none. Each connection is a WebSocket of its own then.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn tunnel(&self, name: &str) -> Result<Tunnel>
    where
        K: HasStreams,
    {
        let (subject, uri) = self.streaming("portforward", name, &Query::default())?;
        let socket = connect(self.client(), subject.clone(), uri.clone(), PROTOCOL).await;
        let way = match socket {
            Ok(socket) => Way::Spdy(Spdy::new(socket)),
            Err(none) if none.is_unknown => Way::Channels(Arc::new((subject, uri))),
            Err(none) => return Err(none.into()),
        };
        Ok(Tunnel { client: self.client().clone(), way })
    }
}

/// A way to the ports of a pod, which many connections share. Clones are the same tunnel; it ends when the last
/// of them and of its connections is dropped.
///
/// No task belongs to it: it lives while somebody reads one of its connections, or waits for it to be
/// [`closed`](Self::closed). The connections share one stream of bytes, without windows of their own, as
/// upstream's do: who leaves a MiB unread keeps the others from reading, too.
#[derive(Clone, Debug)]
pub struct Tunnel {
    client: Client,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Spdy(Arc<Spdy>),
    /// A WebSocket each, of this pod, asked for here.
    Channels(Arc<(Subject, String)>),
}

impl Tunnel {
    /// Connects to a port.
    ///
    /// # Errors
    /// A tunnel that has ended. That nothing listens at the port is told by the first read.
    ///
    /// # Cancel safety
    /// Dropping the future gives the connection up.
    pub async fn connect(&self, port: u16) -> Result<PortStream> {
        let way = match &self.way {
            Way::Spdy(spdy) => {
                let connected = in_time(self.client.settings.deadline, spdy.connect(port)).await;
                StreamWay::Spdy(connected.map_err(|why| why.into_error(&spdy.subject))?)
            }
            Way::Channels(at) => {
                let (subject, uri) = &**at;
                let mut query = Query::default();
                query.raw("ports", &port.to_string());
                let (subject, uri) = (subject.clone(), query.after(uri.clone()));
                let socket = connect(&self.client, subject, uri, channel::PROTOCOL).await?;
                StreamWay::Channel(ChannelStream::new(socket))
            }
        };
        Ok(PortStream { way })
    }

    /// Waits until the tunnel has ended, keeps it alive meanwhile, and tells why it ended. Where each
    /// connection is a WebSocket of its own, there is nothing that could end.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn closed(&self) -> Error {
        match &self.way {
            Way::Spdy(spdy) => spdy.closed().await.into_error(&spdy.subject),
            Way::Channels(_) => std::future::pending().await,
        }
    }

    /// Whether it is known to take no more connections.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        match &self.way {
            Way::Spdy(spdy) => spdy.is_closed(),
            Way::Channels(_) => false,
        }
    }

    /// Whether the connections share one WebSocket, and end each direction by itself. A server that knows no
    /// tunnels wants a WebSocket each, which ends as a whole.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        matches!(self.way, Way::Spdy(_))
    }
}

/// A connection to a port of a pod. Reading keeps it alive; dropping it ends it.
///
/// Shutting it down ends what is written and no more, unless the server knows no tunnels
/// ([`Tunnel::is_shared`]): then it ends both directions.
#[derive(Debug)]
pub struct PortStream {
    way: StreamWay,
}

#[derive(Debug)]
enum StreamWay {
    Spdy(TunnelStream),
    Channel(ChannelStream),
}

impl AsyncRead for PortStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buffer.remaining() == 0 {
            // Whoever asks for nothing need not wait for anything.
            return Poll::Ready(Ok(()));
        }
        match &mut self.way {
            StreamWay::Spdy(stream) => Pin::new(stream).poll_read(cx, buffer),
            StreamWay::Channel(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for PortStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        text: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.way {
            StreamWay::Spdy(stream) => Pin::new(stream).poll_write(cx, text),
            StreamWay::Channel(stream) => Pin::new(stream).poll_write(cx, text),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.way {
            StreamWay::Spdy(stream) => Pin::new(stream).poll_flush(cx),
            StreamWay::Channel(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.way {
            StreamWay::Spdy(stream) => Pin::new(stream).poll_shutdown(cx),
            StreamWay::Channel(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
