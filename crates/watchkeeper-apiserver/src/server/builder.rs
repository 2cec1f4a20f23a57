//! Settings of a server, and the server that has them.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::caller::Callers;
use super::mailbox::{Mailboxes, Slow};
use super::outbox::Outbox;
use super::{ApiServer, Keeper, SLOW_WATCHER, SLOW_WATCHER_BYTES, Shared, State, read};
use crate::access::{Authorization, account};
use crate::clock::{Clock, Now};
use crate::config::{Config, ServiceRange};
use crate::journal::{Journal, Saved, SigningKey};
use crate::rng::Rng;
use crate::snapshot::{ImportError, Snapshot};
use crate::step::Core;
use crate::user::User;

/// Settings on the way to an [`ApiServer`].
#[derive(Clone, Debug)]
#[must_use = "call `build`"]
pub struct Builder {
    seed: Option<u64>,
    clock: Clock,
    config: Config,
    slow_watcher: Slow,
    snapshot: Option<Snapshot>,
}

impl Builder {
    pub(super) fn new() -> Self {
        Self {
            seed: None,
            clock: Clock::default(),
            config: Config::default(),
            slow_watcher: Slow { frames: SLOW_WATCHER, bytes: SLOW_WATCHER_BYTES },
            snapshot: None,
        }
    }

    /// What names, uids and every free order are made from; 0 unless told.
    ///
    /// From a seed that is given here follows also what tokens of service accounts are signed with,
    /// unless [`Builder::signing_key`] or [`Builder::drawn_signing_key`] is asked for: one seed, the
    /// same tokens. They keep nobody out, as whoever sees one uid of the server can find the seed.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// What tokens of service accounts are signed with: another server with this key takes them, for
    /// accounts that it has. Whoever knows the key can make tokens.
    ///
    /// Without it the key is drawn from the operating system, or follows from a seed that was given.
    pub const fn signing_key(mut self, key: [u8; 32]) -> Self {
        self.config.signing_key = Some(key);
        self
    }

    /// Draws the key of tokens from the operating system although there is a seed. Without a seed
    /// that is done anyhow.
    ///
    /// # Panics
    ///
    /// When the operating system has no random numbers.
    pub fn drawn_signing_key(self) -> Self {
        let key = ring::rand::generate(&ring::rand::SystemRandom::new());
        self.signing_key(key.expect("random numbers of the operating system").expose())
    }

