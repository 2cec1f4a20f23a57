//! The first words with a server, and what it means when they go wrong.

use watchkeeper_api::Error;
use watchkeeper_api::error::Why;
use watchkeeper_api::meta::v1::Status;

use crate::config::Config;
use crate::say::Failure;

/// Who greets whom.
pub(crate) struct Greeting {
    server: String,
    origin: String,
}

impl Greeting {
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            server: config.server().to_string().trim_end_matches('/').to_owned(),
            origin: config.origin().to_owned(),
        }
    }

    /// The same error, of the same class, as a sentence about the configuration.
    pub(crate) fn explain(&self, error: &Error) -> Error {
        let Self { server, origin } = self;
        match error.status() {
            None if error.is_timeout() => Why::Transport(
                Failure(format!("{server} ({origin}) does not answer; is it a Kubernetes API server?")).into(),
            ),
            // What cannot be reached has said so already, with the server and the origin.
            None => Why::Transport(Failure(error.why().to_string()).into()),
            // It says already whom and what the server does not know.
            Some(status) if error.is_unauthorized() => answered(
                status,
                format!("{server} ({origin}) does not know the caller: {}", error.why()),
            ),
            Some(status) if error.is_bad_request() && server.starts_with("http:") => answered(
                status,
                format!("{server} ({origin}) does not speak plain HTTP; should the address begin with https://?"),
            ),
            Some(status) if error.is_not_found() => answered(
                status,
                format!("{server} ({origin}) answers, but knows no version of Kubernetes; is it a Kubernetes API server?"),
            ),
            Some(status) => answered(
                status,
                format!("{server} ({origin}) is not ready: {}", error.why()),
            ),
        }
        .into()
    }
}

fn answered(status: &Status, message: String) -> Why {
    Why::Status(Box::new(Status { message: message.into(), ..status.clone() }))
}
