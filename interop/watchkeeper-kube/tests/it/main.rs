//! kube's types and client under ours, as the compiler and a server see them.

mod beside;
mod client;
mod compare;
mod controller;
mod convert;
mod definitions;
mod generate;
mod informer;
mod kinds;
mod kube_shaped;
mod round_trip;
mod streams;
