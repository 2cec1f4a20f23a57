use super::*;

fn unreadable(name: &str, version: &str) -> Unreadable {
    let key = (!name.is_empty()).then(|| ("shop", name).into());
    Unreadable { key, version: version.to_owned(), gone: false, reason: "bad".to_owned() }
}

/// What is told at each second, of these: the object, its version, and how many were left out before it.
fn told(all: &[(u64, &str, &str)]) -> Vec<String> {
    let mut aside = Aside::default();
    let heed = |(second, name, version): &(u64, &str, &str)| {
        aside.heed(&unreadable(name, version), Duration::from_secs(*second))
    };
    let news = all.iter().filter_map(heed);
    let shown = news.map(|news| match news {
        News::SetAside { object, version, left_out, .. } => {
            format!("{object}@{version} {left_out}")
        }
        other => panic!("{other:?}"),
    });
    shown.collect()
}

#[test]
fn each_version_of_each_object_is_told_once() {
    let all = [(0, "a", "1"), (1, "b", "1"), (2, "a", "1"), (3, "a", "2"), (99, "a", "2")];
    assert_eq!(told(&all), ["shop/a@1 0", "shop/b@1 0", "shop/a@2 0"]);
    // Of what has neither name nor version only the reason tells one from another.
    assert_eq!(
        told(&[(0, "", ""), (1, "", ""), (2, "", "3")]),
        ["an object without a name@ 0", "an object without a name@3 0",]
    );
}

#[test]
fn ten_a_minute_are_told_and_the_rest_is_counted() {
    let names: Vec<String> = (10..40).map(|number| format!("a{number}")).collect();
    let mut all: Vec<_> = names.iter().map(|name| (0, &**name, "1")).collect();
    all.push((59, "late", "1"));
    assert_eq!(told(&all).len(), 10);
    all.extend([(60, "later", "1"), (60, "a39", "1")]);
    assert_eq!(told(&all)[10..], ["shop/later@1 21", "shop/a39@1 0"]);
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut aside = Aside::default();
    for minute in 0..2 * MANY as u64 {
        let which = unreadable("a", &minute.to_string());
        assert!(aside.heed(&which, MINUTE * u32::try_from(minute).unwrap()).is_some());
        assert!(aside.told.len() <= MANY);
    }
}
