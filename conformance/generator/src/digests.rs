//! What a real kube-apiserver answered, in few bytes: a digest of each case.

use std::collections::BTreeMap;
use std::fmt;

use super::Answer;

/// Of the masked answers of a case, in their order: FNV-1a, of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes in the next answer, which is masked.
    pub fn add(&mut self, answer: &Answer) {
        let Answer { code, warnings, body } = answer;
        for byte in format!("{code} {warnings:?} {body}\n").bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The digests of the cases of a seed, by their numbers. A case that is answered otherwise has none.
#[derive(Debug)]
pub struct Digests {
    /// What the cases are drawn by.
    pub seed: u64,
    /// Of each case that has one.
    pub of: BTreeMap<u64, String>,
}

impl Digests {
    /// Reads the text that they are shown as.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut seed = None;
        let mut of = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (first, rest) = line.split_once(' ').expect("a pair in each line");
            if first == "seed" {
                seed = rest.parse().ok();
            } else {
                of.insert(first.parse().expect("the number of a case"), rest.to_owned());
            }
        }
        Self { seed: seed.expect("a seed"), of }
    }
}

impl fmt::Display for Digests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# What a real kube-apiserver answers to each case: `cargo xtask conformance generated --record`."
        )?;
        writeln!(f, "seed {}", self.seed)?;
        self.of.iter().try_for_each(|(number, digest)| writeln!(f, "{number} {digest}"))
    }
}
