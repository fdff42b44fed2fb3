//! The clients: they resolve, open, call, stream and leave. Each step waits on the stage.

use serde_json::json;
use sextant_actors::domain::{AgentName, Call, Digest, Ticket};
use sextant_actors::grants::GrantsHandle;
use sextant_actors::sessions::{CloseReason, Era, GateClosed, Lease, OpenError, SessionsHandle};
use sextant_actors::supervise::Board;
use tokio_util::sync::CancellationToken;

use super::chance::Chance;
use super::clock::StagedClock;
use super::history::{History, LeaseFact, Log, Moment};
use super::rounds::StagedRounds;
use super::rules::is_expired;
use super::stage::Stage;
use crate::support::client;

/// What every player is given.
#[derive(Clone)]
pub struct House {
    pub stage: Stage,
    pub log: Log,
    pub clock: StagedClock,
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub board: Board,
    pub rounds: StagedRounds,
}

impl House {
    fn registry_crashes(&self) -> u64 {
        let mut rows = self.board.read().into_iter();
        let registry = rows.find(|row| row.name == "session registry");
        registry.map_or(0, |row| row.crashes)
    }
}

/// One step of a client.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Resolves one of its agent's keys: the latest, or an earlier one.
    Resolve {
        back: usize,
    },
    Open(Era),
    /// Finds one of its agent's sessions by its id.
    Find(usize),
    Call(&'static str),
    Stream {
        chunks: usize,
    },
    Delete,
}

pub struct Client {
    pub number: usize,
    pub agent: AgentName,
    pub house: House,
    ticket: Option<(Ticket, Moment)>,
    lease: Option<usize>,
}

/// A client's visit: a key, a session, and calls in it.
pub fn visit(chance: &mut Chance) -> Vec<Act> {
    let mut acts = vec![
        Act::Resolve {
            back: if chance.one_in(8) {
                1 + chance.below(2)
            } else {
                0
            },
        },
        match chance.below(5) {
            0 => Act::Find(chance.below(2)),
            1 => Act::Open(Era::Modern),
            2 => Act::Open(Era::Mirror),
            _ => Act::Open(Era::Legacy),
        },
    ];
    for _ in 0..1 + chance.below(3) {
        acts.push(match chance.below(12) {
            0 => Act::Delete,
            1 => Act::Find(chance.below(2)),
            2 => Act::Open(Era::Modern),
            3..=6 => Act::Stream {
                chunks: 1 + chance.below(4),
            },
            _ => Act::Call(chance.pick(&["answer", "answer", "answer", "deny", "fail", "thorny"])),
        });
    }
    acts
}

/// An open that was sent; when it is dropped without an answer, a session may exist that no client holds.
struct Asked<'a> {
    log: &'a Log,
    agent: &'a AgentName,
    is_answered: bool,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.log
                .with(|history| history.story(self.agent).lost_opens += 1);
        }
    }
}

/// A call in progress.
struct UnderWay<'a>(&'a Log, usize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0
            .with(|history| history.leases[self.1].calls_under_way -= 1);
    }
}

impl Client {
    pub fn new(number: usize, agent: AgentName, house: House) -> Self {
        Self {
            number,
            agent,
            house,
            ticket: None,
            lease: None,
        }
    }

    pub async fn play(mut self, acts: Vec<Act>) {
        for act in acts {
            let name = format!("client {} of {}: {act:?}", self.number, self.agent);
            self.house.stage.point(name, &[]).await;
            match act {
                Act::Resolve { back } => self.resolve(back),
                Act::Open(era) => self.open(era).await,
                Act::Find(which) => self.find(which).await,
                Act::Call(kind) => self.call(kind).await,
                Act::Stream { chunks } => self.stream(chunks).await,
                Act::Delete => self.delete().await,
            }
        }
    }

    /// Connects with a key that must be valid, and asserts that it is served.
    pub async fn come_back(mut self, digest: Digest) {
        self.present(digest);
        self.open(Era::Modern).await;
        let calls = self.house.log.with(|history| history.calls.len());
        self.call("answer").await;
        self.house.log.with(|history| {
            let call = history.calls.get(calls);
            if !call.is_some_and(|call| matches!(call.answer, Some(Ok(_)))) {
                history.breaks(format!("{} is not served again", self.agent));
            }
        });
    }

    fn resolve(&mut self, back: usize) {
        let digest = self.house.log.with(|history| {
            let keys = &history.story(&self.agent).keys;
            keys[keys.len().saturating_sub(1 + back)]
        });
        self.present(digest);
    }

