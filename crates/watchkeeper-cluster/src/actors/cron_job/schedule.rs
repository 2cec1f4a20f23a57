//! Schedules as cron writes them: five fields, or a name such as `@daily`, or `@every 90m`.
//!
//! The grammar and the times are those of the Go library that upstream uses (robfig/cron, `ParseStandard`), its
//! ways with hours that a time zone skips or has twice with them.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::fields::{self, Field, Values};
use super::zone;

/// The years in which a time must come.
const YEARS: i16 = 5;

/// When something is due.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Schedule {
    /// When the clock on the wall shows these values.
    Clock(Box<Clock>),
    /// Again and again after this time.
    Every(Duration),
}

/// The values of a clock on the wall at which something is due.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clock {
    minutes: Values,
    hours: Values,
    days: Values,
    months: Values,
    weekdays: Values,
    zone: TimeZone,
}

impl Schedule {
    /// Reads a schedule; `zone` is where the clock is, unless the text begins with a zone of its own.
    pub(crate) fn parse(text: &str, zone: TimeZone) -> Result<Self, String> {
        let (text, zone) = match text.strip_prefix("CRON_TZ=").or_else(|| text.strip_prefix("TZ="))
        {
            Some(rest) => {
                let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let bad = |why| format!("provided bad location {name}: {why}");
                (rest.trim(), zone::find(name).map_err(bad)?)
            }
            None => (text, zone),
        };
        if let Some(every) = text.strip_prefix("@every ") {
            return fields::go_duration(every)
                .map(|every| Self::Every(Duration::from_secs(every.as_secs().max(1))))
                .ok_or_else(|| format!("failed to parse duration {text}"));
        }
        let text = if text.starts_with('@') { named(text)? } else { text };
        Clock::parse(text, zone).map(|clock| Self::Clock(Box::new(clock)))
    }

    /// The first time after this one; `None` if there is none in five years.
    pub(crate) fn next(&self, after: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Every(every) => after.checked_add(*every).ok(),
            Self::Clock(clock) => clock.next(after),
        }
    }
}

/// What a name stands for.
fn named(name: &str) -> Result<&'static str, String> {
    Ok(match name {
        "@yearly" | "@annually" => "0 0 1 1 *",
        "@monthly" => "0 0 1 * *",
        "@weekly" => "0 0 * * 0",
        "@daily" | "@midnight" => "0 0 * * *",
        "@hourly" => "0 * * * *",
        _ => return Err(format!("unrecognized descriptor: {name}")),
    })
}

impl Clock {
    fn parse(text: &str, zone: TimeZone) -> Result<Self, String> {
        if text.is_empty() {
            return Err("empty spec string".to_owned());
        }
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = fields[..] else {
            let (found, all) = (fields.len(), fields.join(" "));
            return Err(format!("expected exactly 5 fields, found {found}: [{all}]"));
        };
        Ok(Self {
            minutes: Field::MINUTE.values(minutes)?,
            hours: Field::HOUR.values(hours)?,
            days: Field::DAY.values(days)?,
            months: Field::MONTH.values(months)?,
            weekdays: Field::WEEKDAY.values(weekdays)?,
            zone,
        })
    }

    fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let mut search = Search { clock: self, at: after, moved: false };
        search.add(1);
        let last = search.wall().year().saturating_add(YEARS);
        // Each round finds the next value of a field, the greatest first; one that comes back to its beginning
        // has changed those above it.
        loop {
            if search.wall().year() > last {
                return None;
            }
            if search.month() && search.day() && search.hour() && search.minute() && search.second()
            {
                return Some(search.at);
            }
        }
    }

    /// Where both are restricted, either will do.
    fn matches_day(&self, wall: DateTime) -> bool {
        let day = self.days.has(wall.day().unsigned_abs());
        let weekday = self.weekdays.has(wall.weekday().to_sunday_zero_offset().unsigned_abs());
        let all = self.days.is_all() || self.weekdays.is_all();
        if all { day && weekday } else { day || weekday }
    }
}

/// A search for the next time. Its steps say whether their field has the right value; if not, a field
/// above it has changed.
struct Search<'c> {
    clock: &'c Clock,
    at: Timestamp,
    /// Whether it has left the time at which it began, so that all smaller fields are at their beginning.
    moved: bool,
}

impl Search<'_> {
    fn wall(&self) -> DateTime {
        self.clock.zone.to_datetime(self.at)
    }

    /// Goes to this time on the wall. Of an hour that is skipped or comes twice one of the times is taken.
    fn go_to(&mut self, wall: DateTime) {
        let as_utc = |offset: Timestamp| self.clock.zone.to_offset(offset).seconds();
        let Ok(naive) = TimeZone::UTC.to_timestamp(wall) else { return };
        let guess = naive - SignedDuration::from_secs(as_utc(naive).into());
        self.at = naive - SignedDuration::from_secs(as_utc(guess).into());
    }

    /// The first time that a field is wrong, whatever is smaller begins anew.
    fn begin(&mut self, wall: DateTime) {
        if !self.moved {
            self.moved = true;
            self.go_to(wall);
        }
    }

    fn add(&mut self, seconds: i64) {
        self.at =
            self.at.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX);
    }

    fn month(&mut self) -> bool {
        while !self.clock.months.has(self.wall().month().unsigned_abs()) {
            self.begin(self.wall().date().first_of_month().at(0, 0, 0, 0));
            let wall = self.wall();
            let Ok(next) = wall.checked_add(jiff::Span::new().months(1)) else { return false };
            self.go_to(next);
            if self.wall().month() == 1 {
                return false;
            }
        }
        true
    }

    fn day(&mut self) -> bool {
        while !self.clock.matches_day(self.wall()) {
            self.begin(self.wall().date().at(0, 0, 0, 0));
            let Ok(next) = self.wall().checked_add(jiff::Span::new().days(1)) else { return false };
            self.go_to(next);
            // A zone that skips midnight, or has an hour before it twice.
            match i64::from(self.wall().hour()) {
                0 => {}
                late @ 13.. => self.add((24 - late) * 3600),
                early => self.add(-early * 3600),
            }
            if self.wall().day() == 1 {
                return false;
            }
        }
        true
    }

    fn hour(&mut self) -> bool {
        while !self.clock.hours.has(self.wall().hour().unsigned_abs()) {
            let wall = self.wall();
            self.begin(wall.date().at(wall.hour(), 0, 0, 0));
            self.add(3600);
            if self.wall().hour() == 0 {
                return false;
            }
        }
        true
    }

    fn minute(&mut self) -> bool {
        while !self.clock.minutes.has(self.wall().minute().unsigned_abs()) {
            if !self.moved {
                self.moved = true;
                self.add(-self.at.as_second().rem_euclid(60));
            }
            self.add(60);
            if self.wall().minute() == 0 {
                return false;
            }
        }
        true
    }

    fn second(&mut self) -> bool {
        let passed = i64::from(self.wall().second());
        if passed != 0 {
            self.moved = true;
            self.add(60 - passed);
        }
        passed == 0
    }
}
