//! What of a collection changed, or what all there is, without the bodies.

use std::collections::{BTreeMap, VecDeque};

use super::client::{DavAnswer, DavClient, DavDepth};
use super::discovery::DavCollection;
use super::multistatus::DavResponse;
use super::names::DavElement;
use super::requests::{LIST_VERSIONS, sync_collection};
use super::resource_key::resource_key;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::DAV_LIST_BYTES_MAX;

/// A list, of which pages are told until it is empty.
#[derive(Debug, Default)]
pub(super) struct DavListing {
    pub(super) there: VecDeque<ListedResource>,
    pub(super) removed: VecDeque<String>,
    /// What the list covers: changes are asked for since it.
    pub(super) token: Option<String>,
    /// The server left some out, and tells them to who asks with the token.
    pub(super) is_cut: bool,
}

/// A resource that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedResource {
    pub(super) key: String,
    /// How the server calls it, without a host.
    pub(super) href: String,
    pub(super) etag: Option<String>,
}

impl DavListing {
    /// Whether all of it was told.
    pub(super) fn is_told(&self) -> bool {
        self.there.is_empty() && self.removed.is_empty()
    }
}

/// The changes since a token; since an empty one, everything (RFC 6578).
pub(super) async fn list_changes(
    client: &DavClient,
    collection: &DavCollection,
    token: &str,
) -> Result<DavListing, SourceFailure> {
    let (at, body) = (&collection.address, sync_collection(token));
    // The depth is the body's to say; some servers take none but 0, which RFC 6578 asks for.
    let answer = client.report(at, DavDepth::Itself, body, DAV_LIST_BYTES_MAX);
    let answer = answer.await?;
    let mut listing = read(client, collection, &answer)?;
    if answer.content.sync_token.is_none() {
        let message = "the source listed changes without saying up to where";
        return Err(SourceFailure::new(FailureKind::Malformed, message));
    }
    listing.token = answer.content.sync_token;
    Ok(listing)
}

/// Everything, where the server keeps no count of changes.
pub(super) async fn list_versions(
    client: &DavClient,
    collection: &DavCollection,
) -> Result<DavListing, SourceFailure> {
    let depth = DavDepth::Members;
    let answer = client.find(
        &collection.address,
        depth,
        LIST_VERSIONS,
        DAV_LIST_BYTES_MAX,
    );
    let answer = answer.await?;
    let listing = read(client, collection, &answer)?;
    if listing.is_cut || answer.content.responses.is_empty() {
        let message = "the source did not list all there is";
        return Err(SourceFailure::new(FailureKind::Unavailable, message));
    }
    Ok(listing)
}

/// What a list says last of a resource counts, however often and in whatever writing it names it.
fn read(
    client: &DavClient,
    collection: &DavCollection,
    answer: &DavAnswer,
) -> Result<DavListing, SourceFailure> {
    let mut listing = DavListing::default();
    let mut resources = BTreeMap::new();
    for response in &answer.content.responses {
        for href in &response.hrefs {
            let address = client.resolve(&answer.from, href)?;
            let key = resource_key(address.url());
            let href = address.url().path().to_owned();
            match what(response, key == collection.key)? {
                Said::Nothing => {}
                Said::Cut => listing.is_cut = true,
                Said::Removed => drop(resources.insert(key, None)),
                Said::There(etag) => {
                    let resource = ListedResource { key, href, etag };
                    resources.insert(resource.key.clone(), Some(resource));
                }
            }
        }
    }
    for (key, resource) in resources {
        match resource {
            Some(resource) => listing.there.push_back(resource),
            None => listing.removed.push_back(key),
        }
    }
    Ok(listing)
}

/// What a response says of its resource.
enum Said {
    Nothing,
    Cut,
    Removed,
    There(Option<String>),
}

fn what(response: &DavResponse, is_collection: bool) -> Result<Said, SourceFailure> {
    match response.status {
        Some(507) => Ok(Said::Cut),
        Some(404 | 410) if !is_collection => Ok(Said::Removed),
        Some(status) if status >= 300 && is_collection => {
            Err(SourceFailure::of_status(status, None, ""))
        }
        _ if is_collection || response.is(DavElement::Collection) => Ok(Said::Nothing),
        _ => Ok(Said::There(
            response.text(DavElement::ETag).map(str::to_owned),
        )),
    }
}
