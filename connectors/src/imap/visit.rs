//! What is told of one mailbox in a round, page by page: what changed, what has gone, and a walk over what is new or over all.

use std::collections::{HashMap, HashSet, VecDeque};

use super::flags::MailFlags;
use super::mails::fetch_mails;
use super::message::{MESSAGES, MailPlace};
use super::plan::{MailPlan, light_pass, plan, search_of_pass};
use super::position::{MailPass, MailPosition, MailboxState};
use super::requests::{ExaminedMailbox, MailMarks, fetch_changes, fetch_marks, search};
use super::session::{ImapSession, malformed};
use crate::failure::Failure;
use crate::limits::{
    MAIL_LOT, MAIL_NAMED_LOT, MAIL_PAGE_BYTES_MAX, MAIL_VANISHED_MAX, MAIL_WHOLE_BYTES_MAX,
};
use crate::round::{Change, KnownItems, Page, RoundRequest, SourceRecord};

/// A visit to the mailbox that is open.
pub(super) struct MailVisit {
    place: MailPlace,
    request: RoundRequest,
    told: Option<MailboxState>,
    /// What is told with the last page.
    then: MailboxState,
    changed: VecDeque<(u32, MailFlags)>,
    gone: VecDeque<u32>,
    /// UIDs still to be walked over, the lowest first: it goes from the end.
    walk: Vec<u32>,
    pass: Option<MailPass>,
    is_told: bool,
    is_resumed: bool,
}

impl MailVisit {
    /// Begins; `None` if there is nothing to tell.
    pub(super) async fn begin(
        session: &mut ImapSession,
        mailbox: &str,
        there: &ExaminedMailbox,
        request: &RoundRequest,
        tells_vanished: bool,
    ) -> Result<Option<Self>, Failure> {
        let position = MailPosition::of_value(request.positions.get(mailbox));
        let plan = plan(position.as_ref(), there, request);
        let position = position.filter(|own| own.uid_validity == there.uid_validity);
        let told = position.and_then(|own| own.told);
        let mut visit = Self {
            place: MailPlace {
                mailbox: mailbox.to_owned(),
                uid_validity: there.uid_validity,
            },
            request: request.clone(),
            then: there.state(told.as_ref().map_or(request.since, |told| told.since)),
            told,
            changed: VecDeque::new(),
            gone: VecDeque::new(),
            walk: Vec::new(),
            pass: None,
            is_told: false,
            is_resumed: false,
        };
        match plan {
            MailPlan::Nothing => return Ok(None),
            MailPlan::Changes { since_modseq } => {
                visit
                    .find_changes(session, since_modseq, tells_vanished)
                    .await?;
                visit.find_new(session, there, tells_vanished).await?;
            }
            MailPlan::Pass {
                pass,
                changed_since,
            } => {
                if let Some(modseq) = changed_since {
                    visit.find_changes(session, modseq, false).await?;
                }
                visit.begin_pass(session, pass).await?;
            }
        }
        Ok(Some(visit))
    }

    async fn find_changes(
        &mut self,
        session: &mut ImapSession,
        since_modseq: u64,
        tells_vanished: bool,
    ) -> Result<(), Failure> {
        let (changed, gone) = fetch_changes(session, since_modseq, tells_vanished).await?;
        self.changed = changed.into();
        let known = 1..self.then.uid_next;
        for range in gone {
            let end = (*range.end()).min(known.end.saturating_sub(1));
            // One more than can be told: then all that are there are named instead.
            let room = (MAIL_VANISHED_MAX + 1).saturating_sub(self.gone.len());
            self.gone.extend((*range.start()..=end).take(room));
        }
        Ok(())
    }

