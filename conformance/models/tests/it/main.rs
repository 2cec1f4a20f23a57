//! Every model through every schedule that counts; the mistaken shells must fail.

mod cache;
mod mistake;
mod queue;
