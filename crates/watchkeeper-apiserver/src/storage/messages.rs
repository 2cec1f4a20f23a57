//! Protobuf messages of an object, made when they are first wanted and kept.

use std::sync::OnceLock;

use bytes::Bytes;

/// The messages of one object: one for each model it was asked for in, since the versions of a kind
/// may differ in shape.
#[derive(Clone, Debug, Default)]
pub struct Messages(OnceLock<Box<Kept>>);

#[derive(Clone, Debug)]
struct Kept {
    model: String,
    message: Bytes,
    others: Messages,
}

impl Messages {
    /// The message of that model; `make` makes it the first time.
    pub(crate) fn get_or_make(&self, model: &str, make: impl Fn() -> Bytes) -> Bytes {
        let mut at = self;
        loop {
            let make = || {
                let (model, others) = (model.to_owned(), Self::default());
                Box::new(Kept { model, message: make(), others })
            };
            let kept = at.0.get_or_init(make);
            if kept.model == model {
                return kept.message.clone();
            }
            at = &kept.others;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn each_model_has_its_own_message_and_it_is_made_once() {
        let (messages, made) = (Messages::default(), Cell::new(0));
        let get = |model: &str| {
            messages.get_or_make(model, || {
                made.set(made.get() + 1);
                Bytes::from(model.to_owned())
            })
        };
        for model in ["v1", "v2", "v1beta1", "v2", "v1", "v1beta1"] {
            assert_eq!(get(model), model);
        }
        assert_eq!(made.get(), 3);
    }
}
