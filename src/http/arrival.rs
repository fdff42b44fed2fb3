//! Where the doctor's nonces arrive, on the agent port (`crate::doctor`). Nobody else learns anything here: a nonce is expected for as
//! long as the answer to it takes, and whoever sends it knows it already.

use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

use super::code::Code;
use super::headers::came_by;
use crate::doctor::{ARRIVAL_PATH, Arrivals, ArrivedBy, UNEXPECTED};
use crate::exposure::Exposure;

/// Mounts the route.
pub(crate) fn configure(
    arrivals: &Arrivals,
    exposure: &Exposure,
) -> impl Fn(&mut ServiceConfig) + Clone + Send + use<> {
    let parts = Data::new((arrivals.clone(), exposure.clone()));
    move |service| {
        service
            .app_data(parts.clone())
            .route(&format!("{ARRIVAL_PATH}{{nonce}}"), web::get().to(arrive));
    }
}

async fn arrive(
    request: HttpRequest,
    nonce: Path<String>,
    parts: Data<(Arrivals, Exposure)>,
) -> HttpResponse {
    let (arrivals, exposure) = &**parts;
    let by = match came_by(request.headers(), exposure.address().as_ref()) {
        Some(_) => ArrivedBy::PublicName,
        None => ArrivedBy::OwnName,
    };
    if arrivals.note(&nonce, by) {
        return HttpResponse::NoContent().finish();
    }
    let code = Code::NotFound;
    HttpResponse::build(code.status()).json(json!({ "error": code.name(), "message": UNEXPECTED }))
}
