//! Quantities against known spellings and exact arithmetic.

use std::collections::HashSet;

use proptest::prelude::*;

use super::{Amount, Quantity};
use crate::json;

#[test]
fn canonical_spellings() {
    let cases = [
        ("0", "0"),
        ("0Gi", "0"),
        ("1", "1"),
        ("1000", "1k"),
        ("1024", "1024"),
        ("1024Mi", "1Gi"),
        ("0.5", "500m"),
        ("1.5Gi", "1536Mi"),
        ("100m", "100m"),
        ("1000m", "1"),
        ("1e3", "1e3"),
        ("12E6", "12e6"),
        ("0.1n", "1n"),
        ("-1.5", "-1500m"),
        ("+5", "5"),
        (".5", "500m"),
        ("5.", "5"),
        ("512Ki", "512Ki"),
        ("0.5Ki", "512"),
        ("1.0Ki", "1Ki"),
        ("1500k", "1500k"),
        ("1000k", "1M"),
        ("0.0000000001", "1n"),
        ("9223372036854775807", "9223372036854775807"),
        ("10E", "10E"),
        ("100Ei", "9223372036854775807"),
        ("1e-9", "1e-9"),
        ("1e0", "1"),
        ("1e99999999999", "100000000000e18"),
        ("0.001Ki", "1024m"),
    ];
    for (text, canonical) in cases {
        assert_eq!(Quantity::from(text).canonical().unwrap().as_str(), canonical, "{text}");
    }
}

#[test]
fn what_is_no_quantity() {
    for text in ["", "1.2.3", "1 ", "1gi", "1K", "1e", "1e+", "1ee3", "1KiB", "--1", "１"] {
        assert!(Quantity::from(text).amount().is_err(), "{text}");
    }
}

#[test]
fn values_round_away_from_zero() {
    let amount = |text: &str| text.parse::<Amount>().unwrap();
    assert_eq!(amount("1500m").value(), 2);
    assert_eq!(amount("-1500m").value(), -2);
    assert_eq!(amount("1500u").milli_value(), 2);
    assert_eq!((amount("1Gi") + amount("1024Mi")).to_string(), "2Gi");
    assert_eq!((amount("1") - amount("250m")).to_string(), "750m");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_is_stable_and_equal(text in "-?[0-9]{1,9}(\\.[0-9]{1,6})?(n|u|m||k|M|G|Ki|Mi|Gi|e3|E-2)") {
        let quantity = Quantity::from(text);
        let canonical = quantity.canonical().unwrap();
        prop_assert_eq!(&canonical, &canonical.canonical().unwrap());
        let again = canonical.canonical().unwrap();
        prop_assert_eq!(canonical.as_str(), again.as_str());
    }

    #[test]
    fn millis_are_exact(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
        let amount = |millis: i64| format!("{millis}m").parse::<Amount>().unwrap();
        prop_assert_eq!(amount(a).milli_value(), a);
        prop_assert_eq!((amount(a) + amount(b)).milli_value(), a + b);
        prop_assert_eq!(amount(a).cmp(&amount(b)), a.cmp(&b));
    }

    #[test]
    fn any_text_is_refused_or_read(text in "[-+0-9.eEKMGimnuk]{0,40}") {
        if let Ok(amount) = text.parse::<Amount>() {
            prop_assert!(amount.to_string().parse::<Amount>().is_ok());
        }
    }
}

#[test]
fn arithmetic_stops_at_the_cap() {
    let amount = |text: &str| text.parse::<Amount>().unwrap();
    let largest = amount("100000000000E");
    assert_eq!(largest + largest, largest);
    assert_eq!(-largest - largest, -largest);
    assert_eq!(largest * i64::MIN, -largest);
    assert_eq!((amount("250m") * 3).to_string(), "750m");
    let sum: Amount = ["1Gi", "512Mi", "512Mi"].map(amount).into_iter().sum();
    assert_eq!(sum.to_string(), "2Gi");
}

#[test]
fn what_is_wrong_has_a_place() {
    for (text, offset) in [("", 0), ("x", 0), ("-1.5.2Gi", 4), ("+12Gib", 3), ("1e", 1), ("1é", 1)]
    {
        let error = text.parse::<Amount>().unwrap_err();
        assert_eq!(error.offset(), offset, "{text}");
    }
}

#[test]
fn one_that_is_not_set_compares_as_zero() {
    let (unset, zero) = (Quantity::default(), Quantity::from("0"));
    assert_eq!(unset, zero);
    assert!(unset > Quantity::from("-1") && unset < Quantity::from("1m"));
    assert_eq!([unset.clone(), zero].iter().collect::<HashSet<_>>().len(), 1);
    assert_eq!(json::to_string(&unset), "\"0\"");
    assert_eq!(unset.amount().unwrap_err().offset(), 0);
}
