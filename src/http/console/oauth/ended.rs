//! A sign-in that has come back, made known: its connections are published and read at once.

use crate::http::console::Parts;
use crate::http::console::sign_ins::{SignInView, publish_all, read_now};
use crate::http::problem::Problem;
use crate::sign_ins::EndedConsent;

/// Publishes what a consent made, and begins to read it; answers its outcome.
pub(in crate::http::console) async fn make_known(
    parts: &Parts,
    ended: EndedConsent,
) -> Result<SignInView, Problem> {
    if let Some(sign_in) = &ended.sign_in {
        publish_all(parts, sign_in).await;
        read_now(parts, sign_in).await;
    }
    Ok(SignInView::of_outcome(parts, ended.outcome))
}
