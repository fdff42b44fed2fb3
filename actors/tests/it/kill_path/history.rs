//! What has happened so far, as observed from outside: in the table, by the clients and by the Console.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, Decision, Digest, Grant, Outcome, Ticket};
use sextant_actors::grants::{EditError, Edited};
use sextant_actors::ports::GrantChange;
use sextant_actors::sessions::{CallError, CloseReason, Lease, SessionId};

use super::tally::Tally;

/// A position in the order of all events.
pub type Moment = u64;

/// The store has told the actors an agent's row.
#[derive(Clone, Copy)]
pub struct Telling {
    pub at: Moment,
    /// Until when the grant published before may have been resolved: a load ends sessions before it publishes.
    pub until: Moment,
    pub version: usize,
    /// Whether the row differed from the one the actors knew.
    pub is_news: bool,
    /// Whether it was the answer to an edit.
    pub is_by_edit: bool,
}

/// The versions of one agent's row, and what the actors were told of it.
pub struct Story {
    /// The last one is what the table holds.
    pub versions: Vec<Option<Grant>>,
    pub tellings: Vec<Telling>,
    /// When the outcome of an edit became unknown to the actors.
    pub doubts: Vec<Moment>,
    /// Whether the last version was written without the actors' knowledge.
    pub is_silent: bool,
    /// All keys that were ever valid.
    pub keys: Vec<Digest>,
    /// Opens whose client left before the answer: sessions may exist that no client holds.
    pub lost_opens: usize,
}

/// One edit, as the Console sees it.
pub struct EditFact {
    pub agent: AgentName,
    pub change: GrantChange,
    pub began: Moment,
    pub answered: Option<Moment>,
    pub outcome: Option<Result<Edited, EditError>>,
    /// When the store reported the result of an edit that was answered `Ok`.
    pub told: Option<Moment>,
    pub registry_crashes: u64,
    /// Whether its sender has left.
    pub is_left: bool,
    /// Whether the number of sessions that it reports as ended has been checked.
    pub is_counted: bool,
    pub work: Work,
}

/// What an edit did to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    None,
    Begun,
    Committed,
    RolledBack,
}

/// One lease that was given out.
pub struct LeaseFact {
    pub lease: Lease,
    pub ticket: Ticket,
    pub resolved: Moment,
    /// Crashes of the registry before the lease was requested, and before it was received.
    pub crashes_asked: u64,
    pub crashes_received: u64,
    pub calls_under_way: usize,
    pub closed: Option<Closing>,
}

/// The first time a gate was seen closed.
#[derive(Clone, Copy)]
pub struct Closing {
    pub at: Moment,
    pub reason: CloseReason,
    pub clock: DateTime<Utc>,
    pub registry_crashes: u64,
}

/// One call; no answer means that its client left.
pub struct CallFact {
    pub id: String,
    pub client: usize,
    pub lease: usize,
    pub reached_desk: bool,
    pub answer: Option<Result<(Decision, Option<Outcome>), CallError>>,
}

pub struct History {
    now: Moment,
    pub stories: BTreeMap<AgentName, Story>,
    pub edits: Vec<EditFact>,
    pub leases: Vec<LeaseFact>,
    pub calls: Vec<CallFact>,
    /// Sessions that a client ended, and sessions whose own work panicked.
    pub ended: HashSet<SessionId>,
    pub crashed: HashSet<SessionId>,
    /// According to the board when it was last read.
    pub registry_crashes: u64,
    pub wall_clock: DateTime<Utc>,
    /// Requests to the store whose caller still waits.
    pub requests: usize,
    pub tally: Tally,
    /// Violations of the rules.
    pub broken: Vec<String>,
}

/// The history, shared by all who add to it.
#[derive(Clone)]
pub struct Log(Arc<Mutex<History>>);

