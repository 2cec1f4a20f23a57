//! What can be set about a server.

use std::fmt;
use std::time::Duration;

use crate::access::{Authorization, account};
use crate::user::User;

mod service_range;

pub use service_range::{InvalidServiceRange, ServiceRange};

/// The settings of a server.
#[derive(Clone, PartialEq, Eq)]
pub struct Config {
    /// How many events are remembered for watches and paged lists; older ones are answered with
    /// 410. The real server keeps between 100 and 102,400 per resource (V3.7).
    pub history_events: usize,
    /// How many bytes of JSON they may have in all, beside the newest one: 20,000 events of the largest objects would
    /// be 30 GB.
    pub history_bytes: usize,
    /// For how long they are remembered, if not for as long as there is room (etcd, as the real server asks it to,
    /// forgets what is older than five to ten minutes: `--etcd-compaction-interval`).
    pub history_for: Option<Duration>,
    /// The bearer token of the administrator. With it, with `users` or with RBAC, requests must say
    /// who makes them; without, those that do not are the administrator's.
    pub token: Option<String>,
    /// Users by their bearer tokens (`--token-auth-file`).
    pub users: Vec<(String, User)>,
    /// What tokens of service accounts are signed with. Without one the key follows from the dice,
    /// and whoever sees a uid can find it; [`ApiServer`](crate::ApiServer) draws one unless it is
    /// given a seed.
    pub signing_key: Option<[u8; 32]>,
    /// Who issues tokens of service accounts, and whom they are for unless told otherwise
    /// (`--service-account-issuer`).
    pub issuer: String,
    /// The addresses that Services get.
    pub service_range: ServiceRange,
    /// Whether roles and bindings hold.
    pub authorization: Authorization,
    /// Whether a request that must say who makes it and does not is let in as
    /// `system:anonymous`, for RBAC to judge. Health and version are always answered.
    pub anonymous: bool,
    /// Whether pods get their service account and its token, and are refused while it is not there
    /// (the admission plugin `ServiceAccount`).
    pub service_accounts: bool,
    /// Whether there are the config maps that a kube-apiserver makes for itself, and the authorities, each in DER, that
    /// they tell of.
    pub control_plane_maps: Option<Vec<Vec<u8>>>,
    /// Whether `shardSelector` of lists and watches means something (the feature gate
    /// `ShardedListAndWatch`, V2.7).
    pub shard_selectors: bool,
    /// How many reads may be under way at once; 0 for any number. Watches do not count (V1.5).
    pub max_requests_in_flight: usize,
    /// How many writes may be under way at once; 0 for any number.
    pub max_mutating_requests_in_flight: usize,
    /// What `/version` says.
    pub git_version: String,
}

/// Without the tokens.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("history_events", &self.history_events)
            .field("history_bytes", &self.history_bytes)
            .field("history_for", &self.history_for)
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("users", &self.users.iter().map(|(_, user)| user).collect::<Vec<_>>())
            .field("signing_key", &self.signing_key.map(|_| "…"))
            .field("issuer", &self.issuer)
            .field("service_range", &self.service_range)
            .field("authorization", &self.authorization)
            .field("anonymous", &self.anonymous)
            .field("service_accounts", &self.service_accounts)
            .field("control_plane_maps", &self.control_plane_maps.as_ref().map(Vec::len))
            .field("shard_selectors", &self.shard_selectors)
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
            history_bytes: 256 * 1024 * 1024,
            history_for: None,
            token: None,
            users: Vec::new(),
            signing_key: None,
            issuer: account::ISSUER.to_owned(),
            service_range: ServiceRange::default(),
            authorization: Authorization::default(),
            anonymous: false,
            service_accounts: false,
            control_plane_maps: None,
            shard_selectors: false,
            max_requests_in_flight: 400,
            max_mutating_requests_in_flight: 200,
            git_version: watchkeeper_schema::builtin::facts().version.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Config;
    use crate::user::User;

    #[test]
    fn a_token_is_not_shown() {
        let users = vec![("secret two".to_owned(), User::new("alice"))];
        let token = Some("secret".to_owned());
        let signing_key = Some([73; 32]);
        let config = Config { token, users, signing_key, ..Config::default() };
        let text = format!("{config:?}");
        assert!(text.contains("signing_key") && !text.contains("73"), "{text}");
        assert!(
            !text.contains("secret") && text.contains("token") && text.contains("alice"),
            "{text}"
        );
    }
}
