use super::page::{at_least, at_most, median, ratio, replaced, table, times};
use super::plot::{Panel, Plot};
use super::talk::{Talk, numbers};
use std::process::Command;

#[test]
fn answers_are_numbers() {
    assert_eq!(numbers("12 34\n"), Some([12, 34]));
    assert_eq!(numbers::<2>("12"), None);
    assert_eq!(numbers::<2>("12 34 56"), None);
    assert_eq!(numbers::<2>("twelve 34"), None);
}

#[test]
fn the_median_is_the_middle() {
    assert!((median([9.0, 1.0, 5.0]) - 5.0).abs() < 1e-9);
    assert!((median([9.0, 1.0, 5.0, 7.0]) - 7.0).abs() < 1e-9);
}

#[test]
fn a_ratio_is_taken_round_by_round() {
    // Each round has another speed, and the second one an outlier.
    assert!((ratio([10, 900, 40], [5, 10, 20]) - 2.0).abs() < 1e-9);
}

#[test]
fn ratios_have_three_digits() {
    assert_eq!([0.512, 9.994, 12.34, 123.4].map(times), ["0.51", "9.99", "12.3", "123"]);
}

#[test]
fn a_goal_that_is_missed_says_so() {
    assert_eq!([at_most(1.2, 1.2), at_most(1.2, 1.3)], ["≤ 1.2", "≤ 1.2, missed"]);
    assert_eq!([at_least(7.0, 7.0), at_least(7.0, 6.9)], ["≥ 7", "≥ 7, missed"]);
}

#[test]
fn a_table_has_its_figures_on_the_right() {
    let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["b".to_owned(), "2".to_owned()]];
    assert_eq!(table(&["what", "µs"], &rows), "| what | µs |\n|---|---:|\n| a | 1 |\n| b | 2 |\n");
}

#[test]
fn a_chapter_is_replaced_and_the_rest_stays() {
    let page = replaced("# Page\n", "a", "first\n");
    assert_eq!(page, "# Page\n\n<!-- a -->\nfirst\n<!-- end of a -->\n");
    let page = replaced(&page, "b", "second\n");
    let page = replaced(&page, "a", "third\n") + "By hand.\n";
    let page = replaced(&page, "b", "fourth\n");
    let expected = "# Page\n\n<!-- a -->\nthird\n<!-- end of a -->\n\n\
                    <!-- b -->\nfourth\n<!-- end of b -->\nBy hand.\n";
    assert_eq!(page, expected);
}

#[test]
fn a_bar_is_longer_by_as_much_for_each_power_of_ten() {
    let rows = [1.0, 10.0, 100.0].map(|value| (format!("`{value}` & <more>"), [value, value]));
    let panel = Panel { title: "Ratios", rows: rows.into() };
    let svg = Plot { title: "Bars", legend: ["alike", "unlike"], panels: vec![panel] }.svg();
    let bars: Vec<f64> = svg
        .lines()
        .filter(|line| line.contains("height=\"12\" fill=\"#2f6f4f\"") && !line.contains("alike"))
        .filter_map(|line| line.split("width=\"").nth(1)?.split('"').next()?.parse().ok())
        .collect();
    let [one, ten, hundred] = bars[..] else { panic!("three bars: {bars:?}\n{svg}") };
    assert!(one > 0.0 && ((ten - one) - (hundred - ten)).abs() <= 1.0, "{bars:?}");
    assert!(hundred <= 490.0, "{hundred}");
    assert!(svg.contains("10 &amp; &lt;more&gt;") && !svg.contains('`'), "{svg}");
}

#[test]
fn a_program_is_asked_and_answers() {
    let mut command = Command::new("sh");
    command.args(["-c", "read what; echo $what 2; echo no number; read more; exit 3"]);
    let mut talk = Talk::start(command).expect("a shell");
    talk.say("1").expect("it listens");
    assert_eq!(talk.hear_numbers(), Ok([1, 2]));
    assert_eq!(talk.hear_numbers::<1>(), Err("sh answered \"no number\"".to_owned()));
    talk.say("end").expect("it listens");
    assert_eq!(talk.hear(), Err("sh ended instead of answering".to_owned()));
}