    /// UIDs only grow, so the number of mails tells whether any of the old ones has gone.
    async fn find_new(
        &mut self,
        session: &mut ImapSession,
        there: &ExaminedMailbox,
        tells_vanished: bool,
    ) -> Result<(), Failure> {
        let Some(told) = self.told.clone() else {
            return Ok(());
        };
        let mut new = match told.uid_next < there.uid_next {
            true => search(session, &format!("UID {}:*", told.uid_next)).await?,
            false => Vec::new(),
        };
        // A star stands for the last mail, even where that is an old one.
        new.retain(|uid| (told.uid_next..there.uid_next).contains(uid));
        let are_all_there = told.exists as usize + new.len() == there.exists as usize;
        let is_telling = tells_vanished && self.gone.len() <= MAIL_VANISHED_MAX;
        if is_telling || are_all_there && self.gone.is_empty() {
            self.walk = new;
            return Ok(());
        }
        self.gone.clear();
        let pass = light_pass(&told, there, &self.request);
        self.begin_pass(session, pass).await
    }

    async fn begin_pass(
        &mut self,
        session: &mut ImapSession,
        pass: MailPass,
    ) -> Result<(), Failure> {
        self.then = pass.then.clone();
        let is_begun = pass.below.is_some();
        if pass.below != Some(1) && pass.then.uid_next > 1 {
            self.walk = search(session, &search_of_pass(&pass)).await?;
        }
        // A server that finds nothing in what it counted is not believed.
        if !is_begun && pass.since.is_none() && self.walk.is_empty() && pass.then.exists > 0 {
            return Err(malformed());
        }
        self.is_resumed = is_begun;
        self.pass = Some(pass);
        Ok(())
    }

