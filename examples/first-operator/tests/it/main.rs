//! The guide shows this folder, and the program does what the guide says.

mod page;
mod program;
#[path = "../../src/site.rs"]
mod site;
