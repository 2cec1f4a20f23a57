//! Requests that the kubelet answers.

use std::sync::PoisonError;

use http::Response;

use super::{ApiServer, Body};
use crate::containers::Connect;
use crate::error::ApiError;
use crate::reply;
use crate::request::accept::Codec;

impl ApiServer {
    pub(super) fn connect(&self, connect: Connect) -> Response<Body> {
        let known = self.shared.kubelet.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(kubelet) = known else {
            let why = "nothing answers for the containers of this server: it was given no kubelet";
            return reply::error(Codec::Json, &ApiError::internal(why)).map(Body::whole);
        };
        match connect {
            Connect::Log(asked) => {
                reply::typed(200, "text/plain", Body::log(kubelet.log(self, asked)))
            }
        }
    }
}
