//! What is remembered is worth it, or rests.

use super::{FEW, MOST, Memory, PATIENCE};
use crate::json::MAX_DEPTH;
use crate::json::skip::blocks::length_like;

#[test]
fn what_is_always_new_is_compared_now_and_then() {
    let mut memory = Memory::default();
    let tries = |memory: &mut Memory, found: usize| {
        let tried = |memory: &mut Memory| {
            let is_promising = memory.is_promising(9);
            if is_promising {
                memory.ended(20, true, found);
            }
            is_promising
        };
        (0..100).filter(|_| tried(memory)).count()
    };
    let few = tries(&mut memory, 4);
    assert!(few > usize::from(PATIENCE) && few < 20, "{few}");
    while !memory.is_promising(9) {}
    memory.ended(20, true, 5);
    assert_eq!(tries(&mut memory, 5), 100);
    // A short text says nothing.
    memory.ended(FEW - 1, true, 0);
    assert_eq!(tries(&mut memory, 5), 100);
}

#[test]
fn a_long_text_is_remembered_in_part() {
    let mut memory = Memory::default();
    let text = format!("[{}0]", "\"a text that goes on and on\",".repeat(2_000));
    for _ in 0..3 {
        assert_eq!(length_like(text.as_bytes(), MAX_DEPTH, &mut memory), Some(text.len()));
        assert_eq!(memory.blocks.len(), MOST);
    }
    // Another depth may forbid what was found.
    assert_eq!(length_like(text.as_bytes(), 2, &mut memory), Some(text.len()));
    assert_eq!(length_like(text.as_bytes(), 1, &mut memory), None);
}
