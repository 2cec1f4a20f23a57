//! Moments and durations as Go reads them, and what it says of those that are none.
//!
//! ```
//! use watchkeeper_schema::times::{Fraction, duration, moment};
//!
//! assert_eq!(duration("1h30m"), Ok(()));
//! assert_eq!(duration("1x"), Err("time: unknown unit \"x\" in duration \"1x\"".to_owned()));
//! assert_eq!(moment("2024-01-01T00:00:00Z", Fraction::Optional), Ok(()));
//! ```

mod durations;
mod moments;

pub use durations::duration;
pub use moments::{Fraction, moment};
