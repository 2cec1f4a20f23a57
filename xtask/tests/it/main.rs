//! What the tree promises about itself: layers, dependency graph, packages, house style.

mod api_server;
mod benchmarks;
mod bullets;
mod fuzz;
mod gaps;
mod graph;
mod habits;
mod layers;
mod links;
mod messages;
mod order;
mod packages;
mod parity;
mod promises;
mod sources;
mod workspace;
