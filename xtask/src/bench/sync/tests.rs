use super::*;

/// As if each client had needed so many times what ours did.
fn seen() -> Seen {
    let run = |of: u64| Run {
        sync_wall: 2_000_000_000 * of,
        sync_cpu: 1_000_000_000 * of,
        peak: 90_000_000 * of,
        held: 70_000_000 * of,
        bare: 10_000_000 * of,
        relist_peak: 90_000_000 * of,
        changes_wall: 500_000_000 * of,
        changes_cpu: 100_000_000 * of,
    };
    let factors = [1, 1, 1, 8, 6, 39, 1, 1, 12, 2, 6, 2, 9];
    // The second round was slow for everybody: a ratio does not see that.
    let runs = |of: &[u64]| {
        of.iter().map(|of| [0, 1].map(|_| vec![run(*of), run(3 * of), run(*of)])).collect()
    };
    let once = |of: u64| [0, 1].map(|_| vec![run(of)]);
    let others_thrice = [24, 130, 36].map(once).into();
    Seen { runs: runs(&factors), thrice: runs(&[3, 4, 6]), others_thrice }
}

fn cells<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(&format!("| {label} |")));
    line.expect("a row").split('|').map(str::trim).collect()
}

#[test]
fn a_client_stands_beside_ours_with_its_codec() {
    let args = Args { pods: 20_000, changes: 10_000, rounds: 3 };
    let chapter = chapter(&args, &seen());
    let ours = cells(&chapter.text, "ours, JSON");
    let expected = [
        "1.00",
        "50.0",
        "2.00",
        "1.00",
        "3500",
        "90",
        "10.0",
        "1.12",
        "1.00",
        "10.0",
        "20000",
        "≤ 3500; ≤ 16; ≤ 1.1, missed",
    ];
    assert_eq!(ours[2..14], expected);
    let packed = cells(&chapter.text, "ours, JSON, packed");
    assert_eq!(packed[13], "≤ 1000, missed; ≤ 16; ≤ 1.1, missed");
    let kube = cells(&chapter.text, "kube-rs");
    assert_eq!((kube[2], kube[6], kube[13]), ("8.00", "28000", "≥ 7; ≥ 6"));
    let go = cells(&chapter.text, "client-go, JSON");
    assert_eq!((go[2], go[13]), ("39.0", "≥ 40, missed; ≥ 40, missed"));
    let go = cells(&chapter.text, "client-go, protobuf");
    assert_eq!((go[2], go[13]), ("12.0", "≥ 12; ≥ 10"));
    let paged = cells(&chapter.text, "kube-rs, listed in pages");
    assert_eq!((paged[2], paged[13]), ("3.00", ""));
    let args = Args::default();
    assert_eq!(super::chapter(&args, &seen()).args, "", "these are the usual arguments");
}

#[test]
fn three_times_the_pods_stand_beside_three_times_the_time() {
    let text = thrice_table(&seen());
    // 90 MB more for each time that it took: the last is packed.
    let [ours, protobuf, packed] = ["ours, JSON", "ours, protobuf", "ours, JSON, packed"]
        .map(|label| cells(&text, &format!("{label}, alike")));
    assert_eq!((ours[2], ours[4], ours[7]), ("1.00", "270", "≤ 1; ≤ 500"));
    assert_eq!((protobuf[2], protobuf[4]), ("1.33", "360"));
    assert_eq!((packed[4], packed[7]), ("540", "≤ 1, missed; ≤ 500, missed"));
    let kube = cells(&text, "kube-rs, unlike");
    assert_eq!((kube[2], kube[4], kube[7]), ("1.00", "2160", ""));
    assert_eq!(cells(&text, "client-go, JSON, alike")[2], "1.11");
}

#[test]
fn other_arguments_than_the_usual_ones_are_told() {
    let args = Args { pods: 20_000, changes: 10_000, rounds: 3 };
    assert_eq!(chapter(&args, &seen()).args, " --pods 20000 --changes 10000 --rounds 3");
}

#[test]
fn every_row_stands_beside_a_row_of_ours() {
    for row in ROWS {
        assert_eq!(ROWS[row.beside].program, OURS, "{}", row.label);
        assert_eq!(row.holds.is_some(), row.program == OURS, "{}", row.label);
    }
}
