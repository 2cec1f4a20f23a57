use super::*;
use crate::core::v1::ConfigMap;
use crate::{meta, object, pb};

fn body(count: usize) -> Vec<u8> {
    let items: Vec<ConfigMap> = (0..count)
        .map(|index| {
            let value = "v".repeat(index * 100);
            object!(ConfigMap { metadata: { name: "a" }, data: { "key": value } })
        })
        .collect();
    let metadata = ListMeta {
        resource_version: "7".into(),
        remaining_item_count: Some(2),
        ..ListMeta::default()
    };
    list_to_body(&ConfigMap::KIND, &metadata, items.iter().map(|item| item as _))
}

fn cut(body: &[u8], piece: usize) -> Result<(ListHead, Vec<ConfigMap>), ReadError> {
    let (mut frames, mut items) = (ListFrames::default(), Vec::new());
    for chunk in body.chunks(piece) {
        frames.push(chunk, |item| {
            items.push(pb::from_slice(item)?);
            Ok(())
        })?;
    }
    Ok((frames.finish()?, items))
}

#[test]
fn items_are_the_same_however_the_bytes_arrive() {
    let body = body(4);
    let whole = Decoder::new().list::<ConfigMap>(&body).expect("a list");
    assert_eq!((whole.0.kind.as_str(), whole.1.len()), ("ConfigMapList", 4));
    assert_eq!(whole.0.metadata.remaining_item_count, Some(2));
    for piece in (1..40).chain([100, 101, body.len()]) {
        assert_eq!(cut(&body, piece), Ok(whole.clone()), "pieces of {piece}");
    }
    assert_eq!(cut(&self::body(0), 1).expect("a list").1, []);
}

#[test]
fn a_list_that_ends_early_is_an_error() {
    let body = body(2);
    // The two empty fields behind the list say nothing.
    let told = [body.len() - 4, body.len() - 2];
    for end in 0..body.len() {
        assert_eq!(cut(&body[..end], 5).is_ok(), told.contains(&end), "{end} bytes");
        assert_eq!(
            Decoder::new().list::<ConfigMap>(&body[..end]).is_ok(),
            told.contains(&end),
            "{end} bytes"
        );
    }
}

#[test]
fn an_error_in_an_item_is_told_at_its_byte_of_the_list() {
    let mut body = body(3);
    let place = body.iter().rposition(|byte| *byte == b'a').expect("the last name");
    body[place] = 0xff;
    let whole = Decoder::new().list::<ConfigMap>(&body).unwrap_err();
    assert_eq!((whole.path().as_str(), whole.offset()), ("items[2].metadata.name", place));
    for piece in [1, 3, 1_000] {
        assert_eq!(cut(&body, piece), Err(whole.clone()));
    }
}

#[test]
fn a_broken_list_stays_broken() {
    let mut frames = ListFrames::default();
    assert!(frames.push(b"k8s1", |_| Ok(())).is_err());
    assert!(frames.push(&body(1), |_| Ok(())).is_err());
    assert!(frames.finish().is_err());
}

#[test]
fn a_length_beyond_the_limit_is_refused_before_it_arrives() {
    let mut bytes = b"k8s\0\x12\xff\xff\xff\xff\x0f\x12\xff\xff\xff\xff\x0e".to_vec();
    let refused = ListFrames::default().push(&bytes, |_| Ok(())).unwrap_err();
    assert_eq!(refused.message(), "a part of the list is too long");
    bytes.truncate(5);
    assert!(ListFrames::default().push(&bytes, |_| Ok(())).is_ok());
}

#[test]
fn a_member_whose_head_is_longer_than_the_list_is_refused() {
    // The list is one byte, its first member's tag and length are two.
    let refused = ListFrames::default().push(b"k8s\0\x12\x01\x0a\x00\x0a\x00", |_| Ok(()));
    assert_eq!(refused.unwrap_err().message(), "a value is longer than its message");
}

#[test]
fn a_status_has_no_items() {
    let metadata = ListMeta { resource_version: "7".into(), ..ListMeta::default() };
    let status =
        meta::v1::Status { status: "Success".into(), metadata, ..meta::v1::Status::default() };
    let body = pb::to_body(&status);
    for piece in 1..=body.len() {
        let (head, items) = cut(&body, piece).expect("a status");
        assert_eq!((&*head.kind, &*head.metadata.resource_version), ("Status", "7"));
        assert_eq!(items, []);
    }
}

/// A single object has other members under the numbers of a list.
#[test]
fn what_says_that_it_is_no_list_has_no_items() {
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "b" }, data: { "key": "v" } });
    let body = pb::to_body(&map);
    for piece in 1..=body.len() {
        let (head, items) = cut(&body, piece).expect("no list");
        assert_eq!((&*head.kind, &head.metadata), ("ConfigMap", &ListMeta::default()));
        assert_eq!(items, []);
    }
    let refused = Decoder::new().list::<ConfigMap>(&body).unwrap_err();
    assert_eq!(refused.message(), r#"expected a list, found "ConfigMap" of "v1""#);
    assert_eq!(ListFrames::default().finish().unwrap_err().message(), "the answer is empty");
}
