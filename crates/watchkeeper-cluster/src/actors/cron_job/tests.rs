//! Schedules, and what follows from them.

mod plan;
mod schedule;
