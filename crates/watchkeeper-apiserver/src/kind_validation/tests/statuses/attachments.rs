//! What a driver tells of an attachment.

use super::*;

fn check(change: Value, expected: Expect) {
    let attachment = json!({"spec": {
        "attacher": "d.example.com", "nodeName": "n", "source": {"persistentVolumeName": "v"},
    }});
    check_object("storage.k8s.io", "VolumeAttachment", &attachment, change, expected);
}

#[test]
fn attachments() {
    let message = "x".repeat(1024);
    check(
        json!({"attached": true, "attachmentMetadata": {"a": "b"}, "attachError": {"message": message, "errorCode": 0}}),
        expect![[""]],
    );
    let much = json!({"a": "x".repeat(256 * 1024)});
    let error = json!({"message": "x".repeat(1025), "errorCode": -1});
    check(
        json!({"attachmentMetadata": much, "attachError": error, "detachError": error}),
        expect![[r#"
            status.attachmentMetadata: Too long: may not be more than 262144 bytes
            status.attachError.message: Too long: may not be more than 262144 bytes
            status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive
            status.detachError.message: Too long: may not be more than 262144 bytes
            status.detachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive"#]],
    );
}
