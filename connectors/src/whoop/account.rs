//! Whose sign-in it is, and the end of the consent.

use reqwest::header::HeaderMap;
use serde::Deserialize;

use super::client::{address, malformed, refusal};
use crate::bearer::BearerClient;
use crate::failure::SourceFailure;

/// Whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct WhoopAccount {
    /// The number by which the source knows the person.
    #[serde(rename = "user_id")]
    pub id: u64,
    /// Where the source writes to them.
    #[serde(rename = "email")]
    pub address: Option<String>,
}

/// Asks the person's profile (scope `read:profile`).
///
/// # Errors
/// When the profile is refused or cannot be read.
pub async fn account_of(client: &BearerClient) -> Result<WhoopAccount, SourceFailure> {
    let at = address("v2/user/profile/basic")?;
    let answer = client.get(&at, HeaderMap::new()).await?;
    if !answer.status.is_success() {
        return Err(refusal(&answer));
    }
    serde_json::from_slice(&answer.body).map_err(|_| malformed("a profile that cannot be read"))
}

/// Ends the consent at the source: no token of it is taken any more.
///
/// # Errors
/// When the source does not confirm it.
pub async fn revoke(client: &BearerClient) -> Result<(), SourceFailure> {
    let answer = client.delete(&address("v2/user/access")?).await?;
    match answer.status.is_success() {
        true => Ok(()),
        false => Err(refusal(&answer)),
    }
}
