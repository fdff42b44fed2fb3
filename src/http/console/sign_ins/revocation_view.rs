//! What became of a consent at its provider, after it was deleted here.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::console::Parts;
use crate::sign_ins::ConsentEnd;

#[derive(Serialize, JsonSchema)]
pub(in crate::http::console) struct RevocationView {
    /// Whether the provider has ended it.
    ended: bool,
    /// That it is, or where the person ends it.
    message: String,
}

impl RevocationView {
    /// Ends the consent at its provider, if there is one.
    pub(in crate::http::console) async fn of(
        parts: &Parts,
        end: Option<ConsentEnd>,
    ) -> Option<Self> {
        let ending = parts.sign_ins.end_consent(end?).await?;
        Some(Self {
            ended: ending.is_ended,
            message: ending.message,
        })
    }
}
