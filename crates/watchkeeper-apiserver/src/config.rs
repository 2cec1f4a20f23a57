//! What can be set about a server.

/// The settings of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How many events are remembered for watches and paged lists; older ones are answered with
    /// 410. The real server keeps between 100 and 102,400 per resource (V3.7).
    pub history_events: usize,
    /// The bearer token that requests must carry; none asks for nothing.
    pub token: Option<String>,
    /// What `/version` says.
    pub git_version: String,
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
