//! Which inputs bring values that are nested deep, or make something so.

use super::{Core, Input};
use crate::{admission, deep};

impl Core {
    /// What was converted is kept, so whatever comes later may be as deep.
    pub(super) fn note_depth(&mut self, input: &Input) {
        if let Input::Called(_, _, Ok(answer)) = input
            && self.converts
            && deep::may_come("", answer)
        {
            self.store.note_depth();
        }
    }

    /// Whether the input has a body that is nested deep, or could make something so.
    pub(super) fn may_bring_depth(&self, input: &Input) -> bool {
        if self.may_be_made_deep(input) {
            return true;
        }
        let (headers, body) = match input {
            Input::Request(_, request) => (Some(request.headers()), request.body()),
            Input::Body(ticket, Ok(body)) => (self.under_way.headers(*ticket), body),
            Input::Alarm(ticket) | Input::Called(ticket, ..) => {
                match self.under_way.waiting(*ticket) {
                    Some(request) => (Some(request.headers()), request.body()),
                    None => return false,
                }
            }
            Input::Head(..) | Input::Body(..) | Input::Gone(_) => return false,
        };
        let media_type = headers.map(crate::request::media_type).unwrap_or_default();
        deep::may_come(media_type, body)
    }

    /// Whether admission could make something deep of whatever the input brings. What others have
    /// answered is applied anew at each try, so it is not the last answer alone that counts; and what
    /// operations of policies come to is known only afterwards.
    fn may_be_made_deep(&self, input: &Input) -> bool {
        let is_write = |method: &http::Method| method != http::Method::GET;
        match input {
            Input::Request(_, request) => is_write(request.method()) && self.policies_change(),
            Input::Body(..) => self.policies_change(),
            Input::Called(..) => admission::may_change(&self.store),
            Input::Alarm(ticket) => {
                let waiting = self.under_way.waiting(*ticket);
                waiting.is_some_and(|request| is_write(request.method()))
                    && admission::may_change(&self.store)
            }
            Input::Head(..) | Input::Gone(_) => false,
        }
    }

    fn policies_change(&self) -> bool {
        admission::policies_may_change(&self.store)
    }
}
