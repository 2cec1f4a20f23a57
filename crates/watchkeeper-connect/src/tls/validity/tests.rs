use super::*;

fn certificate(from: i32, until: i32) -> Vec<u8> {
    let mut params = rcgen::CertificateParams::new(["me".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(from, 2, 3);
    params.not_after = rcgen::date_time_ymd(until, 4, 5);
    params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap().der().to_vec()
}

fn unix(time: &str) -> i64 {
    time.parse::<Time>().unwrap().unix()
}

#[test]
fn both_forms_of_times_are_read() {
    let read = Validity::of(&certificate(1999, 2055)).unwrap();
    assert_eq!(read.from, unix("1999-02-03T00:00:00Z"));
    assert_eq!(read.until, unix("2055-04-05T00:00:00Z"));
    let read = Validity::of(&certificate(2020, 2049)).unwrap();
    assert_eq!(
        (read.from, read.until),
        (unix("2020-02-03T00:00:00Z"), unix("2049-04-05T00:00:00Z"))
    );
}

#[test]
fn what_is_cut_or_no_certificate_has_none() {
    let whole = certificate(2020, 2021);
    for length in 0..whole.len() {
        assert_eq!(Validity::of(&whole[..length]), None, "{length}");
    }
    for text in [&b"certificate"[..], &[SEQUENCE, 0x84, 0xff, 0xff, 0xff, 0xff], &[SEQUENCE, 0xff]]
    {
        assert_eq!(Validity::of(text), None);
    }
}
