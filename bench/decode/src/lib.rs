//! What the programs of the rig share: pods, and what the kernel says of a process.

pub mod data;
pub mod heap;
pub mod pods;
pub mod process;
pub mod projection;
