//! What happens to the machine, and what it wants done.

use std::fmt;

use bytes::Bytes;
use http::Request;
use http::request::Parts;

use crate::admission::{CallError, OutgoingCall};
use crate::clock::Now;
use crate::containers::Connect;
use crate::journal::Record;
use crate::present::Pieces;

/// Names a request from its start to the end of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// What happens to the server.
pub enum Input {
    /// A request with its whole body.
    Request(Ticket, Box<Request<Bytes>>),
    /// A request whose body is still on its way; [`Input::Body`] follows unless the ticket is done
    /// before.
    Head(Ticket, Box<Parts>),
    /// The body of a request, or why there is none.
    Body(Ticket, Result<Bytes, BodyError>),
    /// The answer to a call of this ticket, by the call's number, or why there is none.
    Called(Ticket, u64, Result<Bytes, CallError>),
    /// The wake-up time of this ticket has come.
    Alarm(Ticket),
    /// The client of this ticket has left.
    Gone(Ticket),
}

/// Neither heads nor bodies: tokens are in those, secrets in these.
impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ticket(ticket) = self.ticket();
        match self {
            Self::Request(_, request) => {
                write!(f, "Request({ticket}, {} {})", request.method(), request.uri())
            }
            Self::Head(_, head) => write!(f, "Head({ticket}, {} {})", head.method, head.uri),
            Self::Body(_, Ok(body)) => write!(f, "Body({ticket}, {} bytes)", body.len()),
            Self::Body(_, Err(error)) => write!(f, "Body({ticket}, {error:?})"),
            Self::Called(_, id, Ok(body)) => {
                write!(f, "Called({ticket}, {id}, {} bytes)", body.len())
            }
            Self::Called(_, id, Err(error)) => write!(f, "Called({ticket}, {id}, {error:?})"),
            Self::Alarm(_) => write!(f, "Alarm({ticket})"),
            Self::Gone(_) => write!(f, "Gone({ticket})"),
        }
    }
}

impl Input {
    pub(crate) const fn ticket(&self) -> Ticket {
        let (Self::Request(ticket, _)
        | Self::Head(ticket, _)
        | Self::Body(ticket, _)
        | Self::Called(ticket, ..)
        | Self::Alarm(ticket)
        | Self::Gone(ticket)) = self;
        *ticket
    }
}

/// Why a body was not read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// It is larger than what is read (V1.5).
    TooLarge,
    /// The client stopped sending.
    Broken(String),
}

/// What the server wants done.
pub enum Output {
    /// Keep these writes; of what follows, now and later, nobody may hear before. Comes first, and only
    /// out of a server that is kept.
    Commit(Vec<Record>),
    /// Answer the request; the ticket is done.
    Reply(Ticket, http::Response<Bytes>),
    /// Answer the request with a long list, piece by piece; the ticket is done.
    List(Ticket, Box<http::Response<Pieces>>),
    /// Start a streamed answer.
    Start(Ticket, http::Response<()>),
    /// Send a part of streamed answers, the same to each of these.
    Frame(Vec<Ticket>, Bytes),
    /// End a streamed answer; the ticket is done.
    End(Ticket),
    /// Drop the connection without an answer; the ticket is done.
    Hangup(Ticket),
    /// Answer the request with what the kubelet has to say; the ticket is done.
    Connect(Ticket, Box<Connect>),
    /// Make this call and send [`Input::Called`] with its answer. One that is not answered in time
    /// is given up by itself.
    Call(Ticket, OutgoingCall),
    /// Send [`Input::Alarm`] at this moment. A later wake-up of a ticket replaces the earlier.
    Wake(Ticket, Now),
}

/// Without bodies: secrets are in those.
impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commit(records) => write!(f, "Commit({records:?})"),
            Self::Reply(Ticket(ticket), answer) => {
                write!(f, "Reply({ticket}, {}, {} bytes)", answer.status(), answer.body().len())
            }
            Self::List(Ticket(ticket), answer) => {
                write!(f, "List({ticket}, {}, {:?})", answer.status(), answer.body())
            }
            Self::Start(Ticket(ticket), answer) => {
                write!(f, "Start({ticket}, {})", answer.status())
            }
            Self::Frame(tickets, frame) => {
                let tickets: Vec<u64> = tickets.iter().map(|ticket| ticket.0).collect();
                write!(f, "Frame({tickets:?}, {} bytes)", frame.len())
            }
            Self::End(Ticket(ticket)) => write!(f, "End({ticket})"),
            Self::Hangup(Ticket(ticket)) => write!(f, "Hangup({ticket})"),
            Self::Connect(Ticket(ticket), connect) => write!(f, "Connect({ticket}, {connect:?})"),
            Self::Call(Ticket(ticket), call) => write!(f, "Call({ticket}, {call:?})"),
            Self::Wake(Ticket(ticket), at) => write!(f, "Wake({ticket}, {at:?})"),
        }
    }
}
