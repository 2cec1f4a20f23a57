use super::*;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

#[test]
fn w_32_durations_fall_into_the_decades_of_upstream() {
    assert_eq!(Durations::BOUNDS[0], Duration::from_nanos(10));
    assert_eq!(Durations::BOUNDS[5], ms(1));
    assert_eq!(Durations::BOUNDS[11], Duration::from_secs(1000));
    let mut durations = Durations::default();
    for duration in [Duration::ZERO, Duration::from_nanos(10), ms(1), ms(2), ms(1_000_001)] {
        durations.observe(duration);
    }
    assert_eq!(durations.counts, [2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1]);
    assert_eq!(durations.sum, ms(1_000_004) + Duration::from_nanos(10));
    assert_eq!(durations.count(), 5);
}

#[test]
fn figures_of_queues_with_one_name_are_added() {
    let mut one = Figures { depth: vec![(0, 2)], adds: 3, retries: 1, ..Figures::default() };
    one.queue_duration.observe(ms(1));
    (one.unfinished_work, one.longest_running) = (ms(7), ms(5));
    let mut other = Figures { depth: vec![(-100, 4), (0, 1)], adds: 5, ..Figures::default() };
    other.queue_duration.observe(ms(1));
    other.work_duration.observe(ms(3));
    (other.unfinished_work, other.longest_running) = (ms(4), ms(4));
    other.depth_of_others = Some(6);
    one.merge(&other);
    assert_eq!(one.depth, [(0, 3), (-100, 4)]);
    assert_eq!((one.depth_of_others, one.adds, one.retries), (Some(6), 8, 1));
    assert_eq!((one.queue_duration.count(), one.work_duration.count()), (2, 1));
    assert_eq!((one.queue_duration.sum, one.work_duration.sum), (ms(2), ms(3)));
    assert_eq!((one.unfinished_work, one.longest_running), (ms(11), ms(5)));
    one.merge(&other);
    assert_eq!((one.depth_of_others, one.longest_running), (Some(12), ms(5)));
}
