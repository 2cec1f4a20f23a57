//! A connection that stops to be HTTP: how a service hands over the bytes.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncWrite};

use crate::body::BoxError;

/// A byte stream in both directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

type Coming = Pin<Box<dyn Future<Output = Result<Box<dyn Duplex>, BoxError>> + Send>>;

/// What a service that can upgrade connections puts into the extensions of its 101: the stream that the
/// connection becomes.
///
/// `watchkeeper-connect` does so. A service of your own, such as one in a test:
///
/// ```
/// # use watchkeeper_client::{Body, BoxError, Upgrade};
/// fn switched(stream: tokio::io::DuplexStream) -> http::Response<Body> {
///     let mut answer = http::Response::new(Body::empty());
///     *answer.status_mut() = http::StatusCode::SWITCHING_PROTOCOLS;
///     answer.extensions_mut().insert(Upgrade::new(async { Ok::<_, BoxError>(stream) }));
///     answer
/// }
/// ```
#[derive(Clone)]
pub struct Upgrade(Arc<Mutex<Option<Coming>>>);

impl Upgrade {
    /// The stream that `stream` resolves to, once the answer is on its way.
    pub fn new<S, E>(stream: impl Future<Output = Result<S, E>> + Send + 'static) -> Self
    where
        S: Duplex + 'static,
        E: Into<BoxError>,
    {
        let coming: Coming = Box::pin(async {
            let stream: Box<dyn Duplex> = Box::new(stream.await.map_err(Into::into)?);
            Ok(stream)
        });
        Self(Arc::new(Mutex::new(Some(coming))))
    }

    /// The stream, once.
    #[cfg(feature = "ws")]
    pub(crate) fn take(&self) -> Option<Coming> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        f.write_str(if taken { "Upgrade(taken)" } else { "Upgrade" })
    }
}
