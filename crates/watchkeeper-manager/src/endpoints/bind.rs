//! Where an endpoint listens.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};

use tokio::net::TcpListener;

/// Where an endpoint listens: `":8081"` is that port of every address of the machine, `"127.0.0.1:8081"` of
/// one; `"0"` and `""` are nowhere (upstream's `BindAddress`). A listener that is open already serves, too:
/// a test opens one at a free port.
///
/// ```
/// use std::net::TcpListener;
/// use watchkeeper_manager::Manager;
///
/// # fn f(client: &watchkeeper_client::Client) -> std::io::Result<()> {
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let address = listener.local_addr()?; // http://{address}/healthz, once the manager runs
/// let manager = Manager::new(client).health_probes(listener);
/// # drop((manager, address));
/// # Ok(())
/// # }
/// # f(&watchkeeper_client::Client::unconnected()).unwrap();
/// ```
#[derive(Debug, Default)]
pub struct Bind(Place);

#[derive(Debug, Default)]
enum Place {
    #[default]
    Nowhere,
    Address(String),
    Listener(StdListener),
}

impl Bind {
    /// Listens; `None` if that is nowhere.
    pub(crate) async fn listen(self) -> io::Result<Option<TcpListener>> {
        let listener = match self.0 {
            Place::Nowhere => return Ok(None),
            Place::Address(address) => match address.strip_prefix(':') {
                Some(port) => everywhere(port).await?,
                None => TcpListener::bind(address).await?,
            },
            Place::Listener(listener) => {
                listener.set_nonblocking(true)?;
                TcpListener::from_std(listener)?
            }
        };
        Ok(Some(listener))
    }
}

/// In both families where the machine has both.
async fn everywhere(port: &str) -> io::Result<TcpListener> {
    match TcpListener::bind(format!("[::]:{port}")).await {
        Err(error) if error.kind() != io::ErrorKind::AddrInUse => {
            TcpListener::bind(format!("0.0.0.0:{port}")).await
        }
        bound => bound,
    }
}

impl From<&str> for Bind {
    fn from(address: &str) -> Self {
        match address {
            "" | "0" => Self(Place::Nowhere),
            address => Self(Place::Address(address.to_owned())),
        }
    }
}

impl From<String> for Bind {
    fn from(address: String) -> Self {
        address.as_str().into()
    }
}

impl From<SocketAddr> for Bind {
    fn from(address: SocketAddr) -> Self {
        Self(Place::Address(address.to_string()))
    }
}

impl From<StdListener> for Bind {
    fn from(listener: StdListener) -> Self {
        Self(Place::Listener(listener))
    }
}

impl fmt::Display for Bind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::Nowhere => f.write_str("nowhere"),
            Place::Address(address) => f.write_str(address),
            Place::Listener(_) => f.write_str("a listener of its own"),
        }
    }
}
