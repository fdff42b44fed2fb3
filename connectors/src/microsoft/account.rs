//! Whose sign-in it is. The four scopes name no account: `User.Read` is none of them.

use super::client::GraphClient;
use super::object::{GraphObject, inner, objects, text};
use crate::bearer::BearerClient;
use crate::failure::{FailureKind, SourceFailure};

/// What has an id that is another for each mailbox, where there is no calendar to ask.
const FOLDERS: [&str; 2] = [
    "mailFolders/inbox?$select=id",
    "contactFolders/contacts?$select=id",
];

/// What the person sent last, in their own name or another's.
const SENT: &str = "mailFolders/sentitems/messages?$select=from,sender&$top=10";

/// Whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphAccount {
    /// The address of the default calendar's owner, else the id of the inbox or of the contacts' folder, whichever the sign-in may see
    /// first.
    pub identity: String,
    /// The owner's address, else the one that the person's own mail is from; `None` where the sign-in may see neither.
    pub address: Option<String>,
}

/// What the sign-in may see of whose it is; `None` if it is nothing.
///
/// # Errors
/// When Graph does not answer; not when it refuses.
pub async fn account_of(bearer: &BearerClient) -> Result<Option<GraphAccount>, SourceFailure> {
    let client = GraphClient::new(bearer.clone());
    let calendar = client.of_mine("calendar?$select=id,owner").await;
    if let Some(calendar) = allowed(calendar)? {
        let owner = inner(&calendar, "owner");
        let address = owner.and_then(|owner| text(owner, "address"));
        if let Some(address) = address {
            let address = address.to_lowercase();
            return Ok(Some(GraphAccount {
                identity: address.clone(),
                address: Some(address),
            }));
        }
    }
    for path in FOLDERS {
        let folder = allowed(client.of_mine(path).await)?;
        if let Some(id) = folder.as_ref().and_then(|folder| text(folder, "id")) {
            return Ok(Some(GraphAccount {
                identity: id.to_owned(),
                address: sending_address(&client).await?,
            }));
        }
    }
    Ok(None)
}

/// The address of a mail that the person sent from their own mailbox in nobody else's name.
async fn sending_address(client: &GraphClient) -> Result<Option<String>, SourceFailure> {
    let sent = allowed(client.of_mine(SENT).await)?;
    let sent = sent.iter().flat_map(|sent| objects(sent, "value"));
    let mut own = sent.filter_map(|message| {
        let [from, sender] = ["from", "sender"].map(|name| address(message, name));
        from.filter(|_| from == sender)
    });
    Ok(own.next().map(str::to_lowercase))
}

/// The address of a message's field.
fn address<'a>(message: &'a GraphObject, name: &str) -> Option<&'a str> {
    text(inner(inner(message, name)?, "emailAddress")?, "address")
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
