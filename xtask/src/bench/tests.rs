use super::numbers;
use super::report::median;

#[test]
fn answers_are_two_numbers() {
    assert_eq!(numbers("12 34\n"), Some([12, 34]));
    assert_eq!(numbers("12"), None);
    assert_eq!(numbers("twelve 34"), None);
}

#[test]
fn the_median_is_the_middle() {
    assert!((median(vec![9.0, 1.0, 5.0]) - 5.0).abs() < 1e-9);
}
