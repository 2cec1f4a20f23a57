//! After which errors there may be another connection.

use super::*;

#[test]
fn a_client_that_left_and_a_want_of_descriptors_pass() {
    use io::ErrorKind;
    let of_system = io::Error::from_raw_os_error;
    for (error, passes) in [
        (ErrorKind::ConnectionAborted.into(), true),
        (ErrorKind::ConnectionReset.into(), true),
        (ErrorKind::Interrupted.into(), true),
        (ErrorKind::WouldBlock.into(), true),
        // ENFILE and EMFILE.
        (of_system(23), true),
        (of_system(24), true),
        // EBADF and EINVAL.
        (of_system(9), false),
        (of_system(22), false),
        (ErrorKind::Other.into(), false),
    ] {
        assert_eq!(is_passing(&error), passes, "{error}");
    }
}
