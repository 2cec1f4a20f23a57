//! The message that `go tool pprof` reads: `perftools.profiles.Profile`, of pprof's `profile.proto`.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use watchkeeper_api::pb::Writer;

#[cfg(test)]
mod tests;

/// What was seen.
#[derive(Debug)]
pub(super) struct Profile {
    pub(super) began: SystemTime,
    pub(super) lasted: Duration,
    /// What a sample stands for.
    pub(super) period: Duration,
    /// Interrupts that found the profiler busy.
    pub(super) missed: u64,
    pub(super) stacks: Vec<Stack>,
}

/// What a thread was seen to do so many times.
#[derive(Debug)]
pub(super) struct Stack {
    pub(super) count: u64,
    pub(super) thread: String,
    /// The innermost first; a frame is a function, and before it those that were compiled into it.
    pub(super) frames: Vec<Vec<Call>>,
}

/// A place in a function.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: String,
    pub(super) symbol: String,
    pub(super) file: String,
    pub(super) line: u32,
}

impl Profile {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut tables = Tables::default();
        tables.text("");
        // The writer begins at the end, so that the table of the texts, which all others add to, is written last.
        let mut writer = Writer::new();
        let missed = tables.text(&format!("missed samples: {}", self.missed));
        packed(&mut writer, 13, &[missed]);
        writer.integer(12, nanos(self.period));
        kind(&mut writer, 11, tables.kind("cpu", "nanoseconds"));
        writer.integer(10, nanos(self.lasted));
        writer.integer(9, nanos(self.began.duration_since(UNIX_EPOCH).unwrap_or_default()));
        for stack in &self.stacks {
            self.sample(&mut writer, stack, &mut tables);
        }
        kind(&mut writer, 1, tables.kind("cpu", "nanoseconds"));
        kind(&mut writer, 1, tables.kind("samples", "count"));
        tables.write(&mut writer);
        writer.finish()
    }

    fn sample(&self, writer: &mut Writer, stack: &Stack, tables: &mut Tables) {
        let places: Vec<_> = stack.frames.iter().map(|frame| tables.place(frame)).collect();
        let (key, thread) = (tables.text("thread"), tables.text(&stack.thread));
        let sample = writer.len();
        let label = writer.len();
        writer.integer(2, thread);
        writer.integer(1, key);
        writer.close(3, label);
        packed(writer, 2, &[stack.count, stack.count.saturating_mul(nanos(self.period))]);
        packed(writer, 1, &places);
        writer.close(2, sample);
    }
}

/// What is written once, and meant by its number elsewhere.
#[derive(Default)]
struct Tables {
    texts: Numbered<String>,
    functions: Numbered<Function>,
    places: Numbered<Place>,
}

/// The texts of its name, its symbol and its file.
type Function = [u64; 3];
/// Functions and lines.
type Place = Vec<(u64, u64)>;

impl Tables {
    /// Texts are counted from nought, which is the empty one.
    fn text(&mut self, text: &str) -> u64 {
        self.texts.number(text.to_owned())
    }

    fn kind(&mut self, name: &str, unit: &str) -> [u64; 2] {
        [self.text(name), self.text(unit)]
    }

    /// Functions and places are counted from one.
    fn place(&mut self, frame: &[Call]) -> u64 {
        let mut place = Vec::with_capacity(frame.len());
        for Call { function, symbol, file, line } in frame {
            let function = [self.text(function), self.text(symbol), self.text(file)];
            place.push((self.functions.number(function) + 1, u64::from(*line)));
        }
        self.places.number(place) + 1
    }

    fn write(self, writer: &mut Writer) {
        for text in self.texts.in_order().iter().rev() {
            writer.bytes(6, text.as_bytes());
        }
        for (number, function) in (1..).zip(self.functions.in_order()) {
            let mark = writer.len();
            for (field, value) in (2..).zip(function) {
                writer.integer(field, value);
            }
            writer.integer(1, number);
            writer.close(5, mark);
        }
        for (number, place) in (1..).zip(self.places.in_order()) {
            let mark = writer.len();
            for (function, line) in place.into_iter().rev() {
                let mark = writer.len();
                writer.integer(2, line);
                writer.integer(1, function);
                writer.close(4, mark);
            }
            writer.integer(1, number);
            writer.close(4, mark);
        }
    }
}

/// Values, by when they came.
struct Numbered<T>(BTreeMap<T, u64>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Ord> Numbered<T> {
    fn number(&mut self, value: T) -> u64 {
        let next = self.0.len() as u64;
        *self.0.entry(value).or_insert(next)
    }

    fn in_order(self) -> Vec<T> {
        let mut values: Vec<_> = self.0.into_iter().collect();
        values.sort_by_key(|(_, number)| *number);
        values.into_iter().map(|(value, _)| value).collect()
    }
}

fn kind(writer: &mut Writer, number: u32, [name, unit]: [u64; 2]) {
    let mark = writer.len();
    writer.integer(2, unit);
    writer.integer(1, name);
    writer.close(number, mark);
}

fn packed(writer: &mut Writer, number: u32, values: &[u64]) {
    let mark = writer.len();
    for value in values.iter().rev() {
        writer.varint(*value);
    }
    writer.close(number, mark);
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