impl Log {
    pub fn new(grants: &[Grant], wall_clock: DateTime<Utc>) -> Self {
        let story = |grant: &Grant| (grant.agent.clone(), Story::of(grant.clone()));
        Self(Arc::new(Mutex::new(History {
            now: 1,
            stories: grants.iter().map(story).collect(),
            edits: Vec::new(),
            leases: Vec::new(),
            calls: Vec::new(),
            ended: HashSet::new(),
            crashed: HashSet::new(),
            registry_crashes: 0,
            wall_clock,
            requests: 0,
            tally: Tally::default(),
            broken: Vec::new(),
        })))
    }

    pub fn with<T>(&self, part: impl FnOnce(&mut History) -> T) -> T {
        let mut history = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        part(&mut history)
    }
}

impl Story {
    fn of(grant: Grant) -> Self {
        Self {
            keys: vec![grant.key_digest],
            versions: vec![Some(grant)],
            tellings: Vec::new(),
            doubts: Vec::new(),
            is_silent: false,
            lost_opens: 0,
        }
    }

    pub fn row(&self) -> Option<Grant> {
        self.versions.last().cloned().flatten()
    }

    /// The row that the actors were told last.
    pub fn told(&self) -> Option<&Grant> {
        self.version(self.tellings.len().checked_sub(1)?)
    }

    /// Whether they were told the present row, or it was written without their knowledge.
    pub fn is_known(&self) -> bool {
        self.is_silent || self.told() == self.row().as_ref()
    }

    /// The row that they were told before, as long as a load may not have published yet.
    pub fn told_before(&self) -> Option<&Grant> {
        let last = self.tellings.last()?;
        let before = self.tellings.len().checked_sub(2)?;
        (last.until == Moment::MAX)
            .then(|| self.version(before))
            .flatten()
    }

    /// A load has been answered, and its kills may be in progress.
    pub fn digests(&mut self) {
        self.tellings
            .iter_mut()
            .rev()
            .take(1)
            .for_each(|telling| telling.until = Moment::MAX);
    }

    /// The kills of the loads are done.
    pub fn digested(&mut self, at: Moment) {
        for telling in &mut self.tellings {
            telling.until = telling.until.min(at.max(telling.at));
        }
    }

    /// What the actors learned, and when.
    pub fn course(&self) -> String {
        let told: Vec<_> = self
            .tellings
            .iter()
            .map(|telling| (telling.at, telling.version))
            .collect();
        format!("told {told:?}, in doubt at {:?}", self.doubts)
    }

    fn version(&self, telling: usize) -> Option<&Grant> {
        self.versions[self.tellings[telling].version].as_ref()
    }

    pub fn told_at(&self) -> Moment {
        self.tellings.last().map_or(0, |telling| telling.at)
    }

    pub fn first_told_after(&self, moment: Moment) -> Option<Moment> {
        let mut tellings = self.tellings.iter().map(|telling| telling.at);
        tellings.find(|at| *at > moment)
    }
}

impl History {
    pub fn tick(&mut self) -> Moment {
        self.now += 1;
        self.now
    }

    pub fn story(&mut self, agent: &AgentName) -> &mut Story {
        self.stories.get_mut(agent).unwrap()
    }

    pub fn breaks(&mut self, rule: String) {
        self.broken.push(rule);
    }

    // The store.

    /// The database begins a change: finds the oldest edit that requested it and has no answer.
    pub fn work_begins(&mut self, agent: &AgentName, change: &GrantChange) -> Option<usize> {
        let wanted = |edit: &EditFact| {
            let waits = edit.answered.is_none() && edit.work == Work::None;
            waits && edit.agent == *agent && edit.change == *change
        };
        let found = self.edits.iter().position(wanted);
        match found {
            Some(edit) => self.edits[edit].work = Work::Begun,
            None => self.breaks(format!(
                "the database was asked for {change:?} of {agent}, and nobody waits for that"
            )),
        }
        found
    }

    pub fn work_ends(&mut self, edit: Option<usize>, work: Work) {
        if let Some(edit) = edit {
            self.edits[edit].work = work;
        }
    }

