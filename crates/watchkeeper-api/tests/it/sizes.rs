//! What values take in memory before they hold anything: caches multiply it by what they hold.

use std::fmt::Write as _;

use expect_test::expect;
use watchkeeper_api::core::v1::{Container, Pod, Volume};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{
    IStr, IntOrString, List, Map, Quantity, Raw, Shared, Time, Unstructured, json,
};

#[test]
fn sizes_in_bytes() {
    let mut sizes = String::new();
    macro_rules! size {
        ($($type:ty),* $(,)?) => {
            $(let _ = writeln!(sizes, "{} {}", stringify!($type), size_of::<$type>());)*
        };
    }
    size!(
        IStr,
        Option<IStr>,
        List<IStr>,
        Map,
        Shared<List<IStr>>,
        Quantity,
        Raw,
        IntOrString,
        Option<Time>,
        ObjectMeta,
        Container,
        Volume,
        Pod,
        Unstructured,
        Result<(), json::ReadError>,
    );
    let expected = expect![[r#"
        IStr 8
        Option<IStr> 8
        List<IStr> 16
        Map 16
        Shared<List<IStr>> 8
        Quantity 8
        Raw 8
        IntOrString 16
        Option<Time> 8
        ObjectMeta 168
        Container 256
        Volume 256
        Pod 816
        Unstructured 192
        Result<(), json::ReadError> 8
    "#]];
    #[cfg(target_pointer_width = "64")]
    expected.assert_eq(&sizes);
}
