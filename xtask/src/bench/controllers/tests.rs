use super::*;

/// Each program at its own speed, the second round at half of it.
fn seen() -> Seen {
    let of = |row: &Row| {
        let nanos = [1_000_000, 7_000_000, 4_000_000][row.program];
        let run = |times: u64| Run {
            initial_wall: times * nanos,
            initial_cpu: times * nanos / 2,
            burst_wall: times * nanos * 2,
            burst_cpu: times * nanos,
            latency: [15_000, 25_000, 90_000].map(|latency| latency * times * nanos / 1_000_000),
        };
        vec![run(1), run(2)]
    };
    let bare = [1, 2].map(|times| [10_000, 15_000, 50_000].map(|latency: u64| latency * times));
    Seen { of: ROWS.iter().map(of).collect(), bare: bare.to_vec() }
}

fn args() -> Args {
    Args { maps: 1000, changes: 10, pace: PACE, rounds: 2 }
}

fn cells<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(&format!("| {label} |")));
    line.expect("a row").split('|').map(str::trim).skip(2).collect()
}

#[test]
fn rates_and_ratios_are_those_of_the_rounds() {
    let text = rates(&args(), &seen());
    let ours = ["500", "1.00", "1.00", "250", "1.00", "2.00", "30", "50", "180", "1.00"];
    assert_eq!(cells(&text, "ours, JSON")[..10], ours);
    let kube = ["71", "7.00", "7.00", "36", "7.00", "14.00", "210", "350", "1260", "7.00"];
    assert_eq!(cells(&text, "kube-rs, JSON")[..10], kube);
    assert_eq!(cells(&text, BARE)[5..10], ["–", "20", "30", "100", "0.60"]);
}

#[test]
fn goals_are_judged() {
    let text = goals(&seen());
    let kube = cells(&text, "reconciles of what is there, × kube-rs, JSON");
    assert_eq!(kube[..2], ["7.00", "≥ 5"]);
    let runtime = cells(&text, "reconciles of what is there, × controller-runtime, JSON");
    assert_eq!(runtime[..2], ["4.00", "≥ 5, missed"]);
    let latency = cells(&text, "ours, JSON: µs to 99 % of reconciles, less those of a bare reader");
    assert_eq!(latency[..2], ["20.0", "≤ 20"]);
}

#[test]
fn the_page_is_its_own_and_says_how_it_was_asked() {
    let chapter = chapter(&args(), &seen());
    assert_eq!(chapter.page, "benchmarks-controllers.md");
    assert_eq!(chapter.args, " --maps 1000 --changes 10 --rounds 2");
    assert!(!chapter.plot.svg().contains("NaN"));
}
