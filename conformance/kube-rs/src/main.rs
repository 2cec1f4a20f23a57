//! The defects of kube-rs that docs/parity/cache.md tells of, each shown on its published crates.
//!
//! A row is printed for each: what was done, and what was seen. If one is not seen any more, the program fails:
//! then the page is to be changed. The tests which show that we do not have them are named there.

use std::process::ExitCode;

use tokio::runtime::{Builder, Runtime};

mod client;
mod controllers;
mod flight;
mod server;
mod stores;
mod watches;

/// What was seen, and whether it is the defect.
struct Seen {
    is_defect: bool,
    text: String,
}

impl Seen {
    fn new(is_defect: bool, text: String) -> Self {
        Self { is_defect, text }
    }
}

fn main() -> ExitCode {
    // One of the defects is a panic, and told of in its row.
    std::panic::set_hook(Box::new(|_| ()));
    let rows = [
        ("a", "eight wait for the first list", paused().block_on(stores::a_first_list())),
        ("b", "two changes, the first of what is gone", paused().block_on(stores::b_gone())),
        ("c", "410 as the answer to a watch", paused().block_on(watches::c_gone_as_an_answer())),
        ("d", "deleted while the watch was lost", paused().block_on(watches::d_deleted_unseen())),
        ("e", "one of two watches is forbidden", paused().block_on(controllers::e_one_fails())),
        ("f", "a reconcile panics", paused().block_on(controllers::f_a_panic())),
        ("g", "a thousand in flight wake ten times each", paused().block_on(flight::g_polls())),
        ("h", "a secret that cannot be decoded", paused().block_on(client::h_a_log())),
        ("i", "503 to a POST", real().block_on(client::i_a_post())),
    ];
    let mut missing = Vec::new();
    for (defect, done, seen) in &rows {
        println!("{defect}  {done}: {}", seen.text);
        if !seen.is_defect {
            missing.push(*defect);
        }
    }
    if missing.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("not seen any more: {}; docs/parity/cache.md is to be changed", missing.join(", "));
    ExitCode::FAILURE
}

/// Time goes on only when nobody has anything to do.
fn paused() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime")
}

fn real() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}
