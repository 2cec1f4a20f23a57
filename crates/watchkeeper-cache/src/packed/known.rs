//! What is known of an object beside its text is cut out of the text, and put back when it is read.

/// How many texts of an object are known: its name, its namespace, its uid and its version, in the order in
/// which a server writes them.
pub(super) const KNOWN: usize = 4;

/// A place that one byte can tell, and one that two can.
const NEAR: usize = 0x80;
const FAR: usize = 0x7f00;
/// Stands for the place of a text that was not found.
const NOWHERE: u8 = 0xff;

/// Cuts each of `known` out of `text`, where it first stands behind the one before, and appends to `places` how
/// far behind that was. What it cuts need not be the member that it looks for: to put it back there is right.
pub(super) fn cut(text: &mut String, known: [&str; KNOWN], places: &mut Vec<u8>) {
    let mut from = 0;
    for word in known {
        let place = text[from..].find(word).filter(|place| !word.is_empty() && *place < FAR);
        match place {
            None => places.push(NOWHERE),
            Some(place) if place < NEAR => places.push(place as u8),
            Some(place) => places.extend([(NEAR | (place >> 8)) as u8, place as u8]),
        }
        if let Some(place) = place {
            from += place;
            text.replace_range(from..from + word.len(), "");
        }
    }
}

/// Where each of `known` was cut out, and what stands behind the places.
pub(super) fn places(mut bytes: &[u8]) -> ([Option<usize>; KNOWN], &[u8]) {
    let places = std::array::from_fn(|_| {
        let (place, rest) = match *bytes {
            [NOWHERE, ref rest @ ..] => (None, rest),
            [near, ref rest @ ..] if usize::from(near) < NEAR => (Some(near.into()), rest),
            [high, low, ref rest @ ..] => {
                (Some((usize::from(high) - NEAR) << 8 | usize::from(low)), rest)
            }
            _ => (None, &[][..]),
        };
        bytes = rest;
        place
    });
    (places, bytes)
}

/// Makes of what `cut` left what it was.
pub(super) fn join(
    mut text: &[u8],
    known: [&str; KNOWN],
    places: [Option<usize>; KNOWN],
    into: &mut Vec<u8>,
) {
    for (word, place) in known.into_iter().zip(places) {
        let Some((before, rest)) = place.and_then(|place| text.split_at_checked(place)) else {
            continue;
        };
        into.extend_from_slice(before);
        into.extend_from_slice(word.as_bytes());
        text = rest;
    }
    into.extend_from_slice(text);
}
