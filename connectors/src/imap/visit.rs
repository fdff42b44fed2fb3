//! What is told of one mailbox in a round, page by page: what changed, what has gone, and a walk over what is new or over all.

use std::collections::{HashMap, HashSet, VecDeque};

use super::flags::MailFlags;
use super::place::MailPlace;
use super::plan::{MailPlan, light_pass, plan, search_of_pass};
use super::position::{MailPass, MailPosition, MailboxState};
use super::requests::{ExaminedMailbox, fetch_changes, search};
use super::session::{ImapSession, malformed};
use super::walk::MailWalk;
use crate::failure::SourceFailure;
use crate::limits::{MAIL_LOT, MAIL_NAMED_LOT, MAIL_VANISHED_MAX};
use crate::round::{ItemChange, KnownItems, Page, RoundRequest, ScopeCoverage};

/// A visit to the mailbox that is open.
pub(super) struct MailVisit {
    place: MailPlace,
    request: RoundRequest,
    told: Option<MailboxState>,
    /// What is told with the last page.
    then: MailboxState,
    changed: VecDeque<(u32, MailFlags)>,
    gone: VecDeque<u32>,
    walk: MailWalk,
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
    ) -> Result<Option<Self>, SourceFailure> {
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
            walk: MailWalk::default(),
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
    ) -> Result<(), SourceFailure> {
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
    ) -> Result<(), SourceFailure> {
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
            self.walk.uids = new;
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
    ) -> Result<(), SourceFailure> {
        self.then = pass.then.clone();
        let is_begun = pass.below.is_some();
        if pass.below != Some(1) && pass.then.uid_next > 1 {
            self.walk.uids = search(session, &search_of_pass(&pass)).await?;
        }
        // A server that finds nothing in what it counted is not believed.
        if !is_begun && pass.since.is_none() && self.walk.uids.is_empty() && pass.then.exists > 0 {
            return Err(malformed());
        }
        self.is_resumed = is_begun;
        self.walk.pass = Some(pass);
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
    ) -> Result<Option<Page>, SourceFailure> {
        while !self.is_told {
            let mut page = Page::new(self.place.mailbox.clone(), serde_json::Value::Null);
            let is_walking = self.changed.is_empty() && self.gone.is_empty();
            if !self.changed.is_empty() {
                self.tell_changed(&mut page, known).await?;
            } else if !self.gone.is_empty() {
                self.tell_gone(&mut page, known).await?;
            } else {
                // What was told of a wider window goes on being told: else a wider one would not find what is missing.
                let since = self.then.since;
                let walk = &mut self.walk;
                walk.tell_next(&mut page, &self.place, since, session, known)
                    .await?;
            }
            self.is_told = self.changed.is_empty()
                && self.gone.is_empty()
                && self.walk.uids.is_empty()
                && (is_walking || self.walk.pass.is_none());
            page.position = self.position(is_walking).value();
            page.coverage = self
                .then
                .since
                .map_or(ScopeCoverage::Everything, ScopeCoverage::From);
            page.pass = self
                .walk
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
            false => (
                self.told.clone(),
                self.walk.pass.clone().filter(|_| is_walking),
            ),
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
    ) -> Result<(), SourceFailure> {
        let count = self.changed.len().min(MAIL_LOT);
        let lot: HashMap<u32, MailFlags> = self.changed.drain(..count).collect();
        let uids: Vec<u32> = lot.keys().copied().collect();
        let versions = self.place.versions(&uids, known).await?;
        for (uid, flags) in lot {
            let version = versions.get(&uid);
            if version.is_some_and(|version| *version != flags.version()) {
                page.changes.push(self.place.amend(uid, flags));
            }
        }
        Ok(())
    }

    async fn tell_gone(
        &mut self,
        page: &mut Page,
        known: &dyn KnownItems,
    ) -> Result<(), SourceFailure> {
        let count = self.gone.len().min(MAIL_NAMED_LOT);
        let lot: HashSet<u32> = self.gone.drain(..count).collect();
        let uids: Vec<u32> = lot.into_iter().collect();
        let versions = self.place.versions(&uids, known).await?;
        let gone = versions.keys().map(|uid| self.place.key(*uid));
        page.changes
            .extend(gone.map(|key| ItemChange::Remove { key }));
        Ok(())
    }
}
