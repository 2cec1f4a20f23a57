//! The API server's rules at request level, named after the bullets they hold.

mod support;

mod v0_protobuf;
mod v1_bad_input;
mod v1_depth;
mod v1_errors;
mod v1_limits;
mod v2_lists;
mod v3_watches;
mod v4_metadata;
mod v4_refusals;
mod v4_writes;
mod v5_patches;
mod v5_repeats;
mod v5_versions;
mod v6_deletes;
mod v7_selectors;
mod v8_tables;
mod v9_discovery;
mod v10_conversion;
mod v10_conversion_answers;
mod v10_conversion_waits;
mod v10_definitions;
mod v10_storage_versions;
mod v11_calls;
mod v11_https;
mod v11_matching;
mod v11_mutating;
mod v11_plugins;
mod v11_policies;
mod v11_webhooks;
mod v12_ways_round;
mod v12_who;
mod v13_autoscalers;
mod v13_others;

mod access;
mod admission;
mod determinism;
mod eviction;
mod hooks;
mod kept;
mod listener;
mod machine;
mod rules;
mod tables;
