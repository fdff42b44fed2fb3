//! Objects that are items by themselves, told on a page one by one.

use async_trait::async_trait;

use super::delta::ListedObject;
use super::object::{GraphObject, text};
use crate::digest_key::{digest, within_limit};
use crate::failure::{FailureKind, SourceFailure};
use crate::round::{ItemChange, KnownItems, Page, SkippedItem, SourceItem, SourceRecord};

/// What an object turns out to be.
pub(super) enum ReadObject {
    Item(SourceItem),
    /// Some fields of an item that is stored.
    Amended(Vec<SourceRecord>),
    /// It is not wanted.
    Unwanted,
    /// It cannot be read, for this reason.
    Unread(String),
    /// It has gone meanwhile.
    Gone,
}

/// Reads objects of one kind.
#[async_trait]
pub(super) trait GraphObjectReader: Send + Sync {
    /// Reads an object; `is_stored` if some version of it is stored.
    async fn read(
        &self,
        scope: &str,
        object: GraphObject,
        is_stored: bool,
    ) -> Result<ReadObject, SourceFailure>;
}

/// The key of an object.
pub(super) fn key_of(id: &str) -> String {
    within_limit(id)
}

/// The id of an object's row. An object that moves is removed from one folder and told of another, in any order: so the folder is
/// part of it.
pub(super) fn row_id(scope: &str, id: &str) -> String {
    within_limit(format!("{scope}/{id}"))
}

/// What changes whenever an object does.
pub(super) fn version_of(object: &GraphObject) -> String {
    let version = text(object, "@odata.etag").or_else(|| text(object, "changeKey"));
    version.map_or_else(
        || digest(serde_json::to_vec(object).unwrap_or_default()),
        str::to_owned,
    )
}

/// Tells what changed of the objects; in a pass also what is as it was.
pub(super) async fn tell_each(
    reader: &dyn GraphObjectReader,
    listed: Vec<ListedObject>,
    page: &mut Page,
    known: &dyn KnownItems,
) -> Result<(), SourceFailure> {
    let keys: Vec<_> = listed.iter().map(|one| key_of(one.id())).collect();
    let versions = known.versions(&page.scope, &keys).await?;
    for (one, key) in listed.into_iter().zip(keys) {
        let ListedObject::There { object, .. } = one else {
            page.changes.push(ItemChange::Remove { key });
            continue;
        };
        let (version, stored) = (version_of(&object), versions.get(&key));
        if stored == Some(&version) {
            keep(page, key);
            continue;
        }
        match read_or_skip(reader, &page.scope, object, stored.is_some()).await? {
            ReadObject::Item(item) => page.changes.push(ItemChange::Put(item)),
            ReadObject::Amended(records) => page.changes.push(ItemChange::Amend {
                key,
                version,
                records,
            }),
            ReadObject::Unwanted => {}
            ReadObject::Unread(reason) => skip(page, key, reason, stored.is_some()),
            ReadObject::Gone => page.changes.push(ItemChange::Remove { key }),
        }
    }
    Ok(())
}

/// One that is asked for by itself and has gone, or is too long, is no failure of the others.
async fn read_or_skip(
    reader: &dyn GraphObjectReader,
    scope: &str,
    object: GraphObject,
    is_stored: bool,
) -> Result<ReadObject, SourceFailure> {
    match reader.read(scope, object, is_stored).await {
        Err(gone) if gone.kind == FailureKind::NotFound => Ok(ReadObject::Gone),
        Err(long) if long.kind == FailureKind::TooLarge => Ok(ReadObject::Unread(long.message)),
        read => read,
    }
}

/// Says of an item that it is there unchanged.
pub(super) fn keep(page: &mut Page, key: String) {
    if page.pass.is_some() {
        page.changes.push(ItemChange::Keep { key });
    }
}

/// Leaves an item out. What is stored of it stays, in a pass too: the source still has it.
pub(super) fn skip(page: &mut Page, key: String, reason: String, is_stored: bool) {
    if is_stored {
        keep(page, key.clone());
    }
    page.skipped.push(SkippedItem { key, reason });
}
