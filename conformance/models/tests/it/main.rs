//! Every model through every schedule that counts; the mistaken shells must fail.

mod applying;
mod cache;
mod classic;
mod floors;
mod inquiry;
mod listeners;
mod mistake;
mod queue;
mod running;
mod sharing;
mod store;
mod wakers;
