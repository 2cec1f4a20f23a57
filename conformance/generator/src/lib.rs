//! Requests that are made up by a seed: objects, patches, schemas with their values, selectors, and edges; and what of their
//! answers must be equal on every API server.
//!
//! `cargo xtask conformance generated` sends them to a real kube-apiserver and to the embedded server, and records
//! [digests](Digests) of what both said; the tests of `watchkeeper-apiserver` send the same to an embedded server
//! and hold it to them.
//!
//! Each case has names of its own, so neither their order nor how many are under way at a time matters.

use serde_json::json;

mod answer;
mod case;
mod dice;
mod difference;
mod digests;
mod edges;
mod mask;
mod objects;
mod patches;
mod schemas;
mod selectors;
mod spoil;
mod template;

pub use answer::{Answer, Told};
pub use case::{Case, Request};
pub use dice::Dice;
pub use difference::{Difference, differences};
pub use digests::{Digest, Digests};
pub use mask::{MASKS, masked};

use template::{Place, Templates};

/// What draws a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generator {
    /// Objects of the built-in kinds: made, read, replaced and deleted.
    Objects,
    /// Patches of every kind.
    Patches,
    /// Definitions with random schemas, and objects of them.
    Schemas,
    /// Selectors on lists that do not change.
    Selectors,
    /// Objects with values at the edges of what is allowed.
    Edges,
    /// Definitions of a file, and objects of them: whoever reads the file draws them.
    Definitions,
}

/// The first of the edges: cases below it are those of the other generators.
pub const EDGES: u64 = 1_000_000;
/// The first case of [`Generator::Definitions`].
pub const DEFINITIONS: u64 = 2_000_000;

impl Generator {
    /// All that are drawn by a seed alone.
    pub const ALL: [Self; 5] =
        [Self::Objects, Self::Patches, Self::Schemas, Self::Selectors, Self::Edges];

    /// Below [`EDGES`], of twenty cases eight are objects, seven patches, one is a definition with its objects, four are
    /// selectors.
    #[must_use]
    pub const fn of(case: u64) -> Self {
        match case % 20 {
            _ if case >= DEFINITIONS => Self::Definitions,
            _ if case >= EDGES => Self::Edges,
            0..8 => Self::Objects,
            8..15 => Self::Patches,
            15 => Self::Schemas,
            _ => Self::Selectors,
        }
    }

    /// As it is asked for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Patches => "patches",
            Self::Schemas => "schemas",
            Self::Selectors => "selectors",
            Self::Edges => "edges",
            Self::Definitions => "definitions",
        }
    }
}

/// The namespaces of the cases.
const NAMESPACES: u64 = 4;

/// What every case may count on: these requests succeed on an empty server, in this order.
#[must_use]
pub fn population() -> Vec<Request> {
    let namespace = |index| json!({"metadata": {"name": format!("generated-{index}")}});
    let mut requests: Vec<Request> = (0..NAMESPACES)
        .map(|index| Request::json("POST", "/api/v1/namespaces", &namespace(index)))
        .collect();
    requests.extend(selectors::population());
    requests
}

/// What cases are drawn by.
#[derive(Debug)]
pub struct Drawing {
    seed: u64,
    templates: Templates,
}

impl Drawing {
    /// The cases of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        Self { seed, templates: Templates::read() }
    }

    /// The case of a number: always the same.
    #[must_use]
    pub fn case(&self, number: u64) -> Case {
        let mut dice = Dice::new(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (number << 20));
        let place = Place {
            name: name_of(number),
            namespace: format!("generated-{}", number % NAMESPACES),
        };
        match Generator::of(number) {
            Generator::Objects => objects::case(&self.templates, place, &mut dice),
            Generator::Patches => patches::case(&self.templates, place, &mut dice),
            Generator::Schemas => schemas::case(&place.name, &mut dice),
            Generator::Selectors => selectors::case(&mut dice),
            Generator::Edges | Generator::Definitions => {
                edges::case(&self.templates, (number - EDGES) as usize, place, &mut dice)
            }
        }
    }
}

/// A name for a number, in letters: no number that a server draws is part of it.
fn name_of(mut number: u64) -> String {
    let mut name = "case-".to_owned();
    loop {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return name;
        }
    }
}

#[cfg(test)]
mod tests;
