//! Who is served by the bridge: whoever came by the public address.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};

use super::answer::BridgeProblem;
use super::caller::TrustedProxies;
use crate::bridge::Bridge;
use crate::exposure::PublicAddress;
use crate::http::headers::came_by;

/// A request that came by the public address; it is not counted.
pub(super) struct BridgeVisit {
    pub bridge: Data<Bridge>,
    pub address: Arc<PublicAddress>,
}

/// The same, counted among the requests of its caller (r103).
pub(super) struct CountedVisit(pub BridgeVisit);

impl FromRequest for BridgeVisit {
    type Error = BridgeProblem;
    type Future = Ready<Result<Self, BridgeProblem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(visit(request))
    }
}

impl FromRequest for CountedVisit {
    type Error = BridgeProblem;
    type Future = Ready<Result<Self, BridgeProblem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(visit(request).and_then(|visit| {
            let proxies = request.app_data::<Data<TrustedProxies>>();
            let caller = proxies.and_then(|proxies| proxies.caller(request));
            visit
                .bridge
                .admit(caller)
                .map_err(BridgeProblem::TooOften)?;
            Ok(Self(visit))
        }))
    }
}

fn visit(request: &HttpRequest) -> Result<BridgeVisit, BridgeProblem> {
    let bridge = request.app_data::<Data<Bridge>>();
    let bridge = bridge.ok_or(BridgeProblem::NotHere)?.clone();
    let exposed = bridge.exposure().address();
    let address = came_by(request.headers(), exposed.as_ref());
    Ok(BridgeVisit {
        address: address.ok_or(BridgeProblem::NotHere)?,
        bridge,
    })
}