    fn present(&mut self, digest: Digest) {
        let log = &self.house.log;
        let resolved = self.house.grants.resolve(&digest);
        self.ticket = log.with(|history| {
            let at = history.tick();
            history.judge_resolved(&digest, &resolved);
            resolved.ok().map(|ticket| (ticket, at))
        });
    }

    async fn open(&mut self, era: Era) {
        let Some((ticket, resolved)) = self.ticket.clone() else {
            return;
        };
        let log = self.house.log.clone();
        let (crashes, was_expired) = self.before(&ticket);
        let mut asked = Asked {
            log: &log,
            agent: &self.agent,
            is_answered: false,
        };
        let opened = self
            .house
            .sessions
            .open(ticket.clone(), client("c"), era)
            .await;
        asked.is_answered =
            opened.is_ok() || opened.as_ref().err() == Some(&OpenError::GrantChanged);
        log.with(|history| match &opened {
            Ok(_) => {
                history.tally.note("a session is opened");
                history.judge_admitted(&ticket, resolved, was_expired);
            }
            Err(OpenError::GrantChanged) => history.tally.note("an outdated ticket is refused"),
            Err(_) => history.tally.note("an open gets no answer"),
        });
        self.lease = opened
            .ok()
            .map(|lease| self.keep(lease, ticket, resolved, crashes));
    }

    async fn find(&mut self, which: usize) {
        let Some((ticket, resolved)) = self.ticket.clone() else {
            return;
        };
        let log = self.house.log.clone();
        let Some(id) = log.with(|history| nth_session(history, &self.agent, which)) else {
            return;
        };
        let (crashes, was_expired) = self.before(&ticket);
        let found = self.house.sessions.find(id, &ticket).await;
        log.with(|history| match &found {
            Some(_) => {
                history.tally.note("a session is found");
                history.judge_admitted(&ticket, resolved, was_expired);
            }
            None => history.tally.note("a session is not found"),
        });
        self.lease = found.map(|lease| self.keep(lease, ticket, resolved, crashes));
    }

    /// What is known before a session is requested: the number of the registry's crashes, and whether the deadline
    /// has passed.
    fn before(&self, ticket: &Ticket) -> (u64, bool) {
        let now = self.house.log.with(|history| history.wall_clock);
        (self.house.registry_crashes(), is_expired(ticket, now))
    }

    fn keep(&self, lease: Lease, ticket: Ticket, resolved: Moment, crashes_asked: u64) -> usize {
        let crashes_received = self.house.registry_crashes();
        self.house.log.with(|history| {
            history.leases.push(LeaseFact {
                lease,
                ticket,
                resolved,
                crashes_asked,
                crashes_received,
                calls_under_way: 0,
                closed: None,
            });
            history.leases.len() - 1
        })
    }

    async fn call(&mut self, kind: &'static str) {
        let Some(number) = self.lease else {
            return;
        };
        let log = &self.house.log;
        let lease = log.with(|history| history.lease(number));
        let id = log.with(|history| history.call_begins(self.number, number));
        let under_way = UnderWay(log, number);
        let call = Call {
            tool: "query".to_owned(),
            arguments: json!({ "do": kind }),
            request_id: Some(id.clone()),
        };
        let answer = lease.call(call, CancellationToken::new()).await;
        drop(under_way);
        let gate = lease.gate().state();
        log.with(|history| history.call_answered(&id, &answer, gate));
    }

    async fn stream(&mut self, chunks: usize) {
        let Some(number) = self.lease else {
            return;
        };
        let log = &self.house.log;
        let lease = log.with(|history| history.lease(number));
        for chunk in 0..chunks {
            let name = format!("client {}: chunk {chunk}", self.number);
            self.house.stage.point(name, &[]).await;
            match lease
                .gate()
                .pass(|| log.with(|history| history.judge_byte(number)))
            {
                Ok(()) => log.with(|history| history.tally.note("a byte passes")),
                Err(GateClosed(CloseReason::GrantChanged)) if chunk > 0 => {
                    return log.with(|history| history.tally.note("a kill in mid-stream"));
                }
                Err(_) => return,
            }
        }
    }

    async fn delete(&mut self) {
        let Some(number) = self.lease else {
            return;
        };
        let lease = self.house.log.with(|history| {
            history.tally.note("a session is deleted");
            history
                .ended
                .insert(history.leases[number].lease.id().clone());
            history.lease(number)
        });
        lease.end().await;
    }
}

/// One of the sessions of an agent, counted from the latest.
fn nth_session(
    history: &History,
    agent: &AgentName,
    which: usize,
) -> Option<sextant_actors::sessions::SessionId> {
    let own = |fact: &&LeaseFact| fact.ticket.agent == *agent;
    let mut sessions = history.leases.iter().rev().filter(own);
    sessions.nth(which).map(|fact| fact.lease.id().clone())
}
