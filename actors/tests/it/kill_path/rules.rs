//! The rules, judged from outside only.

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Digest, Grant, KeyRefusal, Reply, Served, Ticket};
use sextant_actors::grants::EditError;
use sextant_actors::sessions::{CallError, CloseReason};

use super::history::{EditFact, History, LeaseFact, Moment, Story, Telling, Work};
use super::tool_service::names;

impl History {
    /// The moment after which a key must have been resolved if it is to be valid once this edit has been answered.
    fn line(&self, edit: &EditFact) -> Moment {
        let (Some(answered), Some(outcome)) = (edit.answered, &edit.outcome) else {
            return 0;
        };
        let story = &self.stories[&edit.agent];
        match outcome {
            Ok(_) => edit.told.unwrap_or_default(),
            Err(EditError::FateUnknown) => {
                let within = |at: &&Moment| (edit.began..=answered).contains(*at);
                let unknown = story.doubts.iter().rfind(within).unwrap_or(&edit.began);
                story.first_told_after(*unknown).unwrap_or(Moment::MAX)
            }
            Err(_) => 0,
        }
    }

    /// Rule 1: what was resolved before an edit is invalid once the edit has been answered.
    fn judge_use(&mut self, agent: &AgentName, resolved: Moment, what: &str) {
        let outlives = |edit: &&EditFact| edit.agent == *agent && resolved < self.line(edit);
        let Some(edit) = self.edits.iter().find(outlives) else {
            return;
        };
        let (change, outcome) = (&edit.change, edit.outcome.as_ref().map(Result::is_ok));
        let rule = format!(
            "{what} of {agent}, whose key was resolved at {resolved}, after {change:?} (begun at {}, answered at {:?}, ok: {outcome:?})",
            edit.began, edit.answered
        );
        self.breaks(rule);
    }

    /// Rule 2: a key resolves to the very row that the actors were told last, and to nothing while the agent is in
    /// doubt.
    pub fn judge_resolved(&mut self, digest: &Digest, resolved: &Result<Ticket, KeyRefusal>) {
        let Ok(ticket) = resolved else {
            return;
        };
        let now = self.wall_clock;
        let story = &self.stories[&ticket.agent];
        let told = story.told().is_some_and(|row| is_of(ticket, row, now));
        let before = story
            .told_before()
            .is_some_and(|row| is_of(ticket, row, now));
        let in_doubt = story
            .doubts
            .last()
            .is_some_and(|doubt| *doubt > story.told_at());
        if ticket.digest != *digest || !(told || before) {
            self.breaks(format!(
                "{} is resolved to what its row does not say: {ticket:?}",
                ticket.agent
            ));
        } else if in_doubt || self.is_unread(&ticket.agent) {
            self.breaks(format!(
                "{} is in doubt, and its key is accepted",
                ticket.agent
            ));
        }
    }

    /// Whether an edit was answered `FateUnknown`, and the row has not been read since.
    fn is_unread(&self, agent: &AgentName) -> bool {
        let unread = |edit: &EditFact| {
            let unknown = matches!(edit.outcome, Some(Err(EditError::FateUnknown)));
            unknown && edit.agent == *agent && self.line(edit) == Moment::MAX
        };
        self.edits.iter().any(unread)
    }

    /// A session was opened or found with this ticket.
    pub fn judge_admitted(&mut self, ticket: &Ticket, resolved: Moment, was_expired: bool) {
        self.judge_use(
            &ticket.agent,
            resolved,
            "a session was given out on a ticket",
        );
        if was_expired {
            self.breaks(format!(
                "a session of {} was given out after the deadline",
                ticket.agent
            ));
        }
    }

    /// A byte has passed the gate of this lease.
    pub fn judge_byte(&mut self, lease: usize) {
        let LeaseFact {
            ticket, resolved, ..
        } = &self.leases[lease];
        let (agent, resolved) = (ticket.agent.clone(), *resolved);
        self.judge_use(&agent, resolved, "a byte passed on a session");
    }