    /// Whether it goes on with a pass of an earlier round.
    pub(super) const fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// The next page.
    pub(super) async fn next_page(
        &mut self,
        session: &mut ImapSession,
        known: &dyn KnownItems,
    ) -> Result<Option<Page>, Failure> {
        while !self.is_told {
            let mut page = Page::new(self.place.mailbox.clone(), serde_json::Value::Null);
            let is_walking = self.changed.is_empty() && self.gone.is_empty();
            if !self.changed.is_empty() {
                self.tell_changed(&mut page, known).await?;
            } else if !self.gone.is_empty() {
                self.tell_gone(&mut page, known).await?;
            } else {
                self.walk_on(&mut page, session, known).await?;
            }
            self.is_told = self.changed.is_empty()
                && self.gone.is_empty()
                && self.walk.is_empty()
                && (is_walking || self.pass.is_none());
            page.position = self.position(is_walking).value();
            page.pass = self
                .pass
                .as_ref()
                .filter(|_| is_walking)
                .map(|pass| pass.of_page(self.is_told));
            if self.is_told
                || page.pass.is_some()
                || !page.changes.is_empty()
                || !page.skipped.is_empty()
            {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    fn position(&self, is_walking: bool) -> MailPosition {
        let (told, pass) = match self.is_told {
            true => (Some(self.then.clone()), None),
            false => (self.told.clone(), self.pass.clone().filter(|_| is_walking)),
        };
        MailPosition {
            uid_validity: self.place.uid_validity,
            told,
            pass,
        }
    }

    async fn tell_changed(
        &mut self,
        page: &mut Page,
        known: &dyn KnownItems,
    ) -> Result<(), Failure> {
        let count = self.changed.len().min(MAIL_LOT);
        let lot: HashMap<u32, MailFlags> = self.changed.drain(..count).collect();
        let uids: Vec<u32> = lot.keys().copied().collect();
        let versions = self.versions(&uids, known).await?;
        for (uid, flags) in lot {
            let version = versions.get(&self.place.key(uid));
            if version.is_some_and(|version| *version != flags.version()) {
                page.changes.push(self.amend(uid, flags));
            }
        }
        Ok(())
    }

    async fn tell_gone(&mut self, page: &mut Page, known: &dyn KnownItems) -> Result<(), Failure> {
        let count = self.gone.len().min(MAIL_NAMED_LOT);
        let lot: HashSet<u32> = self.gone.drain(..count).collect();
        let uids: Vec<u32> = lot.into_iter().collect();
        let versions = self.versions(&uids, known).await?;
        let gone = uids.into_iter().map(|uid| self.place.key(uid));
        let gone = gone.filter(|key| versions.contains_key(key));
        page.changes.extend(gone.map(|key| Change::Remove { key }));
        Ok(())
    }

    async fn versions(
        &self,
        uids: &[u32],
        known: &dyn KnownItems,
    ) -> Result<HashMap<String, String>, Failure> {
        let keys: Vec<String> = uids.iter().map(|uid| self.place.key(*uid)).collect();
        known.versions(&self.place.mailbox, &keys).await
    }

    fn amend(&self, uid: u32, flags: MailFlags) -> Change {
        Change::Amend {
            key: self.place.key(uid),
            version: flags.version(),
            records: vec![SourceRecord {
                target: MESSAGES,
                source_id: self.place.source_id(uid),
                fields: flags.fields(),
            }],
        }
    }

    /// Tells the next mails, newest first: as many as a page holds, the others wait.
    async fn walk_on(
        &mut self,
        page: &mut Page,
        session: &mut ImapSession,
        known: &dyn KnownItems,
    ) -> Result<(), Failure> {
        let compares = self.pass.as_ref().is_some_and(|pass| !pass.is_light);
        let lot_max = if compares { MAIL_LOT } else { MAIL_NAMED_LOT };
        let mut lot: Vec<u32> = self.walk.split_off(self.walk.len().saturating_sub(lot_max));
        lot.reverse();
        let versions = self.versions(&lot, known).await?;
        let is_known = |uid: &u32| versions.contains_key(&self.place.key(*uid));
        let asked: Vec<u32> = lot
            .iter()
            .copied()
            .filter(|uid| compares || !is_known(uid))
            .collect();
        if let Some(first) = asked.get(MAIL_LOT) {
            put_back(&mut lot, &mut self.walk, *first);
        }
        let asked = asked.get(..MAIL_LOT.min(asked.len())).unwrap_or_default();
        let marks = match asked {
            [] => Vec::new(),
            asked => fetch_marks(session, asked).await?,
        };
        let marks: HashMap<u32, MailMarks> =
            marks.into_iter().map(|mail| (mail.uid, mail)).collect();
        let since = self.request.since;
        let is_wanted = |mail: &&MailMarks| {
            mail.at
                .is_none_or(|at| since.is_none_or(|since| at >= since))
        };
        let new = lot
            .iter()
            .filter(|uid| !is_known(uid))
            .filter_map(|uid| marks.get(uid));
        let (new, rest) = within_page(new.filter(is_wanted).collect());
        if let Some(first) = rest {
            put_back(&mut lot, &mut self.walk, first);
        }
        let mut mails = fetch_mails(session, &self.place, &new).await?;
        for uid in &lot {
            match (
                versions.get(&self.place.key(*uid)),
                marks.get(uid),
                mails.remove(uid),
            ) {
                (Some(version), Some(mail), _) if *version != mail.flags.version() => {
                    page.changes.push(self.amend(*uid, mail.flags));
                }
                // What was asked for and is not there has gone just now.
                (Some(_), None, _) if compares => {}
                (Some(_), ..) if self.pass.is_some() => {
                    let key = self.place.key(*uid);
                    page.changes.push(Change::Keep { key });
                }
                (None, _, Some(Ok(item))) => page.changes.push(Change::Put(item)),
                (None, _, Some(Err(skipped))) => page.skipped.push(skipped),
                _ => {}
            }
        }
        if let (Some(pass), Some(last)) = (&mut self.pass, lot.last()) {
            pass.below = Some(*last);
        }
        Ok(())
    }
}

/// Leaves the mails from `first` on for the next page.
fn put_back(lot: &mut Vec<u32>, walk: &mut Vec<u32>, first: u32) {
    let place = lot
        .iter()
        .position(|uid| *uid == first)
        .unwrap_or(lot.len());
    walk.extend(lot.drain(place..).rev());
}

/// The mails whose bytes a page has room for, at least one, and the first that has to wait.
fn within_page(mails: Vec<&MailMarks>) -> (Vec<&MailMarks>, Option<u32>) {
    let mut bytes = 0_usize;
    let has_room = |mail: &&MailMarks| {
        let size = usize::try_from(mail.size).unwrap_or(usize::MAX);
        bytes = bytes.saturating_add(size.min(MAIL_WHOLE_BYTES_MAX));
        bytes <= MAIL_PAGE_BYTES_MAX
    };
    let count = mails.iter().copied().take_while(has_room).count();
    let rest = mails.get(count).map(|mail| mail.uid);
    (mails.into_iter().take(count).collect(), rest)
}
