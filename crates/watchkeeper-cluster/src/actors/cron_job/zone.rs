//! Time zones by name, from the program's own table: the same on every machine.

use jiff::tz::{TimeZone, TimeZoneDatabase};

/// The zone of that name.
pub(crate) fn find(name: &str) -> Result<TimeZone, String> {
    if name.is_empty() {
        return Ok(TimeZone::UTC);
    }
    TimeZoneDatabase::bundled().get(name).map_err(|_| format!("unknown time zone {name}"))
}
