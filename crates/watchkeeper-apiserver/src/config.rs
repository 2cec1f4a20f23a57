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
    /// What `/version` says.
    pub git_version: String,
}

/// Without the token.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("history_events", &self.history_events)
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("git_version", &self.git_version)
            .finish()
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            history_events: 20_000,
            token: None,
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
