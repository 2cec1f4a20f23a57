//! How long requests took.

use std::time::Duration;

use super::{BUCKETS, Histogram};

#[test]
fn a_bucket_has_all_that_were_as_fast() {
    let mut histogram = Histogram::default();
    for millis in [0, 5, 6, 60_000, 70_000] {
        histogram.observe(Duration::from_millis(millis));
    }
    assert_eq!(histogram.buckets[0], 2);
    assert_eq!(histogram.buckets[1], 3);
    assert_eq!(histogram.buckets[BUCKETS.len() - 1], 4);
    assert_eq!((histogram.count, histogram.sum), (5, Duration::from_millis(130_011)));
}
