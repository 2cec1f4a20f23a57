//! The modules that decide, and the tests that must notice.

/// The states of a package.
#[derive(Debug)]
pub(super) struct States {
    pub(super) package: &'static str,
    /// Its programs of tests, as cargo is asked for them.
    pub(super) programs: &'static [&'static str],
    /// How many of the mutants are tried, if not all of them.
    pub(super) sample: Option<usize>,
    pub(super) areas: &'static [Area],
}

/// The tests beside the modules.
const UNITS: &[&str] = &["--lib"];

/// Modules, and their tests.
#[derive(Debug)]
pub(super) struct Area {
    /// Of the package, as cargo-mutants is asked for them.
    pub(super) files: &'static [&'static str],
    /// What the test programs are asked for: tests whose names have one of these in them; all of them without any.
    pub(super) tests: &'static [&'static str],
}

const fn area(files: &'static [&'static str], tests: &'static [&'static str]) -> Area {
    Area { files, tests }
}

pub(super) const STATES: &[States] = &[
    States {
        package: "watchkeeper-queue",
        programs: UNITS,
        sample: None,
        areas: &[area(&["src/state.rs", "src/state/**/*.rs"], &["state::"])],
    },
    States {
        package: "watchkeeper-cache",
        programs: UNITS,
        sample: None,
        areas: &[
            area(
                &["src/floors.rs", "src/floors/*.rs", "src/mailbox.rs"],
                &["floors::", "mailbox::"],
            ),
            area(&["src/store/state.rs"], &["store::"]),
            area(&["src/ledger.rs"], &["ledger::"]),
            area(
                &[
                    "src/reflector/state.rs",
                    "src/reflector/state/*.rs",
                    "src/reflector/malformed.rs",
                ],
                &["reflector::"],
            ),
            area(&["src/delta_queue/state.rs"], &["delta_queue::"]),
            area(&["src/classic/fifo/state.rs"], &["classic::fifo"]),
            area(&["src/classic/delta_fifo/state.rs"], &["classic::delta_fifo"]),
            area(&["src/classic/heap/state.rs"], &["classic::heap"]),
        ],
    },
    States {
        package: "watchkeeper-controller",
        programs: UNITS,
        sample: None,
        areas: &[
            area(&["src/events/state.rs", "src/lru.rs"], &["events::state::", "lru::"]),
            area(&["src/events/series/state.rs"], &["events::series::state::"]),
            area(&["src/expectations.rs"], &["expectations::"]),
            area(&["src/failure.rs"], &["failure::"]),
            area(&["src/mapping.rs"], &["mapping::"]),
            area(&["src/owner.rs"], &["owner::"]),
            area(&["src/predicates.rs"], &["predicates::"]),
            area(&["src/share.rs"], &["share::"]),
            area(&["src/trace.rs"], &["trace::"]),
        ],
    },
    States {
        package: "watchkeeper-manager",
        programs: UNITS,
        sample: None,
        areas: &[
            area(
                &["src/leader/lease.rs", "src/leader/state.rs", "src/leader/state/release.rs"],
                &["leader::state::looks::", "leader::state::release::", "leader::state::tests::"],
            ),
            area(&["src/clusters/state.rs"], &["clusters::state::"]),
            area(&["src/sharding/state.rs"], &["sharding::state::tests::"]),
            area(&["src/webhook/rotation/state.rs"], &["rotation::state::"]),
        ],
    },
    States {
        package: "watchkeeper-apiserver",
        programs: &["--lib", "--test", "it"],
        sample: Some(1_000),
        areas: &[area(&["src/**/*.rs"], &[])],
    },
];