    /// Notes a new version of the row; returns its number.
    pub fn committed(&mut self, agent: &AgentName, row: Option<Grant>) -> usize {
        self.tick();
        let story = self.story(agent);
        story.is_silent = false;
        story.versions.push(row);
        story.versions.len() - 1
    }

    pub fn told(&mut self, agent: &AgentName, version: usize, is_by_edit: bool) {
        let at = self.tick();
        let story = self.story(agent);
        let known = story.tellings.last().map(|telling| telling.version);
        let is_news = known.is_none_or(|known| story.versions[known] != story.versions[version]);
        story.tellings.push(Telling {
            at,
            until: at,
            version,
            is_news,
            is_by_edit,
        });
    }

    pub fn doubted(&mut self, agent: &AgentName) {
        let at = self.tick();
        self.story(agent).doubts.push(at);
    }

    // The Console.

    pub fn edit_begins(&mut self, agent: &AgentName, change: &GrantChange) -> usize {
        let began = self.tick();
        let at_once =
            |edit: &EditFact| edit.agent == *agent && edit.answered.is_none() && !edit.is_left;
        if self.edits.iter().any(at_once) {
            self.tally.note("several edits of one agent at once");
        }
        self.edits.push(EditFact {
            agent: agent.clone(),
            change: change.clone(),
            began,
            answered: None,
            outcome: None,
            told: None,
            registry_crashes: self.registry_crashes,
            is_left: false,
            is_counted: false,
            work: Work::None,
        });
        self.edits.len() - 1
    }

    pub fn edit_answered(&mut self, number: usize, outcome: Result<Edited, EditError>) {
        let at = self.tick();
        let agent = self.edits[number].agent.clone();
        let told = outcome.is_ok().then(|| self.story(&agent).told_at());
        let edit = &mut self.edits[number];
        edit.answered = Some(at);
        edit.told = told;
        edit.outcome = Some(outcome);
        self.sort_work(number);
        self.judge_answer(number);
    }

    /// Of several equal edits any may have been the first; the answer tells which one the database executed.
    fn sort_work(&mut self, number: usize) {
        let edit = &self.edits[number];
        let fitting = match edit.outcome {
            Some(Ok(_)) => Work::Committed,
            Some(Err(EditError::FateUnknown)) | None => return,
            Some(Err(_)) => Work::RolledBack,
        };
        let is_open =
            |other: &EditFact| matches!(other.outcome, None | Some(Err(EditError::FateUnknown)));
        let equal = |other: &EditFact| other.agent == edit.agent && other.change == edit.change;
        let may_swap = |other: &EditFact| equal(other) && is_open(other) && other.work == fitting;
        let other = self.edits.iter().position(may_swap);
        if let Some(other) = other.filter(|_| edit.work != fitting) {
            self.edits[other].work = std::mem::replace(&mut self.edits[number].work, fitting);
        }
    }

    // The clients.

    pub fn lease(&self, number: usize) -> Lease {
        self.leases[number].lease.clone()
    }

    pub fn call_mut(&mut self, id: &str) -> &mut CallFact {
        self.calls.iter_mut().find(|call| call.id == id).unwrap()
    }

    pub fn call_begins(&mut self, client: usize, lease: usize) -> String {
        let id = format!("call {} of client {client}", self.calls.len());
        self.leases[lease].calls_under_way += 1;
        self.calls.push(CallFact {
            id: id.clone(),
            client,
            lease,
            reached_desk: false,
            answer: None,
        });
        id
    }

    /// Notes that a client is ending the session of this call.
    pub fn ends_by_client(&mut self, call: &str) {
        let lease = self.call_mut(call).lease;
        self.ended.insert(self.leases[lease].lease.id().clone());
    }

    /// Notes that the work of this call panicked.
    pub fn session_crashed(&mut self, call: &str) {
        let lease = self.call_mut(call).lease;
        self.tally.note("a session crashes");
        self.crashed.insert(self.leases[lease].lease.id().clone());
    }
}
