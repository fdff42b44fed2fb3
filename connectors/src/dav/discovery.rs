//! The collections there are, found anew each round: which host serves them is the server's to change.

use std::collections::HashSet;

use reqwest::Url;

use super::client::{DavAnswer, DavClient, DavDepth};
use super::kind::DavKind;
use super::multistatus::DavResponse;
use super::names::DavElement;
use super::requests::{FIND_HOME, LIST_HOME, TRY_HOME};
use super::resource_key::resource_key;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::JudgedAddress;
use crate::limits::{ANSWER_BYTES_MAX, DAV_COLLECTIONS_MAX};

/// A calendar or an address book, as it is in this round.
#[derive(Clone, Debug)]
pub(super) struct DavCollection {
    pub(super) address: JudgedAddress,
    pub(super) key: String,
    pub(super) name: Option<String>,
    pub(super) color: Option<String>,
    /// What changes with each change in it, where the server keeps count of them (RFC 6578).
    pub(super) sync_token: Option<String>,
    /// The same, where the server does not.
    pub(super) ctag: Option<String>,
}

/// Where the collections lie: what the address itself says, else what it says of where to begin.
pub(super) async fn find_homes(
    client: &DavClient,
    start: &Url,
    kind: DavKind,
) -> Result<Vec<JudgedAddress>, SourceFailure> {
    let message = format!("the source names no {}", kind.noun());
    let mut failure = SourceFailure::new(FailureKind::NotFound, message);
    let well_known = start.join(kind.well_known()).ok();
    for entry in [Some(start), well_known.as_ref()].into_iter().flatten() {
        match find_homes_from(client, entry, kind).await {
            Ok(homes) if homes.is_empty() => {}
            Ok(homes) => return Ok(homes),
            Err(refused) if is_of_this_address(&refused) => failure = refused,
            Err(refused) => return Err(refused),
        }
    }
    Err(failure)
}

/// Whether another address of the same server may answer better.
fn is_of_this_address(failure: &SourceFailure) -> bool {
    use FailureKind::{Malformed, NotFound, Rejected};
    matches!(failure.kind, Malformed | NotFound | Rejected)
}

async fn find_homes_from(
    client: &DavClient,
    entry: &Url,
    kind: DavKind,
) -> Result<Vec<JudgedAddress>, SourceFailure> {
    let entry = client.judge(entry)?;
    let answer = find_home(client, &entry).await?;
    let homes = addresses(client, &answer, kind.home())?;
    let principals = addresses(client, &answer, DavElement::Principal)?;
    match principals.first() {
        Some(principal) if homes.is_empty() => {
            let answer = find_home(client, principal).await?;
            addresses(client, &answer, kind.home())
        }
        _ => Ok(homes),
    }
}

async fn find_home(client: &DavClient, at: &JudgedAddress) -> Result<DavAnswer, SourceFailure> {
    let depth = DavDepth::Itself;
    client.find(at, depth, FIND_HOME, ANSWER_BYTES_MAX).await
}

fn addresses(
    client: &DavClient,
    answer: &DavAnswer,
    property: DavElement,
) -> Result<Vec<JudgedAddress>, SourceFailure> {
    let responses = answer.content.responses.iter();
    let hrefs = responses.flat_map(|response| response.all(property));
    hrefs
        .map(|href| client.resolve(&answer.from, href))
        .collect()
}

/// Makes sure that the collections in these homes can be listed.
pub(super) async fn try_to_list(
    client: &DavClient,
    homes: &[JudgedAddress],
    kind: DavKind,
) -> Result<(), SourceFailure> {
    let listed = collections_in(client, homes, kind, TRY_HOME).await;
    listed.map(drop)
}

/// The collections in these homes, each once.
pub(super) async fn list_collections(
    client: &DavClient,
    homes: &[JudgedAddress],
    kind: DavKind,
) -> Result<Vec<DavCollection>, SourceFailure> {
    collections_in(client, homes, kind, LIST_HOME).await
}

async fn collections_in(
    client: &DavClient,
    homes: &[JudgedAddress],
    kind: DavKind,
    asked: &'static str,
) -> Result<Vec<DavCollection>, SourceFailure> {
    let mut collections = Vec::new();
    let mut keys = HashSet::new();
    for home in homes {
        for collection in list_home(client, home, kind, asked).await? {
            if keys.insert(collection.key.clone()) {
                collections.push(collection);
            }
        }
    }
    if collections.len() > DAV_COLLECTIONS_MAX {
        let message = format!("the source has more than {DAV_COLLECTIONS_MAX} collections");
        return Err(SourceFailure::new(FailureKind::TooLarge, message));
    }
    Ok(collections)
}

async fn list_home(
    client: &DavClient,
    home: &JudgedAddress,
    kind: DavKind,
    asked: &'static str,
) -> Result<Vec<DavCollection>, SourceFailure> {
    let depth = DavDepth::Members;
    let answer = client.find(home, depth, asked, ANSWER_BYTES_MAX).await?;
    refuse_cut(&answer)?;
    let responses = answer.content.responses.iter();
    responses
        .filter(|response| is_wanted(response, kind))
        .filter_map(|response| Some((response, response.hrefs.first()?)))
        .map(|(response, href)| Ok(collection(response, client.resolve(&answer.from, href)?)))
        .collect()
}

/// A list that is not whole would end calendars that are there: it names at least the home, and nothing in it failed.
fn refuse_cut(answer: &DavAnswer) -> Result<(), SourceFailure> {
    let responses = &answer.content.responses;
    let is_cut = |response: &DavResponse| response.status.is_some_and(|status| status >= 500);
    if responses.is_empty() || responses.iter().any(is_cut) {
        let message = "the source did not list all there is";
        return Err(SourceFailure::new(FailureKind::Unavailable, message));
    }
    Ok(())
}

/// A calendar that says what it holds, and does not hold events, is a list of to-dos.
fn is_wanted(response: &DavResponse, kind: DavKind) -> bool {
    let mut components = response.all(DavElement::Component).peekable();
    let holds_events = components.peek().is_none() || components.any(|name| name == "VEVENT");
    response.is(kind.collection()) && holds_events
}

fn collection(response: &DavResponse, address: JudgedAddress) -> DavCollection {
    let text = |property| response.text(property).map(str::to_owned);
    DavCollection {
        key: resource_key(address.url()),
        address,
        name: text(DavElement::DisplayName),
        color: text(DavElement::Color),
        sync_token: text(DavElement::SyncToken),
        ctag: text(DavElement::CTag),
    }
}
