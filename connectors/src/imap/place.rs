//! Where mails lie, and what of them is stored.

use std::collections::HashMap;

use super::flags::MailFlags;
use super::key::{mail_key, mail_source_id};
use crate::failure::SourceFailure;
use crate::round::{ItemChange, KnownItems, SkippedItem, SourceRecord};

/// The table of mails.
pub(super) const MESSAGES: &str = "mail.messages";

/// A mailbox, as long as its UIDs mean the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MailPlace {
    pub(super) mailbox: String,
    pub(super) uid_validity: u32,
}

impl MailPlace {
    /// The key of a mail.
    pub(super) fn key(&self, uid: u32) -> String {
        mail_key(self.uid_validity, uid)
    }

    /// The id of its row.
    pub(super) fn source_id(&self, uid: u32) -> String {
        mail_source_id(&self.mailbox, self.uid_validity, uid)
    }

    /// Leaves a mail out.
    pub(super) fn skip(&self, uid: u32, reason: &str) -> SkippedItem {
        SkippedItem {
            key: self.key(uid),
            reason: reason.to_owned(),
        }
    }

    /// Tells the flags of a mail that is stored.
    pub(super) fn amend(&self, uid: u32, flags: MailFlags) -> ItemChange {
        ItemChange::Amend {
            key: self.key(uid),
            version: flags.version(),
            records: vec![SourceRecord {
                target: MESSAGES,
                source_id: self.source_id(uid),
                fields: flags.fields(),
            }],
        }
    }

    /// The versions of those mails that are stored.
    pub(super) async fn versions(
        &self,
        uids: &[u32],
        known: &dyn KnownItems,
    ) -> Result<HashMap<u32, String>, SourceFailure> {
        let keys: Vec<String> = uids.iter().map(|uid| self.key(*uid)).collect();
        let mut versions = known.versions(&self.mailbox, &keys).await?;
        let of_uids = uids.iter().zip(&keys);
        let stored = of_uids.filter_map(|(uid, key)| Some((*uid, versions.remove(key)?)));
        Ok(stored.collect())
    }
}
