//! The ports of nodes that one write gives out (`portallocator` in `pkg/registry/core/service`).

use std::collections::BTreeSet;

use serde_json::Value;

use super::{FULL, held_ports};
use crate::error::ApiError;
use crate::request::Call;
use crate::storage::key;
use crate::turn::Turn;

/// The first node port and how many there are.
const FIRST: i64 = 30_000;
const COUNT: u32 = 2768;
/// What a dry run gives first where nothing was asked for.
const FIRST_OF_DRY_RUN: i64 = 32_769;

/// What is taken, and what this write has been given so far.
pub(super) struct Operation {
    used: BTreeSet<i64>,
    given: BTreeSet<i64>,
    /// Nothing is stored, so nothing of the range is given out.
    is_dry: bool,
}

impl Operation {
    /// For a Service that is made, or changed from `old`: that one holds what it has until it is written.
    ///
    /// # Errors
    ///
    /// 422 for a dry run that is none.
    pub(super) fn begin(
        turn: &Turn<'_>,
        call: &Call,
        name: &str,
        old: Option<&Value>,
    ) -> Result<Self, ApiError> {
        let own = key(&call.namespace, name);
        let table = turn.core.store.table("services");
        let others = table.into_iter().flatten().filter(|(key, _)| **key != own);
        let others = others.flat_map(|(_, service)| held_ports(&service.glimpse(&["spec"])));
        let used = others.chain(old.into_iter().flat_map(held_ports)).collect();
        Ok(Self { used, given: BTreeSet::new(), is_dry: call.dry_run()? })
    }

    /// Takes a port that was asked for, or tells why it is not to be had. A dry run does not mind where it is.
    pub(super) fn allocate(&mut self, port: i64) -> Result<(), String> {
        let last = FIRST + i64::from(COUNT) - 1;
        if !self.is_dry && !(FIRST..=last).contains(&port) {
            return Err(format!(
                "provided port is not in the valid range. The range of valid ports is {FIRST}-{last}"
            ));
        }
        if self.used.contains(&port) || !self.given.insert(port) {
            return Err("provided port is already allocated".to_owned());
        }
        Ok(())
    }

    /// Takes any port. A dry run does not look for a free one.
    pub(super) fn allocate_next(&mut self, turn: &mut Turn<'_>) -> Result<i64, &'static str> {
        let port =
            if self.is_dry { self.next_of_dry_run() } else { self.free(turn).ok_or(FULL)? };
        self.given.insert(port);
        Ok(port)
    }

    /// One above all that the write has been given.
    fn next_of_dry_run(&self) -> i64 {
        self.given.last().map_or(FIRST_OF_DRY_RUN, |last| (*last).max(0).saturating_add(1))
    }

    /// The first free port at or after a random one.
    fn free(&self, turn: &mut Turn<'_>) -> Option<i64> {
        let count = i64::from(COUNT);
        let start = i64::try_from(turn.rng.below(u64::from(COUNT))).unwrap_or(0);
        let is_free = |port: &i64| !self.used.contains(port) && !self.given.contains(port);
        (0..count).map(|step| FIRST + (start + step) % count).find(is_free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Now;
    use crate::config::Config;
    use crate::rng::Rng;
    use crate::step::{Core, Ticket};

    const ALLOCATED: &str = "provided port is already allocated";

    fn operation(used: impl IntoIterator<Item = i64>, is_dry: bool) -> Operation {
        Operation { used: used.into_iter().collect(), given: BTreeSet::new(), is_dry }
    }

    fn next(operation: &mut Operation) -> Result<i64, &'static str> {
        let mut rng = Rng::new(0);
        let mut core = Core::new(Config::default(), Now::default(), &mut rng);
        operation.allocate_next(&mut Turn::new(&mut core, Now::default(), &mut rng, Ticket(1)))
    }

    #[test]
    fn ports_of_nodes_are_of_the_range_and_free() {
        let outside =
            "provided port is not in the valid range. The range of valid ports is 30000-32767";
        let mut operation = operation([30_005], false);
        for (port, expected) in [
            (-1, outside),
            (29_999, outside),
            (30_000, ""),
            (30_000, ALLOCATED),
            (30_005, ALLOCATED),
            (32_767, ""),
            (32_768, outside),
        ] {
            assert_eq!(operation.allocate(port).err().unwrap_or_default(), expected, "{port}");
        }
    }

    #[test]
    fn any_port_is_one_that_nobody_has() {
        let mut operation =
            operation((30_000..32_768).filter(|port| ![30_007, 32_767].contains(port)), false);
        let mut given = [next(&mut operation), next(&mut operation)];
        given.sort();
        assert_eq!(given, [Ok(30_007), Ok(32_767)]);
        assert_eq!(next(&mut operation), Err("range is full"));
        assert_eq!(operation.allocate(30_007).err().as_deref(), Some(ALLOCATED));
    }

    /// `PortAllocationOperation` of upstream.
    #[test]
    fn a_dry_run_asks_only_who_has_a_port() {
        let mut operation = operation(30_000..32_768, true);
        assert_eq!(next(&mut operation), Ok(32_769));
        assert_eq!(next(&mut operation), Ok(32_770));
        for (port, expected) in [(30_005, ALLOCATED), (32_770, ALLOCATED), (40_000, ""), (-1, "")] {
            assert_eq!(operation.allocate(port).err().unwrap_or_default(), expected, "{port}");
        }
        assert_eq!(next(&mut operation), Ok(40_001));
        let mut low = self::operation([], true);
        for (port, expected) in [(-5, 1), (7, 8)] {
            assert_eq!(low.allocate(port), Ok(()));
            assert_eq!(next(&mut low), Ok(expected));
        }
    }
}
