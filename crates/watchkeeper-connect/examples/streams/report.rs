//! One line a check.

use std::error::Error;
use std::fmt::Debug;
use std::time::Duration;

use tokio::time::timeout;

/// How a check went.
pub(crate) type Checked = Result<(), Box<dyn Error>>;

/// How all of them went.
#[derive(Debug)]
pub(crate) struct Report {
    patience: Duration,
    failed: usize,
}

impl Report {
    /// No check takes longer than `patience`.
    pub(crate) const fn new(patience: Duration) -> Self {
        Self { patience, failed: 0 }
    }

    #[expect(clippy::print_stdout, reason = "this is what the example tells")]
    pub(crate) async fn check(&mut self, what: &str, check: impl Future<Output = Checked>) {
        let outcome = timeout(self.patience, check).await;
        match outcome.unwrap_or_else(|_| Err("it does not end".into())) {
            Ok(()) => println!("ok  {what}"),
            Err(error) => {
                self.failed += 1;
                println!("FAILED  {what}: {error}");
            }
        }
    }

    pub(crate) const fn is_good(&self) -> bool {
        self.failed == 0
    }
}

/// Both are the same, or what they are.
pub(crate) fn same<T: PartialEq<U> + Debug, U: Debug>(found: T, wanted: U) -> Checked {
    if found == wanted { Ok(()) } else { Err(format!("{found:?}, not {wanted:?}").into()) }
}

/// The text has this in it.
pub(crate) fn has(text: &impl ToString, wanted: &str) -> Checked {
    let text = text.to_string();
    if text.contains(wanted) { Ok(()) } else { Err(format!("no {wanted:?} in {text:?}").into()) }
}

/// How much is sent where much is sent.
pub(crate) const MUCH: usize = 16 << 20;

/// What is sent then: the byte at each place is another.
pub(crate) fn much() -> Vec<u8> {
    let byte = |place: u32| (place.wrapping_mul(2_654_435_761) >> 24) as u8;
    (0..MUCH as u32).map(byte).collect()
}

/// How much, and its hash (FNV-1a), as the pod tells it.
pub(crate) fn sum(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{} {hash:016x}\n", bytes.len())
}
