//! What the scheduler checks when nobody can move, and when the play is over.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use futures_util::FutureExt as _;
use sextant_actors::domain::{AgentName, Decision, Digest, Outcome};
use sextant_actors::sessions::{CloseReason, SessionId};
use sextant_actors::supervise::ActorState;

use super::history::{Closing, EditFact, History, LeaseFact, Moment, Story};
use super::play::{Health, Play};
use super::players::House;
use super::rules::{is_expired, is_of};

/// Twice the interval of the sweep.
const SWEPT: Duration = Duration::from_secs(2);

/// A reader of the clock who is neither an actor nor a player.
const SCHEDULER: usize = 1_000;

impl Play {
    /// Records what has changed, then checks it.
    pub fn look(&mut self) {
        let before = self.health;
        self.health = self.read_board();
        let health = self.health;
        let swept = self.moved.is_some_and(|(at, crashes)| {
            at.elapsed() >= SWEPT && crashes == health.registry_crashes
        });
        let log = self.house.log.clone();
        self.note_crashes(before);
        log.with(|history| {
            history.registry_crashes = health.registry_crashes;
            history.see_closings();
            history.judge_gates(health, swept);
        });
        self.probe();
        log.with(|history| history.judge_counts());
    }

    fn read_board(&self) -> Health {
        let mut health = Health::default();
        for row in self.tree.board.read() {
            let runs = row.state == ActorState::Running;
            match row.name.as_str() {
                "session registry" => {
                    (health.registry_crashes, health.registry_runs) = (row.crashes, runs);
                }
                "grants" => (health.grants_crashes, health.grants_runs) = (row.crashes, runs),
                source if source.starts_with("connection ") => health.source_crashes += row.crashes,
                _ => {}
            }
        }
        health
    }

    fn note_crashes(&self, before: Health) {
        self.house.log.with(|history| {
            if self.health.registry_crashes > before.registry_crashes {
                history.tally.note("the registry crashes");
            }
            if self.health.grants_crashes > before.grants_crashes {
                history.tally.note("the grants crash");
            }
            if self.health.source_crashes > before.source_crashes {
                history.tally.note("a connection's actor crashes");
            }
        });
    }

    /// Tries every key that was ever valid, and every open gate.
    fn probe(&self) {
        let House {
            log, clock, grants, ..
        } = &self.house;
        for digest in self.keys() {
            let resolved = clock.outside(SCHEDULER, || grants.resolve(&digest));
            log.with(|history| history.judge_resolved(&digest, &resolved));
        }
        for number in 0..log.with(|history| history.leases.len()) {
            let lease = log.with(|history| history.lease(number));
            // At a closed gate it is refused, as it should be.
            let _ = lease
                .gate()
                .pass(|| log.with(|history| history.judge_byte(number)));
        }
    }

    fn keys(&self) -> Vec<Digest> {
        self.house.log.with(|history| {
            let stories = history.stories.values();
            stories.flat_map(|story| story.keys.clone()).collect()
        })
    }

    /// The keys that must be valid, and their agents.
    pub fn alive(&self) -> Vec<(AgentName, Digest)> {
        self.house.log.with(|history| {
            let now = history.wall_clock;
            let told = history.stories.values().filter_map(|story| story.told());
            let alive = told.filter(|row| row.check(now).is_ok());
            alive
                .map(|row| (row.agent.clone(), row.key_digest))
                .collect()
        })
    }

    /// Whether the actors wait for nothing and know every row.
    pub fn is_settled(&self) -> bool {
        self.house.log.with(|history| {
            let mut stories = history.stories.values();
            history.requests == 0 && stories.all(Story::is_known)
        })
    }

    /// Whether exactly those keys are accepted.
    pub fn all_are_served(&self) -> bool {
        let wanted: HashSet<Digest> = self.alive().into_iter().map(|(_, key)| key).collect();
        let House { clock, grants, .. } = &self.house;
        let is_accepted = |key: &Digest| clock.outside(SCHEDULER, || grants.resolve(key)).is_ok();
        let accepted: HashSet<Digest> = self.keys().into_iter().filter(is_accepted).collect();
        self.health.grants_runs && self.health.registry_runs && accepted == wanted
    }

    /// The end: the table and the keys agree, no session was ended without a cause, every call has its row.
    pub async fn judge_end(&mut self) {
        let is_served = self.all_are_served();
        self.house.log.with(|history| {
            if !is_served {
                history.breaks("not exactly the keys of the table are accepted".to_owned());
            }
            history.judge_rows();
            (0..history.leases.len()).for_each(|lease| history.judge_closing(lease));
        });
        self.judge_rows_of_calls().await;
    }

    /// Rule 4: every call has exactly one audit row, with the call's outcome.
    async fn judge_rows_of_calls(&mut self) {
        let left = self.tree.drain().await;
        let rows = self.audit.rows(0).await;
        self.house.log.with(|history| {
            let mut wanted = BTreeMap::new();
            for call in &history.calls {
                let lost = (Decision::Allow, Some(Outcome::Error));
                let answer = call.answer.clone().and_then(Result::ok).unwrap_or(lost);
                wanted.insert(call.id.clone(), vec![answer]);
            }
            let mut found: BTreeMap<String, Vec<_>> = BTreeMap::new();
            for row in rows {
                let id = row.request_id.map(|id| id.to_string()).unwrap_or_default();
                found
                    .entry(id)
                    .or_default()
                    .push((row.decision, row.outcome));
            }
            if left > 0 || found != wanted {
                history.breaks(format!(
                    "the record does not say what was called:\n{found:?}\n{wanted:?}"
                ));
            }
        });
    }
}

