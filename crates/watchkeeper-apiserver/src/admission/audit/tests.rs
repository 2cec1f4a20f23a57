use super::{AuditAnnotation, AuditLog, REMEMBERED};

fn push(log: &mut AuditLog, number: usize) {
    log.push(AuditAnnotation {
        actor: "a".to_owned(),
        table: "pods".to_owned(),
        key: "a/x".to_owned(),
        annotation: "b".to_owned(),
        value: number.to_string(),
    });
}

#[test]
fn the_newest_annotations_are_remembered() {
    let mut log = AuditLog::default();
    (0..REMEMBERED).for_each(|number| push(&mut log, number));
    let all = log.all();
    assert_eq!((all.len(), &*all[0].value), (REMEMBERED, "0"));
    push(&mut log, REMEMBERED);
    let all = log.all();
    assert_eq!((all.len(), &*all[0].value), (REMEMBERED, "1"));
    assert_eq!(all[REMEMBERED - 1].value, REMEMBERED.to_string());
}