    /// Who issues tokens of service accounts, and whom they are for unless told otherwise, as
    /// `--service-account-issuer` says; `https://kubernetes.default.svc.cluster.local` without it.
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.config.issuer = issuer.into();
        self
    }

    /// The addresses that Services get, as `--service-cluster-ip-range` says.
    pub const fn service_range(mut self, range: ServiceRange) -> Self {
        self.config.service_range = range;
        self
    }

    /// Where the time comes from.
    pub const fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The administrator's bearer token. From now on requests must carry one.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.config.token = Some(token.into());
        self
    }

    /// A user and its bearer token. From now on requests must carry one.
    pub fn user(mut self, token: impl Into<String>, user: User) -> Self {
        self.config.users.push((token.into(), user));
        self
    }

    /// Lets roles and bindings hold, as `--authorization-mode=RBAC` does: requests say who makes
    /// them, by a token or by [`ApiServer::acting_as`], and what is not allowed gets 403.
    pub const fn rbac(mut self) -> Self {
        self.config.authorization = Authorization::Rbac;
        self
    }

    /// Lets lists and watches of a part of the objects be asked for with `shardSelector`, as
    /// `--feature-gates=ShardedListAndWatch=true` does (KEP-5866). Without this the parameter means
    /// nothing, as on a server without that gate.
    ///
    /// ```
    /// use watchkeeper_apiserver::ApiServer;
    /// let server = ApiServer::builder().shard_selectors().build();
    /// # let _ = server;
    /// ```
    pub const fn shard_selectors(mut self) -> Self {
        self.config.shard_selectors = true;
        self
    }

    /// Lets in who does not say who they are, as `system:anonymous`; without this they are answered
    /// about health and version only.
    pub const fn anonymous(mut self) -> Self {
        self.config.anonymous = true;
        self
    }

    /// Gives pods their service account and its token, and refuses them while it is not there, as the
    /// admission plugin `ServiceAccount` does; off otherwise, as in envtest.
    pub const fn service_accounts(mut self) -> Self {
        self.config.service_accounts = true;
        self
    }

    /// Lets the config maps be in `kube-system` that a kube-apiserver makes for itself, as other programs look for
    /// them: `kube-apiserver-legacy-service-account-token-tracking`, and, if there are `client_authorities` (each in DER, as
    /// [`Tls`](crate::Tls) has them), `extension-apiserver-authentication`. Without this they are not there, so that a
    /// test sees the config maps that it made itself.
    ///
    /// ```
    /// use watchkeeper_apiserver::ApiServer;
    /// let server = ApiServer::builder().control_plane_maps(Vec::new()).build();
    /// # let _ = server;
    /// ```
    pub fn control_plane_maps(mut self, client_authorities: Vec<Vec<u8>>) -> Self {
        self.config.control_plane_maps = Some(client_authorities);
        self
    }

    /// How many events are remembered for watches and paged lists.
    pub const fn history_events(mut self, count: usize) -> Self {
        self.config.history_events = count;
        self
    }

    /// How many bytes of JSON events may have in all (256 MiB unless told), beside the newest one; older ones are
    /// answered with 410, too.
    pub const fn history_bytes(mut self, bytes: usize) -> Self {
        self.config.history_bytes = bytes;
        self
    }

    /// For how long events are remembered, when there is room for more ([`Builder::history_events`]): watches and pages
    /// from before get 410. What is older goes with the next request.
    ///
    /// ```
    /// use std::time::Duration;
    /// use watchkeeper_apiserver::ApiServer;
    ///
    /// let server = ApiServer::builder().history_for(Duration::from_secs(300)).build();
    /// # let _ = server;
    /// ```
    pub const fn history_for(mut self, time: Duration) -> Self {
        self.config.history_for = Some(time);
        self
    }

    /// How many reads may be under way at once (400 unless told); 0 for any number. More are
    /// answered with 429 and `Retry-After`. Watches do not count (V1.5).
    pub const fn max_requests_in_flight(mut self, count: usize) -> Self {
        self.config.max_requests_in_flight = count;
        self
    }

    /// How many writes may be under way at once (200 unless told); 0 for any number.
    pub const fn max_mutating_requests_in_flight(mut self, count: usize) -> Self {
        self.config.max_mutating_requests_in_flight = count;
        self
    }

    /// How many frames a watcher may be behind before its watch is cut ([`SLOW_WATCHER`] unless told).
    pub const fn slow_watcher(mut self, frames: usize) -> Self {
        self.slow_watcher.frames = frames;
        self
    }

    /// How many bytes a watcher may be behind before its watch is cut ([`SLOW_WATCHER_BYTES`] unless told). The list
    /// that a watch begins with does not count.
    pub const fn slow_watcher_bytes(mut self, bytes: usize) -> Self {
        self.slow_watcher.bytes = bytes;
        self
    }

    /// Lets the server begin with what another one held, as [`ApiServer::export`] wrote it: the same objects under
    /// the same uids and revisions, what their definitions serve, and the same revision. Watches and pages from
    /// before it get 410; those from that revision go on. Events have their hour from now on.
    ///
    /// Objects are taken as they are: nobody is asked to admit them, and nothing is filled in. So they have a uid
    /// and a revision, and what has neither is for `kubectl apply`.
    ///
    /// ```
    /// use watchkeeper_apiserver::ApiServer;
    ///
    /// let server = ApiServer::new();
    /// let again = ApiServer::builder().import(&server.export())?.build();
    /// assert_eq!(again.export(), server.export());
    ///
    /// let why = ApiServer::builder().import("kind: ConfigMap").expect_err("a piece").to_string();
    /// assert_eq!(why, "document 1, at line 1: it has no apiVersion");
    /// # Ok::<(), watchkeeper_apiserver::snapshot::ImportError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Which document a server cannot have written, and why.
    pub fn import(self, yaml: &str) -> Result<Self, ImportError> {
        Ok(self.snapshot(yaml.parse()?))
    }

    /// As [`import`](Self::import), of what was read already.
    pub fn snapshot(mut self, snapshot: Snapshot) -> Self {
        self.snapshot = Some(snapshot);
        self
    }

    /// The server, ready.
    ///
    /// # Panics
    ///
    /// When the operating system has no random numbers for a key ([`Builder::drawn_signing_key`]), or no memory for
    /// objects of a snapshot that are nested deep.
    pub fn build(self) -> ApiServer {
        let (mut builder, started) = (self.with_a_key(), Instant::now());
        let now = read(builder.clock, started);
        let begun = builder.begin(now);
        let (mut core, rng, _) = begun.expect("memory for what is nested deep");
        // Nobody keeps what it commits.
        core.commits = None;
        builder.assemble(core, rng, Outbox::default(), started)
    }

    /// The server that a journal has, or, of a new journal, one that begins. What it says is held back
    /// until the journal has what was written: it answers while the [`Keeper`] runs.
    ///
    /// Objects, revisions, uids, the key of tokens, definitions and what they make known are as they
    /// were. The history of events is not kept: watches and pages from before get 410. Tokens that were
    /// added ([`ApiServer::add_token`]) and hooks are not kept either.
    ///
    /// ```
    /// use watchkeeper_apiserver::ApiServer;
    /// # use watchkeeper_apiserver::journal::{Batch, Journal, Saved};
    /// # struct Nothing;
    /// # impl Journal for Nothing {
    /// #     fn read(&mut self) -> std::io::Result<Option<Saved>> { Ok(None) }
    /// #     fn write(&mut self, _: &Batch) -> std::io::Result<()> { Ok(()) }
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// # let journal = Nothing;
    /// let (server, keeper) = ApiServer::builder().build_on(journal)?;
    /// let request = http::Request::get("/healthz").body(bytes::Bytes::new()).expect("a request");
    /// let shutdown = async {
    ///     assert!(server.answer(request).await.is_ok());
    /// };
    /// keeper.run(shutdown).await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or what is in it is not what a server wrote; when there is a server in
    /// it and [`import`](Self::import) was asked for, too.
    ///
    /// # Panics
    ///
    /// As [`Builder::build`].
    pub fn build_on<J>(self, mut journal: J) -> io::Result<(ApiServer, Keeper<J>)>
    where
        J: Journal + 'static,
    {
        let (mut builder, started) = (self.with_a_key(), Instant::now());
        let (saved, now) = (journal.read()?, read(builder.clock, started));
        let (core, rng, outbox) = match saved {
            None => {
                let (mut core, rng, key) = builder.begin(now)?;
                let outbox = Outbox::beginning_with(core.keep(key, now));
                (core, rng, outbox)
            }
            Some(_) if builder.snapshot.is_some() => {
                let why = "there is a cluster already, which the import would replace";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
            Some(saved) => {
                let (core, rng) = builder.restore(&saved, now)?;
                (core, rng, Outbox::default())
            }
        };
        let server = builder.assemble(core, rng, outbox, started);
        Ok((server.clone(), Keeper::new(server, journal)))
    }

    /// The core of a server that is new to its journal, with its dice and the key of its tokens.
    fn begin(&mut self, now: Now) -> io::Result<(Core, Rng, SigningKey)> {
        let mut rng = Rng::new(self.seed.unwrap_or_default());
        let key = self.config.signing_key.unwrap_or_else(|| account::key_of_dice(&rng));
        let key = SigningKey(key);
        let Some(snapshot) = &self.snapshot else {
            let core = Core::new(self.config.clone(), now, &mut rng);
            return Ok((core, rng, key));
        };
        let saved = snapshot.saved(key, now);
        let (core, rng) = self.restore(&saved, now)?;
        Ok((core, rng, key))
    }

    /// The core of a server that was there before, with its dice.
    fn restore(&mut self, saved: &Saved, now: Now) -> io::Result<(Core, Rng)> {
        // Other dice than at the beginning: uids are not given twice.
        let seed = self.seed.unwrap_or_default();
        let rng = Rng::new(Rng::new(seed ^ saved.revision.rotate_left(32)).next_u64());
        self.config.signing_key = Some(saved.signing_key.0);
        let core = Core::restore(self.config.clone(), saved, now, &rng);
        let damaged = |why| io::Error::new(io::ErrorKind::InvalidData, why);
        Ok((core.map_err(damaged)?, rng))
    }

    fn with_a_key(self) -> Self {
        let is_drawn = self.seed.is_none() && self.config.signing_key.is_none();
        if is_drawn { self.drawn_signing_key() } else { self }
    }

    fn assemble(self, core: Core, rng: Rng, outbox: Outbox, started: Instant) -> ApiServer {
        let state = State { core, rng, outbox, mail: Mailboxes::default(), next_ticket: 1 };
        let (clock, slow_watcher) = (self.clock, self.slow_watcher);
        let callers = Callers::default();
        let (state, kubelet) = (Mutex::new(state), Mutex::default());
        let shared = Shared { state, clock, started, slow_watcher, callers, kubelet };
        ApiServer { shared: Arc::new(shared) }
    }
}
