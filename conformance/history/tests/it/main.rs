//! The judges find what is wrong, and find nothing where nothing is.

mod bugs;
mod histories;
