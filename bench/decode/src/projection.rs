//! A pod of which a controller wants little: who it is, where it runs, and whether it is ready.

use watchkeeper_api::json::Read;
use watchkeeper_api::json::{Fields, ReadError, Reader, names, struct_codec};
use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::{IStr, List, Map, Time};

/// Makes a struct of which only these members are read.
macro_rules! part {
    ($type:ident { $($index:literal $json:literal $rule:ident $field:ident: $of:ty),* $(,)? }) => {
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $type { $(pub $field: $of),* }

        impl Fields for $type {
            fn set(&mut self, index: usize, r: &mut Reader<'_>) -> Result<(), ReadError> {
                match index {
                    $($index => part!(@ $rule self r $field),)*
                    _ => r.skip(),
                }
            }
        }

        struct_codec!($type, names![$($json),*]);
    };
    (@ plain $self:ident $r:ident $field:ident) => { $self.$field.read_into($r) };
    (@ unique $self:ident $r:ident $field:ident) => {{ $self.$field = $r.unique()?; Ok(()) }};
}

part!(PodView {
    0 "metadata" plain metadata: MetaView,
    1 "spec" plain spec: SpecView,
    2 "status" plain status: StatusView,
});
part!(MetaView {
    0 "name" unique name: IStr,
    1 "namespace" plain namespace: IStr,
    2 "uid" unique uid: IStr,
    3 "resourceVersion" unique resource_version: IStr,
    4 "creationTimestamp" plain creation_timestamp: Option<Time>,
    5 "labels" plain labels: Map,
    6 "ownerReferences" plain owner_references: List<OwnerReference>,
});
part!(SpecView { 0 "nodeName" plain node_name: IStr });
part!(StatusView {
    0 "phase" plain phase: IStr,
    1 "conditions" plain conditions: List<ConditionView>,
    2 "podIP" unique pod_ip: IStr,
});
part!(ConditionView { 0 "type" plain type_: IStr, 1 "status" plain status: IStr });
