use super::beside::rate;
use super::chapter::{chapter, shown};
use super::listed::Listed;
use super::within::{Crowds, Within};
use super::{Beside, SIDES, Seen, Sizes, USUAL};

fn round(ready: f64, creates: f64) -> Beside {
    Beside { ready, idle: 12_000_000, creates: [creates, 2.0 * creates], events: 40_000.0 }
}

fn seen() -> Seen {
    let sides = [round(0.030, 8000.0), round(0.040, 6000.0), round(0.050, 0.0), round(4.0, 400.0)];
    let within = Within {
        ready: [9_000_000, 11_000_000],
        writes: 51_000.0,
        events: 900_000.0,
        deployment: 1_500_000_000,
        deployment_writes: 8000,
    };
    Seen {
        beside: sides.into_iter().map(|side| vec![side]).collect(),
        within: vec![within],
        crowds: Crowds {
            pods_took: 1,
            pods_made: 100_000,
            pods: 2_000_000_000,
            clusters: [1, 999_000_000],
        },
        ours: Listed { bytes: 5, took: 21_000_000, copied: 10_000_000, growth: 15_000_000 },
        both: [Listed { took: 1, ..Listed::default() }, Listed { took: 9, ..Listed::default() }],
    }
}

#[test]
fn the_chapter_says_what_is_missed() {
    let chapter = chapter(&USUAL, &seen());
    assert_eq!(SIDES.len(), seen().beside.len());
    assert_eq!(chapter.args, "", "the usual sizes need no telling");
    for goal in [
        "| ready in the process, ms | 9.00 | ≤ 10 |",
        "| creates over TLS, one writer, × real | 15.0 | ≥ 15 |",
        "| events/s to 100 watches in the process | 900000 | ≥ 1000000, missed |",
        "| list of 150000 pods, × its bytes copied | 2.10 | ≤ 2, missed |",
        "| grown by it, MB | 15.0 | ≤ 16 |",
        "| Deployment of 1000 replicas available, s | 1.50 | ≤ 1, missed |",
        "| 100000 of 100000 pods made by actors, MB | 2000 | ≤ 1000, missed |",
        "| 1000 clusters at work, MB | 999 | ≤ 1000 |",
    ] {
        assert!(chapter.text.contains(goal), "{goal} is not in\n{}", chapter.text);
    }
}

#[test]
fn fewer_pods_than_were_asked_for_miss_the_goal() {
    let mut seen = seen();
    seen.crowds = Crowds { pods_made: 5000, pods: 1, ..seen.crowds };
    let text = chapter(&USUAL, &seen).text;
    assert!(text.contains("| 5000 of 100000 pods made by actors, MB | 0.00 | ≤ 1000, missed |"));
}

#[test]
fn what_is_less_is_better_by_its_inverse() {
    let text = chapter(&USUAL, &seen()).text;
    assert!(text.contains("| ready, ms | 30.0 | 40.0 | 50.0 | 4000 | 100 |"), "{text}");
    assert!(text.contains("| creates/s, 16 writers | 16000 | 12000 | – | 800 | 15.0 |"), "{text}");
}

#[test]
fn other_sizes_are_told_as_they_are_given() {
    let args = Sizes { rounds: 1, ..USUAL }.told();
    assert!(
        args.starts_with(" --rounds 1 --time 3000 ") && args.ends_with(" --clusters 1000"),
        "{args}"
    );
}

#[test]
fn figures_are_shown() {
    assert!((rate([3, 1_500_000_000]) - 2.0).abs() < 1e-9);
    assert_eq!([0.5, 12345.6].map(shown), ["0.50", "12346"]);
}