impl History {
    /// Records the gates that have closed since the last look.
    fn see_closings(&mut self) {
        let at = self.tick();
        let (clock, registry_crashes) = (self.wall_clock, self.registry_crashes);
        for fact in self.leases.iter_mut().filter(|fact| fact.closed.is_none()) {
            let Some(reason) = fact.lease.gate().state() else {
                continue;
            };
            if reason == CloseReason::GrantChanged {
                let told = self.stories[&fact.ticket.agent].tellings.last();
                let what = if is_expired(&fact.ticket, clock) {
                    "a deadline ends a session"
                } else if told
                    .is_some_and(|told| told.is_news && !told.is_by_edit && told.at > fact.resolved)
                {
                    "a reload ends a session"
                } else {
                    "an edit ends a session"
                };
                self.tally.note(what);
            }
            fact.closed = Some(Closing {
                at,
                reason,
                clock,
                registry_crashes,
            });
        }
    }

    /// Checks the state of each gate while nobody can move.
    fn judge_gates(&mut self, health: Health, swept: bool) {
        let all_run = health.registry_runs && health.grants_runs;
        let now = self.wall_clock;
        let mut broken = Vec::new();
        for fact in &self.leases {
            let agent = &fact.ticket.agent;
            let story = &self.stories[agent];
            if fact.closed.is_some() {
                if fact.lease.gate().closed().now_or_never().is_none() {
                    broken.push(format!(
                        "whoever waits at a closed gate of {agent} waits on"
                    ));
                }
                if fact.calls_under_way > 0 {
                    broken.push(format!("a call of {agent} goes on behind a closed gate"));
                }
                continue;
            }
            if health.registry_runs && health.registry_crashes > fact.crashes_received {
                broken.push(format!("a session of {agent} has outlived the registry"));
            }
            if health.registry_runs && swept && is_expired(&fact.ticket, now) {
                broken.push(format!("a session of {agent} has outlived its deadline"));
            }
            let in_doubt = story.doubts.iter().any(|doubt| *doubt > fact.resolved);
            if all_run && in_doubt {
                broken.push(format!(
                    "a session of {agent} (resolved at {}) has outlived a doubt: {}",
                    fact.resolved,
                    story.course(),
                ));
            }
            let is_current = story.told().is_some_and(|row| is_current(fact, row));
            if all_run && !is_current {
                broken.push(format!(
                    "a session of {agent} lives under a grant that is gone"
                ));
            }
        }
        let at = self.tick();
        for story in self.stories.values_mut().filter(|_| all_run) {
            story.digested(at);
        }
        self.broken.extend(broken);
    }

    /// Checks the number of sessions that an edit reports as ended against those seen to end, where nothing else can
    /// have ended any.
    fn judge_counts(&mut self) {
        let mut broken = Vec::new();
        for number in 0..self.edits.len() {
            let edit = &self.edits[number];
            let (Some(Ok(edited)), Some(told)) = (&edit.outcome, edit.told) else {
                continue;
            };
            if edit.is_counted || !self.is_plain(edit, told) {
                continue;
            }
            let seen = self.seen_ended(&edit.agent, told);
            let unseen = self.stories[&edit.agent].lost_opens;
            if !(seen..=seen + unseen).contains(&edited.sessions_ended) {
                broken.push(format!(
                    "{:?} of {} says that it ended {} sessions, but {seen} were seen to end",
                    edit.change, edit.agent, edited.sessions_ended
                ));
            }
            self.tally.note(if seen > 0 {
                "sessions that an edit ended are counted"
            } else {
                "an edit that ended nothing"
            });
        }
        for edit in self.edits.iter_mut().filter(|edit| edit.told.is_some()) {
            edit.is_counted = true;
        }
        self.broken.extend(broken);
    }

    /// Whether nothing but this edit can have ended sessions of its agent since the store reported its result.
    fn is_plain(&self, edit: &EditFact, told: Moment) -> bool {
        let story = &self.stories[&edit.agent];
        let own = |fact: &&LeaseFact| fact.ticket.agent == edit.agent;
        let mut leases = self.leases.iter().filter(own);
        story.doubts.is_empty()
            && edit.registry_crashes == self.registry_crashes
            && story.told_at() == told
            && !leases.any(|fact| is_expired(&fact.ticket, self.wall_clock))
    }

    /// The number of sessions of this agent whose gate was seen closed by an edit since then.
    fn seen_ended(&self, agent: &AgentName, since: Moment) -> usize {
        let ended = |fact: &&LeaseFact| {
            let by_edit = |closing: Closing| {
                closing.at > since && closing.reason == CloseReason::GrantChanged
            };
            fact.ticket.agent == *agent && fact.closed.is_some_and(by_edit)
        };
        let sessions: HashSet<&SessionId> = self
            .leases
            .iter()
            .filter(ended)
            .map(|fact| fact.lease.id())
            .collect();
        sessions.len()
    }

    /// Checks that the actors know every row, unless it was written without their knowledge.
    fn judge_rows(&mut self) {
        let stale = |(agent, story): (&AgentName, &Story)| {
            let rule = || format!("the row of {agent} is not what is published");
            (!story.is_known()).then(rule)
        };
        let broken: Vec<String> = self.stories.iter().filter_map(stale).collect();
        self.broken.extend(broken);
    }
}

/// Whether the lease was given out on the present row.
fn is_current(fact: &LeaseFact, row: &sextant_actors::domain::Grant) -> bool {
    // Deadlines are the sweep's business.
    is_of(&fact.ticket, row, row.created_at)
}
