//! Vectors against bytes one by one.

use proptest::prelude::*;

use super::{BLOCK, Masks, Scan, portable, run, special, utf8};

/// The masks as this processor sees them fastest.
struct One<'a>(&'a [u8; BLOCK]);

impl Scan for One<'_> {
    type Outcome = Masks;
    #[inline(always)]
    fn scan(self, masks: impl Fn(&[u8; BLOCK]) -> Masks) -> Masks {
        masks(self.0)
    }
}

#[test]
fn every_byte_is_what_it_is() {
    // Miri is slow, and looks at the loads, not at the bits.
    for byte in (0..=u8::MAX).step_by(if cfg!(miri) { 17 } else { 1 }) {
        for at in [0, 15, 16, 31, 32, 63] {
            let mut block = [b'x'; BLOCK];
            block[at] = byte;
            assert_eq!(run(One(&block)), portable::masks(&block), "{byte} at {at}");
            #[cfg(target_arch = "x86_64")]
            // SAFETY: SSE2 is part of x86-64.
            let masks = unsafe { super::x86::masks(&block) };
            #[cfg(target_arch = "x86_64")]
            assert_eq!(masks, portable::masks(&block), "{byte} at {at}");
            assert_eq!(special(&block), portable::special(&block), "{byte} at {at}");
        }
    }
}

#[test]
fn one_byte_that_is_no_ascii_is_seen_wherever_it_is() {
    for length in [1, 7, 8, 16, 33, 64] {
        assert_eq!(utf8(&vec![b'x'; length]), Ok("x".repeat(length).as_str()));
        for at in 0..length {
            let mut bytes = vec![b'x'; length];
            bytes[at] = 0x80;
            assert_eq!(utf8(&bytes).map_err(|error| error.valid_up_to()), Err(at), "{length}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: if cfg!(miri) { 8 } else { 256 }, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_what_they_are(bytes in prop::collection::vec(any::<u8>(), BLOCK..2 * BLOCK)) {
        let block = bytes.first_chunk().expect("as many bytes");
        prop_assert_eq!(run(One(block)), portable::masks(block));
        for from in 0..bytes.len() {
            prop_assert_eq!(special(&bytes[from..]), portable::special(&bytes[from..]));
        }
    }

    #[test]
    fn a_text_is_what_the_standard_library_says(
        text in ".{0,40}",
        byte in any::<u8>(),
        at in 0_usize..160,
    ) {
        prop_assert_eq!(utf8(text.as_bytes()), Ok(text.as_str()));
        let mut bytes = text.into_bytes();
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        prop_assert_eq!(utf8(&bytes), std::str::from_utf8(&bytes));
    }
}
