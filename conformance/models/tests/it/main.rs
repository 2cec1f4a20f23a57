//! Every model through every schedule that counts; the mistaken shells must fail.

mod cache;
mod classic;
mod mistake;
mod queue;
