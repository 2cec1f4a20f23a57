//! Names that tell one template of a workload from another.

/// The digits that upstream spells hashes with: no vowels, so that no word appears by chance.
const DIGITS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// The suffix of what was made from `content`: equal contents give equal suffixes.
///
/// The collision count of a status is part of it, so a taken name is left behind by raising it.
pub(super) fn of(content: Vec<u8>, collisions: Option<i32>) -> String {
    let mut hash = 0x811c_9dc5_u32;
    let mut mix = |byte: u8| {
        hash ^= u32::from(byte);
        hash = hash.wrapping_mul(0x0100_0193);
    };
    content.into_iter().for_each(&mut mix);
    if let Some(count) = collisions {
        count.to_le_bytes().into_iter().for_each(&mut mix);
    }
    spell(hash)
}

/// Upstream's `rand.SafeEncodeString` of a number's decimal text.
fn spell(number: u32) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(DIGITS[usize::from(digit) % DIGITS.len()]))
        .collect()
}
