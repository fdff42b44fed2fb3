//! Whose sign-in it is. The four scopes name no account: `User.Read` is none of them.

use super::client::GraphClient;
use super::object::{inner, text};
use crate::bearer::BearerClient;
use crate::failure::{FailureKind, SourceFailure};

/// What has an id that is another for each mailbox, where there is no calendar to ask.
const FOLDERS: [&str; 2] = [
    "mailFolders/inbox?$select=id",
    "contactFolders/contacts?$select=id",
];

/// The address of the default calendar's owner, else the id of the inbox or of the contacts' folder, whichever the sign-in may see
/// first; `None` if it may see none.
///
/// # Errors
/// When Graph does not answer; not when it refuses.
pub async fn account_of(bearer: &BearerClient) -> Result<Option<String>, SourceFailure> {
    let client = GraphClient::new(bearer.clone());
    let calendar = client.of_mine("calendar?$select=id,owner").await;
    if let Some(calendar) = allowed(calendar)? {
        let owner = inner(&calendar, "owner");
        let address = owner.and_then(|owner| text(owner, "address"));
        if let Some(address) = address {
            return Ok(Some(address.to_lowercase()));
        }
    }
    for path in FOLDERS {
        let folder = allowed(client.of_mine(path).await)?;
        if let Some(id) = folder.as_ref().and_then(|folder| text(folder, "id")) {
            return Ok(Some(id.to_owned()));
        }
    }
    Ok(None)
}

/// What a sign-in may not see, or does not have, is none.
fn allowed<T>(answer: Result<T, SourceFailure>) -> Result<Option<T>, SourceFailure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(refused) if is_refused(&refused) => Ok(None),
        Err(failure) => Err(failure),
    }
}

const fn is_refused(failure: &SourceFailure) -> bool {
    matches!(failure.kind, FailureKind::NotFound | FailureKind::Rejected)
}
