use watchkeeper::prelude::*;

/// A web server behind a host name.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1", status)]
#[object(printcolumn("Host", "string", ".spec.host"))]
#[object(printcolumn("Wanted", "integer", ".spec.replicas"))]
#[object(printcolumn("Ready", "integer", ".status.ready"))]
pub struct Site {
    pub metadata: ObjectMeta,
    pub spec: SiteSpec,
    pub status: SiteStatus,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
pub struct SiteSpec {
    /// The name under which it is reached.
    #[field(pattern = "^[a-z0-9.-]+$", max_length = 253)]
    pub host: IStr,
    /// How many servers there are.
    #[field(default = 1, minimum = 1, maximum = 10)]
    pub replicas: i32,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
pub struct SiteStatus {
    /// How many servers are ready.
    #[field(optional)]
    pub ready: i32,
    /// Whether all of them are.
    #[field(list_type = "map", list_map_keys("type"))]
    pub conditions: List<Condition>,
}
