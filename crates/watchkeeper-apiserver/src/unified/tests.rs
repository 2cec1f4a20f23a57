use expect_test::expect;

/// As [`super::diff`], of what is not too much.
fn diff(old: &str, new: &str) -> String {
    super::diff(old, new).expect("not too much")
}

fn lines(text: &str) -> String {
    text.split(' ').collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_the_same_has_no_changes() {
    assert_eq!(diff("", ""), "");
    assert_eq!(diff("a\nb", "a\nb"), "");
}

#[test]
fn a_change_is_told_with_three_lines_around_it() {
    let told = diff(&lines("a b c d e f g h"), &lines("a b c d x y f g h"));
    expect![[r#"
        @@ -2,7 +2,8 @@
         b
         c
         d
        -e
        +x
        +y
         f
         g
         h
    "#]]
    .assert_eq(&told);
}

#[test]
fn changes_that_are_near_are_one_hunk_and_others_are_not() {
    let old = lines("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18");
    let told = diff(&old, &lines("1 2 x 4 5 6 7 8 y 10 11 12 13 14 15 16 17"));
    expect![[r#"
        @@ -1,12 +1,12 @@
         1
         2
        -3
        +x
         4
         5
         6
         7
         8
        -9
        +y
         10
         11
         12
        @@ -15,4 +15,3 @@
         15
         16
         17
        -18
    "#]]
    .assert_eq(&told);
}

#[test]
fn a_text_that_comes_or_goes_is_counted_from_the_line_before() {
    assert_eq!(diff("", "a"), "@@ -0,0 +1 @@\n+a\n");
    assert_eq!(diff("a\nb", ""), "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

/// The longest block counts, not the first one: `ab` in `acab` is its end.
#[test]
fn the_longest_block_is_kept() {
    assert_eq!(diff(&lines("a b"), &lines("a c a b")), "@@ -1,2 +1,4 @@\n+a\n+c\n a\n b\n");
}

#[test]
fn lines_that_come_often_in_a_long_text_begin_no_block() {
    let many = |odd: &str| {
        let line = |at: usize| {
            if at == 150 {
                odd.to_owned()
            } else if at.is_multiple_of(2) {
                "often".to_owned()
            } else {
                format!("l{at}")
            }
        };
        (0..300).map(line).collect::<Vec<_>>().join("\n")
    };
    let told = diff(&many("old"), &many("new"));
    assert_eq!(
        told,
        "@@ -148,7 +148,7 @@\n l147\n often\n l149\n-old\n+new\n l151\n often\n l153\n"
    );
}

/// Many blocks of one line each, among which each line comes often.
#[test]
fn what_would_take_too_long_is_not_told() {
    let text = |odd: &str| {
        let line = |at: usize| {
            if at.is_multiple_of(2) { format!("s{}", at / 2 % 50) } else { format!("{odd}{at}") }
        };
        (0..9_900).map(line).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(super::diff(&text("u"), &text("v")), None);
}

#[test]
fn a_hunk_says_where_it_begins_and_how_long_it_is() {
    for (lines, expected) in
        [((0, 0), "0,0"), ((3, 3), "3,0"), ((3, 4), "4"), ((3, 5), "4,2"), ((0, 2), "1,2")]
    {
        assert_eq!(super::range(lines), expected);
    }
}

#[test]
fn what_is_between_two_changes_parts_them_from_seven_lines_on() {
    let hunks = |between: usize| {
        let same = (0..between).map(|at| format!("s{at}")).collect::<Vec<_>>().join("\n");
        diff(&format!("a\n{same}\nb"), &format!("x\n{same}\ny")).matches("@@ -").count()
    };
    assert_eq!([hunks(1), hunks(6), hunks(7), hunks(20)], [1, 1, 2, 2]);
}

#[test]
fn at_the_edges_of_a_text_three_lines_are_told() {
    let told = diff(&lines("1 2 3 4 5 x"), &lines("1 2 3 4 5 y"));
    assert_eq!(told, "@@ -3,4 +3,4 @@\n 3\n 4\n 5\n-x\n+y\n");
    let told = diff(&lines("x 1 2 3 4 5"), &lines("y 1 2 3 4 5"));
    assert_eq!(told, "@@ -1,4 +1,4 @@\n-x\n+y\n 1\n 2\n 3\n");
    assert_eq!(diff(&lines("1 2 3 4"), &lines("1 2 3 4 5")), "@@ -2,3 +2,4 @@\n 2\n 3\n 4\n+5\n");
    assert_eq!(diff(&lines("0 1 2 3 4"), &lines("1 2 3 4")), "@@ -1,4 +1,3 @@\n-0\n 1\n 2\n 3\n");
}

#[test]
fn of_blocks_that_are_as_long_the_first_is_kept() {
    assert_eq!(diff(&lines("a b"), &lines("b a")), "@@ -1,2 +1,2 @@\n+b\n a\n-b\n");
    assert_eq!(diff(&lines("a"), &lines("a a")), "@@ -1 +1,2 @@\n a\n+a\n");
}

#[test]
fn lines_that_come_often_are_left_out_of_long_texts_only() {
    let text = |len: usize, often: usize| {
        let line = |at: usize| if at < often { "often".to_owned() } else { format!("l{at}") };
        (0..len).map(line).collect::<Vec<_>>()
    };
    let is_placed = |len: usize, often: usize| {
        let text = text(len, often);
        let all: Vec<&str> = text.iter().map(String::as_str).collect();
        super::places(&all).contains_key("often")
    };
    assert!(is_placed(199, 100));
    assert!(is_placed(200, 3) && !is_placed(200, 4));
    assert!(is_placed(300, 4) && !is_placed(300, 5));
}
