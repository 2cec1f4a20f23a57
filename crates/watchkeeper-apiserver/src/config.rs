//! What can be set about a server.

use std::fmt;

/// The settings of a server.
#[derive(Clone, PartialEq, Eq)]
pub struct Config {
    /// How many events are remembered for watches and paged lists; older ones are answered with
    /// 410. The real server keeps between 100 and 102,400 per resource (V3.7).
    pub history_events: usize,
    /// The bearer token that requests must carry; none asks for nothing.
    pub token: Option<String>,
    /// How many reads may be under way at once; 0 for any number. Watches do not count (V1.5).
    pub max_requests_in_flight: usize,
    /// How many writes may be under way at once; 0 for any number.
    pub max_mutating_requests_in_flight: usize,
    /// What `/version` says.
    pub git_version: String,
}

/// Without the token.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("history_events", &self.history_events)
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("max_requests_in_flight", &self.max_requests_in_flight)
            .field("max_mutating_requests_in_flight", &self.max_mutating_requests_in_flight)
            .field("git_version", &self.git_version)
            .finish()
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            history_events: 20_000,
            token: None,
            max_requests_in_flight: 400,
            max_mutating_requests_in_flight: 200,
            git_version: watchkeeper_schema::builtin::facts().version.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn a_token_is_not_shown() {
        let config = Config { token: Some("secret".to_owned()), ..Config::default() };
        let text = format!("{config:?}");
        assert!(!text.contains("secret") && text.contains("token"), "{text}");
    }
}
