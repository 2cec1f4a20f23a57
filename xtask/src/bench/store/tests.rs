use super::*;

/// As if every program did so many thousand a second, and each round were half as fast as the one before.
fn seen(rate: impl Fn(&str, usize) -> [u64; 2]) -> Seen {
    let mut seen = Seen::default();
    for Question { told, who, .. } in QUESTIONS {
        for (what, program) in told.iter().flat_map(|what| who.iter().map(move |who| (what, *who)))
        {
            let numbers = rate(what, program).map(|number| number * 1000);
            let rounds = [numbers.map(|n| 4 * n), numbers.map(|n| 2 * n), numbers];
            seen.0.entry(what).or_default()[program] = rounds.to_vec();
        }
    }
    seen
}

fn cells<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(&format!("| {label} |")));
    line.expect("a row").split('|').map(str::trim).collect()
}

#[test]
fn a_figure_stands_beside_the_others_and_its_goal() {
    let text = store_table(&seen(|what, program| match (what, program) {
        ("get", OURS) => [6_000, 0],
        ("get", KUBE) => [1_500, 0],
        ("get", _) => [2_000, 0],
        ("index", OURS) => [1_000, 0],
        ("get written", OURS) => [2_000, 500],
        _ => [100, 100],
    }));
    let expected = ["12.0", "3.00", "4.00", "4.00", "3.00", "≥ 12"];
    assert_eq!(cells(&text, "lookups by key, M/s")[2..8], expected);
    let expected = ["0.50", "5.00", "5.00", "10.0", "10.0", "≤ 0.3, missed"];
    assert_eq!(cells(&text, "30 objects of an index, µs")[2..8], expected);
    assert_eq!(cells(&text, "the same beside a writer, M/s")[7], "≥ 5, missed");
    assert_eq!(cells(&text, "what that writer writes, M/s")[2..4], ["1.00", "0.20"]);
    assert_eq!(cells(&text, "calls of 100 handlers, M/s")[3], "0.20");
    let borrowed = cells(&text, "the same, looked at and not kept, µs");
    assert_eq!(borrowed[3], "–", "kube-rs was not asked");
}

#[test]
fn readers_are_judged_by_their_control() {
    let text = informer_table(&seen(|what, program| match (what, program) {
        ("informer 10", OURS) => [79, 3],
        ("informer 10", _) => [1, 1],
        _ => [100, 7],
    }));
    let ours = cells(&text, "ours, 10 readers");
    assert_eq!(ours[2..8], ["158000", "200000", "0.79", "6000", "14000", "≥ 0.8, missed"]);
    assert_eq!(cells(&text, "ours, 1 readers")[7], "≥ 0.8");
    assert_eq!(cells(&text, "client-go, 10 readers")[4], "0.01");
}

#[test]
fn the_plot_has_bars_for_what_both_can() {
    let args = Args { objects: 1000, store_rounds: 2 };
    let chapter = chapter(&args, &seen(|_, _| [100, 50]));
    assert_eq!(chapter.args, " --objects 1000 --store-rounds 2");
    let svg = chapter.plot.svg();
    assert!(!svg.contains("NaN") && svg.contains("10 readers"), "{svg}");
}
