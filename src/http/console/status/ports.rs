//! The ports of this process, as the status names them.

use schemars::JsonSchema;
use serde::Serialize;

/// The ports that were opened.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Ports {
    #[schemars(with = "u64")]
    pub console: u16,
    #[schemars(with = "u64")]
    pub agent: u16,
}