    /// A call has returned, with its gate in this state.
    pub fn call_answered(
        &mut self,
        id: &str,
        answer: &Result<Served, CallError>,
        gate: Option<CloseReason>,
    ) {
        let fact = |served: &Served| (served.decision.clone(), served.outcome);
        let call = self.call_mut(id);
        call.answer = Some(answer.as_ref().map(fact).map_err(|error| *error));
        let (lease, reached_desk) = (call.lease, call.reached_desk);
        match answer {
            Ok(served) => {
                let ticket = self.leases[lease].ticket.clone();
                let resolved = self.leases[lease].resolved;
                self.judge_use(&ticket.agent, resolved, "a call was answered on a session");
                let other = matches!(&served.reply, Reply::Answer(text) if text.to_string() != names(ticket.sectors));
                if other {
                    self.breaks(format!("{id} was served under another grant: {served:?}"));
                }
                if gate.is_some() {
                    self.breaks(format!(
                        "{id} was answered through a closed gate ({gate:?})"
                    ));
                }
                self.tally.note("a call is answered");
            }
            Err(CallError::Closed(CloseReason::GrantChanged)) if reached_desk => {
                self.tally.note("a kill in mid-call");
            }
            Err(_) => self.tally.note("a call ends otherwise"),
        }
    }

    /// Rule 5: an edit that was answered with a refusal has changed nothing.
    pub fn judge_answer(&mut self, number: usize) {
        let edit = &self.edits[number];
        let Some(outcome) = &edit.outcome else {
            return;
        };
        let refused = match outcome {
            Ok(edited) => {
                let row = self.stories[&edit.agent].told();
                if edited.grant.as_ref() != row {
                    let rule = format!(
                        "{:?} was answered with another row: {edited:?}",
                        edit.change
                    );
                    return self.breaks(rule);
                }
                false
            }
            Err(EditError::FateUnknown) => return self.tally.note("an edit of unknown fate"),
            Err(EditError::Unavailable) => {
                self.tally.note("an edit that was unavailable");
                true
            }
            Err(_) => {
                self.tally.note("an edit that was refused");
                true
            }
        };
        let did = !matches!(self.edits[number].work, Work::None | Work::RolledBack);
        if refused && did {
            let rule = format!("{:?} was refused and done", self.edits[number].change);
            self.breaks(rule);
        }
    }

    /// Rule 3: whatever ended this session concerned its own agent, or was a crash.
    pub fn judge_closing(&mut self, number: usize) {
        let fact = &self.leases[number];
        let Some(closing) = fact.closed else {
            return;
        };
        let id = fact.lease.id();
        let story = &self.stories[&fact.ticket.agent];
        let is_legitimate = match closing.reason {
            CloseReason::Ended => self.ended.contains(id),
            CloseReason::Idle => false,
            CloseReason::Stopped => {
                self.crashed.contains(id) || closing.registry_crashes > fact.crashes_asked
            }
            CloseReason::GrantChanged => {
                is_expired(&fact.ticket, closing.clock)
                    || story.ended_between(fact.resolved, closing.at)
                    || self
                        .edits
                        .iter()
                        .any(|edit| may_end(edit, fact, closing.at))
            }
        };
        if !is_legitimate {
            let rule = format!(
                "a session of {} (resolved at {}) was ended for nothing: {:?} at {}; {}",
                fact.ticket.agent,
                fact.resolved,
                closing.reason,
                closing.at,
                story.course()
            );
            self.breaks(rule);
        }
    }
}

impl Story {
    /// Whether the actors learned of another row in between, or that the row is unknown.
    fn ended_between(&self, from: Moment, to: Moment) -> bool {
        let news = |telling: &Telling| {
            let ends = telling.is_news || telling.is_by_edit;
            ends && from < telling.until && telling.at <= to
        };
        let doubt = |at: &Moment| from < *at && *at <= to;
        self.tellings.iter().any(news) || self.doubts.iter().any(doubt)
    }
}

/// Whether this edit, whose outcome is unknown or for which nobody waits, may have ended what was resolved before it
/// was over.
fn may_end(edit: &EditFact, lease: &LeaseFact, closed: Moment) -> bool {
    let own = edit.agent == lease.ticket.agent && edit.began <= closed;
    let unknown = match (&edit.outcome, edit.answered) {
        (Some(Err(EditError::FateUnknown)), Some(answered)) => lease.resolved < answered,
        (None, _) => edit.is_left,
        _ => false,
    };
    own && unknown
}

pub fn is_of(ticket: &Ticket, row: &Grant, now: DateTime<Utc>) -> bool {
    ticket.agent == row.agent
        && ticket.digest == row.key_digest
        && ticket.sectors == row.granted()
        && ticket.expires_at == row.expires_at
        && row.check(now).is_ok()
}

pub fn is_expired(ticket: &Ticket, now: DateTime<Utc>) -> bool {
    ticket.expires_at.is_some_and(|deadline| deadline <= now)
}
