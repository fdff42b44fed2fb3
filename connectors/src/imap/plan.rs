//! What of a mailbox is to be told, from what was told and what is there. Pure.

use chrono::{DateTime, Days, Utc};

use super::mailboxes::MailboxCounts;
use super::position::{MailPass, MailPosition, MailboxState, is_wider};
use super::requests::ExaminedMailbox;
use crate::round::RoundRequest;

/// What a visit does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MailPlan {
    /// Everything is told.
    Nothing,
    /// Everything is named, newest first; before that, what changed since a state where that is known.
    Pass {
        pass: MailPass,
        changed_since: Option<u64>,
    },
    /// What changed since a state, and what is new.
    Changes { since_modseq: u64 },
}

/// Decides.
pub(super) fn plan(
    position: Option<&MailPosition>,
    there: &ExaminedMailbox,
    request: &RoundRequest,
) -> MailPlan {
    let Some(position) = position else {
        return MailPlan::of_pass(whole_pass(there, request, false));
    };
    if position.uid_validity != there.uid_validity {
        return MailPlan::of_pass(whole_pass(there, request, true));
    }
    if let Some(pass) = &position.pass {
        return match is_wider(request.since, pass.since) {
            true => MailPlan::of_pass(whole_pass(there, request, pass.judges_all)),
            false => MailPlan::of_pass(pass.clone()),
        };
    }
    match &position.told {
        None => MailPlan::of_pass(whole_pass(there, request, false)),
        Some(told) => plan_from(told, there, request),
    }
}

fn plan_from(told: &MailboxState, there: &ExaminedMailbox, request: &RoundRequest) -> MailPlan {
    let is_wider = is_wider(request.since, told.since);
    let window = if is_wider { request.since } else { told.since };
    let is_same = told.uid_next == there.uid_next && told.exists == there.exists && !is_wider;
    let modseqs = told.highest_modseq.zip(there.highest_modseq);
    // A server that counts backwards has forgotten what it told.
    match modseqs.filter(|(told, there)| told <= there) {
        Some((told, there)) if is_same && told == there => MailPlan::Nothing,
        Some((since_modseq, _)) if is_wider => MailPlan::Pass {
            pass: new_pass(there, request, window, true),
            changed_since: Some(since_modseq),
        },
        Some((since_modseq, _)) => MailPlan::Changes { since_modseq },
        None if is_same && there.exists == 0 => MailPlan::Nothing,
        None => MailPlan::of_pass(new_pass(there, request, window, false)),
    }
}

/// Whether STATUS says that a mailbox is as it was told, so that it need not be opened.
pub(super) fn is_told(
    position: Option<&MailPosition>,
    counts: MailboxCounts,
    request: &RoundRequest,
) -> bool {
    let told = position.and_then(|position| Some((position, position.told.as_ref()?)));
    told.is_some_and(|(position, told)| {
        position.pass.is_none()
            && told.highest_modseq.is_some()
            && told.highest_modseq == counts.highest_modseq
            && counts.uid_validity == Some(u64::from(position.uid_validity))
            && counts.uid_next == Some(u64::from(told.uid_next))
            && counts.exists == Some(u64::from(told.exists))
            && !is_wider(request.since, told.since)
    })
}

/// The pass that names what is there because some of it has gone; what changed is told before.
pub(super) fn light_pass(
    told: &MailboxState,
    there: &ExaminedMailbox,
    request: &RoundRequest,
) -> MailPass {
    new_pass(there, request, told.since, true)
}

fn whole_pass(there: &ExaminedMailbox, request: &RoundRequest, judges_all: bool) -> MailPass {
    MailPass {
        judges_all,
        ..new_pass(there, request, request.since, false)
    }
}

fn new_pass(
    there: &ExaminedMailbox,
    request: &RoundRequest,
    since: Option<DateTime<Utc>>,
    is_light: bool,
) -> MailPass {
    MailPass {
        begun_at: request.now,
        since,
        judges_all: false,
        is_light,
        below: None,
        then: there.state(since),
    }
}

/// What UID SEARCH is asked for a pass. The days of `SINCE` are in the server's zone: one more is asked for.
pub(super) fn search_of_pass(pass: &MailPass) -> String {
    let day = pass
        .since
        .and_then(|since| since.date_naive().checked_sub_days(Days::new(1)));
    let since = day.map_or("ALL".to_owned(), |day| {
        format!("SINCE {}", day.format("%-d-%b-%Y"))
    });
    let last = pass.below.unwrap_or(pass.then.uid_next).saturating_sub(1);
    format!("UID 1:{} {since}", last.max(1))
}

impl MailPlan {
    const fn of_pass(pass: MailPass) -> Self {
        Self::Pass {
            pass,
            changed_since: None,
        }
    }
}

impl ExaminedMailbox {
    /// It as a state that will have been told.
    pub(super) const fn state(&self, since: Option<DateTime<Utc>>) -> MailboxState {
        MailboxState {
            uid_next: self.uid_next,
            exists: self.exists,
            highest_modseq: self.highest_modseq,
            since,
        }
    }
}

#[cfg(test)]
mod tests;
