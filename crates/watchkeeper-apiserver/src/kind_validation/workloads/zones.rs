//! Time zones by name, from the table in the program: the same on every machine.

use jiff::tz::TimeZoneDatabase;

/// Whether a zone has that name, letter by letter; what Go's `time.LoadLocation` tells if none has.
///
/// A program that is built without the table (`tzdb-bundle-always` of jiff) takes every name that
/// may be one.
pub(super) fn find(name: &str) -> Result<(), String> {
    if matches!(name, "" | "UTC" | "Local") {
        return Ok(());
    }
    if name.contains("..") || name.starts_with(['/', '\\']) {
        return Err("time: invalid location name".to_owned());
    }
    let zones = TimeZoneDatabase::bundled();
    let found = zones.get(name).is_ok_and(|zone| {
        // `Etc/Unknown` is a name that the table gives to none of its zones.
        zone.iana_name() == Some(name) && !zone.is_unknown()
    });
    match found || zones.is_definitively_empty() {
        true => Ok(()),
        false => Err(format!("unknown time zone {name}")),
    }
}
