//! Pods as an API server sends them: 9.0 KB of JSON on average and 8 to 12, of which managedFields are 3.4 KB.
//!
//! The same seed gives the same pods. In the set [`Set::Alike`] eight replicas of a workload come
//! one after another, as a server lists them; in [`Set::Unlike`] no two pods are of one workload.

/// Appends formatted text; writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($text:tt)*) => { { let _ = write!($out, $($text)*); } };
}

mod managed;
pub mod random;
mod spec;
mod status;

use random::Random;
use std::fmt::Write;

/// What the pods of a set have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Eight replicas a workload.
    Alike,
    /// Each pod has a workload of its own.
    Unlike,
}

impl Set {
    /// Both, with the names of their files.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Alike, "alike"), (Self::Unlike, "unlike")];

    fn replicas(self) -> u64 {
        match self {
            Self::Alike => 8,
            Self::Unlike => 1,
        }
    }
}

/// What the replicas of a workload share.
struct Workload {
    app: String,
    namespace: String,
    hash: String,
    owner: String,
    containers: usize,
    /// Makes the same choices for each replica.
    random: Random,
}

/// What is of one pod alone.
struct One {
    suffix: String,
    uid: String,
    node: u64,
    ip: String,
    created: u64,
    access: String,
    random: Random,
}

/// The resourceVersion of the list of all pods; each pod's is smaller, each change's is greater.
pub const LISTED: u64 = 20_000_000;

/// The JSON of pod `index` of a set as it was made.
pub fn pod(set: Set, seed: u64, index: u64) -> String {
    changed(set, seed, index, 0, LISTED / 2 + index)
}

/// The JSON of a pod whose containers were started anew `round` times; `version` is its
/// resourceVersion.
pub fn changed(set: Set, seed: u64, index: u64, round: u64, version: u64) -> String {
    let shared = Workload::new(seed, index / set.replicas());
    let one = One::new(seed, index);
    let mut out = String::with_capacity(12_000);
    out.push_str(r#"{"kind":"Pod","apiVersion":"v1","metadata":"#);
    metadata(&mut out, &shared, &one, version, round);
    out.push_str(r#","spec":"#);
    spec::write(&mut out, &mut shared.random.clone(), &shared, &one);
    out.push_str(r#","status":"#);
    status::write(&mut out, &shared, &one, round);
    out.push('}');
    out
}

impl Workload {
    fn new(seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed, number);
        let app = format!("{}-{}", random.of(NAMES), random.of(ROLES));
        Self {
            namespace: format!("team-{:02}", random.below(40)),
            hash: random.text(HASH, 10),
            owner: random.uuid(),
            containers: match random.below(10) {
                0..7 => 1,
                7..9 => 2,
                _ => 3,
            },
            app: format!("{app}-{number:05}"),
            random,
        }
    }

    fn container(&self, index: usize) -> &str {
        match index {
            0 => "app",
            1 => "metrics-exporter",
            _ => "log-forwarder",
        }
    }
}

impl One {
    fn new(seed: u64, index: u64) -> Self {
        let mut random = Random::new(seed ^ 0x0e, index);
        Self {
            suffix: random.text(HASH, 5),
            uid: random.uuid(),
            node: random.below(5_000),
            ip: format!("10.{}.{}.{}", random.below(256), random.below(256), random.below(254) + 1),
            created: random.below(28 * 86_400),
            access: random.text(HASH, 5),
            random,
        }
    }

    /// A moment so many seconds after the pod was made.
    fn time(&self, later: u64) -> String {
        let at = self.created + later;
        let (day, second) = (at / 86_400 + 1, at % 86_400);
        format!(
            "2026-02-{:02}T{:02}:{:02}:{:02}Z",
            day.min(28),
            second / 3600,
            second / 60 % 60,
            second % 60
        )
    }
}

fn metadata(out: &mut String, shared: &Workload, one: &One, version: u64, round: u64) {
    let Workload { app, namespace, hash, owner, .. } = shared;
    put!(
        out,
        r#"{{"name":"{app}-{hash}-{}","generateName":"{app}-{hash}-","namespace":"{namespace}","#,
        one.suffix
    );
    put!(out, r#""uid":"{}","resourceVersion":"{version}","generation":1,"#, one.uid);
    put!(
        out,
        r#""creationTimestamp":"{}","labels":{{"app.kubernetes.io/component":"backend","#,
        one.time(0)
    );
    put!(
        out,
        r#""app.kubernetes.io/instance":"{app}","app.kubernetes.io/managed-by":"Helm","app.kubernetes.io/name":"{app}","#
    );
    put!(out, r#""pod-template-hash":"{hash}","team":"{namespace}"}},"#);
    put!(
        out,
        r#""annotations":{{"checksum/config":"{}","prometheus.io/port":"9090","prometheus.io/scrape":"true"}},"#,
        shared.random.clone().text(HEX, 64)
    );
    put!(
        out,
        r#""ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{app}-{hash}","uid":"{owner}","controller":true,"blockOwnerDeletion":true}}],"#
    );
    managed::write(out, shared, one, round);
    out.push('}');
}

const HEX: &[u8] = b"0123456789abcdef";
/// The letters of generated names.
const HASH: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
const NAMES: &[&str] = &[
    "checkout",
    "payment",
    "inventory",
    "search",
    "catalog",
    "session",
    "invoice",
    "shipping",
    "profile",
    "recommendation",
    "pricing",
    "notification",
    "gateway",
    "reporting",
    "ledger",
];
const ROLES: &[&str] = &["api", "worker", "frontend", "consumer", "scheduler", "cache"];
