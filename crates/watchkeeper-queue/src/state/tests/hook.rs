//! Orders of one's own.

use std::sync::{Arc, Mutex};

use super::*;

/// The last come, first served; and what it was told.
#[derive(Clone, Default)]
struct Stack {
    keys: Arc<Mutex<Vec<String>>>,
    told: Arc<Mutex<Vec<String>>>,
}

impl Stack {
    fn tell(&self, what: String) {
        self.told.lock().unwrap().push(what);
    }
}

impl ReadyQueue<String> for Stack {
    fn push(&mut self, key: String, priority: i32) {
        self.tell(format!("push {key} {priority}"));
        self.keys.lock().unwrap().push(key);
    }

    fn touch(&mut self, key: &String, priority: i32) {
        self.tell(format!("touch {key} {priority}"));
    }

    fn pop(&mut self) -> Option<String> {
        self.keys.lock().unwrap().pop()
    }
}

#[test]
fn a_hook_orders_what_is_ready() {
    let out =
        run(State::with_hook(Stack::default()), "add a b c\nnext\nadd d\nnext\nnext\nnext\nnext");
    assert_eq!(out, "c\nd\nb\na\n-\n");
}

#[test]
fn w_02_a_hook_is_told_of_a_queued_key_that_is_added_and_not_of_a_held_one() {
    let stack = Stack::default();
    let script = "
        add a
        add a at 3
        add a at 2
        later a 9
        later a 9 4
        later a 8 4
        next
        add a
        add a
        done a
        add a
    ";
    run(State::with_hook(stack.clone()), script);
    let told = stack.told.lock().unwrap();
    let expected = ["push a 0", "touch a 3", "touch a 3", "touch a 4", "push a 0", "touch a 0"];
    assert_eq!(*told, expected);
}

#[test]
fn a_hook_that_errs_hands_out_no_key_twice_and_none_that_is_not_there() {
    let stack = Stack::default();
    let keys = Arc::clone(&stack.keys);
    let mut state = State::with_hook(stack);
    state.add("a".to_owned(), 0);
    keys.lock().unwrap().extend(["a".to_owned(), "nobody".to_owned()]);
    assert_eq!(state.next(Duration::ZERO).as_deref(), Some("a"));
    assert_eq!(state.next(Duration::ZERO), None);
    assert_eq!((state.len(), state.held()), (0, 1));
}
