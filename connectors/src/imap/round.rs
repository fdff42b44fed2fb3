//! A round: the mailboxes, then what is to be told of each, over one connection.

use std::collections::{HashSet, VecDeque};

use async_trait::async_trait;
use serde_json::json;

use super::mailboxes::{ListedMailbox, MailboxCounts, count_mailbox, list_mailboxes};
use super::plan::is_told;
use super::position::MailPosition;
use super::requests::examine;
use super::session::ImapSession;
use super::visit::MailVisit;
use crate::failure::{FailureKind, SourceFailure};
use crate::round::{
    CONTAINERS, ItemChange, KnownItems, Page, Pass, Round, RoundRequest, ScopeCoverage,
};

/// A round over an account.
pub(super) struct MailRound {
    session: ImapSession,
    request: RoundRequest,
    /// Whether the server tells which mails have gone (RFC 7162).
    tells_vanished: bool,
    are_mailboxes_told: bool,
    /// Still to be visited.
    mailboxes: VecDeque<ListedMailbox>,
    visit: Option<(ListedMailbox, MailVisit)>,
}

impl MailRound {
    pub(super) async fn begin(
        mut session: ImapSession,
        request: RoundRequest,
    ) -> Result<Self, SourceFailure> {
        let is_offered = session.is_able("QRESYNC") && session.is_able("ENABLE");
        let tells_vanished = is_offered && session.run("ENABLE QRESYNC").await?.succeeded().is_ok();
        Ok(Self {
            session,
            request,
            tells_vanished,
            are_mailboxes_told: false,
            mailboxes: VecDeque::new(),
            visit: None,
        })
    }

    /// All mailboxes, at each round: those that are not named are gone.
    async fn tell_mailboxes(&mut self, known: &dyn KnownItems) -> Result<Page, SourceFailure> {
        let mut counted = Vec::new();
        for mailbox in list_mailboxes(&mut self.session).await? {
            let counts = count_mailbox(&mut self.session, &mailbox).await?;
            counted.extend(counts.map(|counts| (mailbox, counts)));
        }
        let keys: HashSet<String> = counted.iter().map(|(mailbox, _)| mailbox.key()).collect();
        let asked: Vec<String> = keys.iter().cloned().collect();
        let versions = known.versions(CONTAINERS, &asked).await?;
        let mut page = Page::new(CONTAINERS, json!({}));
        page.coverage = ScopeCoverage::Everything;
        for (mailbox, counts) in counted {
            let item = mailbox.item(counts, &keys);
            let stored = versions.get(&item.key);
            // What could not be counted now has not changed by that.
            let is_counted = counts != MailboxCounts::default();
            let is_kept = stored.is_some_and(|stored| *stored == item.version || !is_counted);
            page.changes.push(match is_kept {
                true => ItemChange::Keep { key: item.key },
                false => ItemChange::Put(item),
            });
            self.add(mailbox, counts);
        }
        page.pass = Some(Pass {
            begun_at: self.request.now,
            since: None,
            is_complete: true,
        });
        Ok(page)
    }

    fn add(&mut self, mailbox: ListedMailbox, counts: MailboxCounts) {
        let key = mailbox.key();
        let position = MailPosition::of_value(self.request.positions.get(&key));
        match key.as_str() {
            _ if is_told(position.as_ref(), counts, &self.request) => {}
            "INBOX" => self.mailboxes.push_front(mailbox),
            _ => self.mailboxes.push_back(mailbox),
        }
    }

    /// Opens the next mailbox of which there is something to tell.
    async fn begin_visit(&mut self) -> Result<bool, SourceFailure> {
        while let Some(mailbox) = self.mailboxes.pop_front() {
            let there = match examine(&mut self.session, &mailbox.wire_name).await {
                Ok(there) => there,
                // It went meanwhile, or may not be read.
                Err(failure) if is_refusal(&failure) => continue,
                Err(failure) => return Err(failure),
            };
            let key = mailbox.key();
            let visit = MailVisit::begin(
                &mut self.session,
                &key,
                &there,
                &self.request,
                self.tells_vanished,
            );
            let visit = visit.await?;
            if let Some(visit) = visit {
                self.visit = Some((mailbox, visit));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The next page of the mailbox that is open. One whose pass an earlier round began is visited again: what came since then is
    /// still to be told.
    async fn next_of_visit(
        &mut self,
        known: &dyn KnownItems,
    ) -> Result<Option<Page>, SourceFailure> {
        let Some((mailbox, visit)) = &mut self.visit else {
            return Ok(None);
        };
        let page = visit.next_page(&mut self.session, known).await?;
        match &page {
            Some(page) => {
                let position = page.position.clone();
                self.request.positions.insert(page.scope.clone(), position);
            }
            None => {
                if visit.is_resumed() {
                    self.mailboxes.push_front(mailbox.clone());
                }
                self.visit = None;
            }
        }
        Ok(page)
    }
}

#[async_trait]
impl Round for MailRound {
    async fn next_page(&mut self, known: &dyn KnownItems) -> Result<Option<Page>, SourceFailure> {
        if !self.are_mailboxes_told {
            self.are_mailboxes_told = true;
            return self.tell_mailboxes(known).await.map(Some);
        }
        loop {
            if let Some(page) = self.next_of_visit(known).await? {
                return Ok(Some(page));
            }
            if !self.begin_visit().await? {
                return Ok(None);
            }
        }
    }

    async fn end(self: Box<Self>) {
        self.session.end().await;
    }
}

const fn is_refusal(failure: &SourceFailure) -> bool {
    matches!(failure.kind, FailureKind::NotFound | FailureKind::Rejected)
}
