//! A walk over mails, newest first: over new ones, or over all that are there.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::mails::{ReadMail, fetch_mails};
use super::place::MailPlace;
use super::position::MailPass;
use super::requests::{MailMarks, fetch_marks};
use super::session::ImapSession;
use crate::failure::SourceFailure;
use crate::limits::{MAIL_LOT, MAIL_NAMED_LOT, MAIL_PAGE_BYTES_MAX, MAIL_WHOLE_BYTES_MAX};
use crate::round::{ItemChange, KnownItems, Page};

/// What is still to be walked over.
#[derive(Default)]
pub(super) struct MailWalk {
    /// The lowest first: it goes from the end.
    pub(super) uids: Vec<u32>,
    /// None where it is over new mails only.
    pub(super) pass: Option<MailPass>,
}

/// The mails of a page, newest first, and what is known of them.
struct MailPage {
    uids: Vec<u32>,
    /// Those of the mails that are stored.
    versions: HashMap<u32, String>,
    marks: HashMap<u32, MailMarks>,
}

impl MailWalk {
    /// Whether flags are compared, since the server tells their changes in no other way.
    fn compares_flags(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| !pass.is_light)
    }

    /// Tells the next mails, as many as a page holds; those of before `since` are not wanted.
    pub(super) async fn tell_next(
        &mut self,
        page: &mut Page,
        place: &MailPlace,
        since: Option<DateTime<Utc>>,
        session: &mut ImapSession,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let mut next = self.take(place, session, known).await?;
        let (new, rest) = within_page(next.new_mails(since));
        let mails = fetch_mails(session, place, &new).await?;
        if let Some(first) = rest {
            self.put_back(&mut next.uids, first);
        }
        self.tell(page, place, &next, mails);
        if let (Some(pass), Some(last)) = (&mut self.pass, next.uids.last()) {
            pass.below = Some(*last);
        }
        Ok(())
    }

    /// The next mails. Only so many are asked of the server at once.
    async fn take(
        &mut self,
        place: &MailPlace,
        session: &mut ImapSession,
        known: &dyn KnownItems,
    ) -> Result<MailPage, SourceFailure> {
        let compares = self.compares_flags();
        let lot = if compares { MAIL_LOT } else { MAIL_NAMED_LOT };
        let begin = self.uids.len().saturating_sub(lot);
        let mut uids = self.uids.split_off(begin);
        uids.reverse();
        let versions = place.versions(&uids, known).await?;
        let is_asked = |uid: &u32| compares || !versions.contains_key(uid);
        let mut asked: Vec<u32> = uids.iter().copied().filter(is_asked).collect();
        if let Some(first) = asked.get(MAIL_LOT) {
            self.put_back(&mut uids, *first);
        }
        asked.truncate(MAIL_LOT);
        let marks = match asked.as_slice() {
            [] => Vec::new(),
            asked => fetch_marks(session, asked).await?,
        };
        Ok(MailPage {
            uids,
            versions,
            marks: marks.into_iter().map(|mail| (mail.uid, mail)).collect(),
        })
    }

    /// Leaves the mails from `first` on for the next page.
    fn put_back(&mut self, uids: &mut Vec<u32>, first: u32) {
        let place = uids.iter().position(|uid| *uid == first);
        let place = place.unwrap_or(uids.len());
        self.uids.extend(uids.drain(place..).rev());
    }

    fn tell(
        &self,
        page: &mut Page,
        place: &MailPlace,
        next: &MailPage,
        mut mails: HashMap<u32, ReadMail>,
    ) {
        for uid in &next.uids {
            match (next.versions.get(uid), mails.remove(uid)) {
                (Some(version), _) => {
                    let marks = next.marks.get(uid);
                    page.changes
                        .extend(self.stored(place, *uid, version, marks));
                }
                (None, Some(Ok(item))) => page.changes.push(ItemChange::Put(item)),
                (None, Some(Err(skipped))) => page.skipped.push(skipped),
                (None, None) => {}
            }
        }
    }

    /// What is told of a mail that is stored.
    fn stored(
        &self,
        place: &MailPlace,
        uid: u32,
        version: &str,
        marks: Option<&MailMarks>,
    ) -> Option<ItemChange> {
        let key = place.key(uid);
        match marks {
            Some(mail) if mail.flags.version() != version => Some(place.amend(uid, mail.flags)),
            // What was asked for and is not there has gone just now.
            None if self.compares_flags() => None,
            _ => self.pass.is_some().then_some(ItemChange::Keep { key }),
        }
    }
}

impl MailPage {
    /// The mails that are not stored and are wanted.
    fn new_mails(&self, since: Option<DateTime<Utc>>) -> Vec<&MailMarks> {
        let new = self
            .uids
            .iter()
            .filter(|uid| !self.versions.contains_key(uid));
        let new = new.filter_map(|uid| self.marks.get(uid));
        let is_wanted = |mail: &&MailMarks| {
            mail.at
                .is_none_or(|at| since.is_none_or(|since| at >= since))
        };
        new.filter(is_wanted).collect()
    }
}

/// The mails whose bytes a page has room for, at least one, and the first that has to wait.
fn within_page(mut mails: Vec<&MailMarks>) -> (Vec<&MailMarks>, Option<u32>) {
    let mut bytes = 0_usize;
    let has_room = |mail: &&&MailMarks| {
        let size = usize::try_from(mail.size).unwrap_or(usize::MAX);
        bytes = bytes.saturating_add(size.min(MAIL_WHOLE_BYTES_MAX));
        bytes <= MAIL_PAGE_BYTES_MAX
    };
    let count = mails.iter().take_while(has_room).count();
    let rest = mails.get(count).map(|mail| mail.uid);
    mails.truncate(count);
    (mails, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imap::flags::MailFlags;

    #[test]
    fn a_page_holds_so_many_bytes() {
        let mail = |uid, size| MailMarks {
            uid,
            flags: MailFlags::default(),
            at: None,
            size,
        };
        let whole = MAIL_WHOLE_BYTES_MAX as u64;
        // A large mail counts as what is fetched of it.
        let mails: Vec<_> = (1..=20)
            .map(|uid| mail(uid, whole * u64::from(uid)))
            .collect();
        let (told, rest) = within_page(mails.iter().collect());
        assert_eq!((told.len(), rest), (8, Some(9)));
        let small: Vec<_> = (1..=20).map(|uid| mail(uid, 100)).collect();
        let (told, rest) = within_page(small.iter().collect());
        assert_eq!((told.len(), rest), (20, None));
    }
}
