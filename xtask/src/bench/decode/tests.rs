use super::*;

fn cells<'a>(text: &'a str, label: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.starts_with(&format!("| {label} |")));
    line.expect("a row").split('|').map(str::trim).collect()
}

#[test]
fn a_time_stands_beside_the_floor_of_its_round() {
    // Row by row a tenth more than the floor; in the second round the machine was slow.
    let time = |row: usize| vec![5_000 + 500 * row as u64, 15_000 + 1_500 * row as u64];
    let times: Times = (0..ROWS.len()).map(|row| [time(row), time(row + 2)]).collect();
    let text = times_table(&times);
    let cells_of = |label| cells(&text, label)[2..7].to_vec();
    assert_eq!(cells_of("`serde_json` skips it: the floor"), ["1.00", "15.0", "1.00", "18.0", ""]);
    assert_eq!(cells_of("ours, JSON"), ["1.10", "16.5", "1.08", "19.5", "≤ 1.2"]);
    assert_eq!(cells_of("ours, protobuf"), ["1.20", "18.0", "1.17", "21.0", "≤ 0.5, missed"]);
}

#[test]
fn a_goal_of_the_heap_is_judged_for_each_set() {
    let mut kept: Kept = vec![[[0, 100], [0, 200]]; KEPT.len()];
    kept[0] = [[3_500, 4_000], [5_501, 6_000]];
    let text = kept_table(&kept);
    let ours = ["3500", "4000", "5501", "6000", "≤ 3500; ≤ 5500, missed"];
    assert_eq!(cells(&text, "ours, JSON")[2..7], ours);
    assert_eq!(cells(&text, "k8s-openapi (kube-rs)")[2..7], ["–", "100", "–", "200", ""]);
}
