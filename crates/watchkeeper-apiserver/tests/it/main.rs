//! The API server's rules at request level, named after the bullets they hold.

mod support;

mod v1_errors;
mod v2_lists;
mod v3_watches;
mod v4_writes;
mod v5_patches;
mod v6_deletes;
mod v7_selectors;
//V8
//V9
//VA
//VD

//VX
//VY
//VZ
