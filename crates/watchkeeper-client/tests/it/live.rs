//! A client of the embedded server, in the same process.

use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::Client;

/// A server, and a client of it.
pub(crate) struct Live {
    pub(crate) server: ApiServer,
    pub(crate) client: Client,
}

pub(crate) fn live() -> Live {
    let server = ApiServer::new();
    let client = Client::new(server.clone()).user_agent("it");
    Live { server, client }
}
