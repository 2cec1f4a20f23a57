//! Modules of the controller and of the manager, without their `sync`.

#[path = "../../../crates/watchkeeper-controller/src"]
pub(crate) mod controller {
    pub(crate) mod mix;
    pub(crate) mod share;
    pub(crate) mod stop;
    pub(crate) mod switch;
    pub(crate) mod told;
}

#[path = "../../../crates/watchkeeper-manager/src"]
pub(crate) mod manager {
    #[path = "leader/fence.rs"]
    pub(crate) mod fence;
    pub(crate) mod runnable;
}
