use super::*;

/// Each queue at its own speed, the second round at half of it.
fn seen() -> Seen {
    let of = |nanos: u64| vec![[nanos, nanos / 2], [nanos * 2, nanos]];
    let speed = [100_000, 800_000, 400_000, 1_600_000];
    let asked = ROWS.iter().flat_map(|row| row.who.iter().map(|who| (row.what, *who)));
    asked.map(|(what, who)| ((what, who), of(speed[who]))).collect()
}

fn held(ours: u64) -> Held {
    vec![[[ours, 90], [180, 190], [200, 210], [300, 310]]; QUEUED.len()]
}

fn cells<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(&format!("| {label} |")));
    line.expect("a row").split('|').map(str::trim).skip(2).collect()
}

#[test]
fn ratios_are_those_of_the_rounds_and_goals_are_judged() {
    let text = rates(&seen());
    let expected = ["10.0", "1.25", "2.50", "0.62", "8.00", "4.00", "16.0", "≥ 12, missed"];
    assert_eq!(cells(&text, "add, get, done")[..8], expected);
    let expected = ["10.0", "–", "–", "–", "–", "–", "–", "≥ 40, missed"];
    assert_eq!(cells(&text, "the state alone, by slot")[..8], expected);
}

#[test]
fn several_threads_are_judged_by_the_time_that_passes() {
    let text = rates(&seen());
    let expected = ["5.00", "–", "1.25", "0.31", "–", "4.00", "16.0", ""];
    assert_eq!(cells(&text, "4 who add, 4 who take")[..8], expected);
}

#[test]
fn a_form_of_ours_stands_beside_what_the_others_have() {
    let text = rates(&seen());
    assert_eq!(cells(&text, "32 at once")[..5], ["10.0", "1.25", "2.50", "0.62", "8.00"]);
    assert_eq!(cells(&text, "the same, three priorities")[..4], ["10.0", "–", "–", "0.62"]);
}

#[test]
fn what_a_key_holds_is_judged_by_the_heap() {
    let text = holdings(&held(72));
    let expected = ["72 (90)", "180 (190)", "200 (210)", "300 (310)", "≤ 100"];
    assert_eq!(cells(&text, "1,000,000 ready, numbers")[..5], expected);
    let text = holdings(&held(101));
    assert_eq!(cells(&text, "1,000,000 ready, texts")[4], "≤ 100, missed");
}

#[test]
fn the_plot_has_a_panel_for_each_of_the_others_with_what_both_can() {
    let chapter = chapter(&Args { rounds: 2 }, &seen(), &held(72));
    assert_eq!(chapter.args, " --rounds 2");
    let labels = |panel: &Panel| panel.rows.iter().map(|row| row.0.clone()).collect::<Vec<_>>();
    let [kube, go, runtime, held] = &chapter.plot.panels[..] else { panic!("four panels") };
    let only_runtime = "the same, three priorities".to_owned();
    assert!(labels(runtime).contains(&only_runtime) && !labels(go).contains(&only_runtime));
    assert!(!labels(kube).contains(&"4 who add, 4 who take".to_owned()));
    assert_eq!(labels(held), WHO[KUBE..]);
    let svg = chapter.plot.svg();
    assert!(!svg.contains("NaN"), "{svg}");
}
