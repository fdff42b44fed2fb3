use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sextant_actors::domain::AgentName;
use sextant_actors::ports::{GrantApplied, GrantChange, GrantStore, PortError, PortFuture};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, oneshot};

use super::history::{Log, Work};
use super::stage::{Fate, Stage, crash};
use crate::support::{change_row, lost};

/// A database that waits before every step and goes on when nobody waits for it any more: an edit whose caller has
/// left may still be committed, and a reader waits until it has been, as the table's lock makes it.
#[derive(Clone)]
pub struct StagedStore {
    stage: Stage,
    log: Log,
    rows: Arc<BTreeMap<AgentName, Arc<Turn<()>>>>,
}

/// The database's answer to its caller.
enum Word<T> {
    Says(Result<T, PortError>),
    Panic,
}

/// An edit whose caller has not received the outcome; dropped before that, it puts the agent in doubt.
struct Unheard {
    log: Log,
    agent: AgentName,
    is_heard: bool,
}

impl Drop for Unheard {
    fn drop(&mut self) {
        self.log.with(|history| {
            if !self.is_heard {
                history.doubted(&self.agent);
            }
        });
    }
}

/// Counts a caller that waits for an answer.
struct Asking(Log);

impl Asking {
    fn begin(log: &Log) -> Self {
        log.with(|history| history.requests += 1);
        Self(log.clone())
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.with(|history| history.requests -= 1);
    }
}

impl StagedStore {
    pub fn new(stage: Stage, log: Log) -> Self {
        let names = log.with(|history| history.stories.keys().cloned().collect::<Vec<_>>());
        let rows = names.into_iter().map(|name| (name, Arc::default()));
        Self {
            stage,
            log,
            rows: Arc::new(rows.collect()),
        }
    }

    /// Writes to the table as somebody else, if nobody holds the row; returns whether it was written.
    pub fn write_silently(&self, agent: &AgentName, sectors: Vec<String>) -> bool {
        let Ok(_held) = self.rows[agent].try_lock() else {
            return false;
        };
        self.log.with(|history| {
            let Some(mut row) = history.story(agent).row() else {
                return false;
            };
            row.sectors = sectors;
            history.committed(agent, Some(row));
            history.story(agent).is_silent = true;
            true
        })
    }

    async fn held(&self, agent: &AgentName) -> OwnedMutexGuard<()> {
        Arc::clone(&self.rows[agent]).lock_owned().await
    }

    /// One transaction, from its begin to its answer.
    async fn transact(
        self,
        edit: Option<usize>,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
        answer: oneshot::Sender<Word<(GrantApplied, usize)>>,
    ) {
        const BEFORE: &[Fate] = &[Fate::Refuse, Fate::Lose, Fate::Panic, Fate::Hang];
        const AFTER: &[Fate] = &[Fate::Lose, Fate::Panic, Fate::Hang];
        let row = self.held(&agent).await;
        let name = format!("{} of {agent}", verb(&change));
        match self
            .stage
            .point(format!("{name} before its commit"), BEFORE)
            .await
        {
            Fate::Go => {}
            Fate::Refuse => {
                self.log
                    .with(|history| history.work_ends(edit, Work::RolledBack));
                let away = PortError::Unavailable("away".to_owned());
                let _ = answer.send(Word::Says(Err(away)));
                return;
            }
            fate => {
                let silent = interrupt(fate, answer);
                let late = self
                    .stage
                    .point(format!("{name} lands late"), &[Fate::Refuse]);
                if late.await == Fate::Go {
                    self.note("a lost commit lands late");
                    self.commit(edit, &agent, change, now);
                } else {
                    self.note("a lost commit never lands");
                    self.log
                        .with(|history| history.work_ends(edit, Work::RolledBack));
                }
                drop(row);
                return silent.await;
            }
        }
        let done = self.commit(edit, &agent, change, now);
        drop(row);
        match self
            .stage
            .point(format!("{name} after its commit"), AFTER)
            .await
        {
            Fate::Go => {
                let _ = answer.send(Word::Says(Ok(done)));
            }
            fate => {
                self.note("a commit whose answer is lost");
                interrupt(fate, answer).await;
            }
        }
    }

    /// The result of the change, and the number of the row version that it left.
    fn commit(
        &self,
        edit: Option<usize>,
        agent: &AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> (GrantApplied, usize) {
        self.log.with(|history| {
            let before = history.story(agent).row();
            let replaced = before.is_some();
            let row = match change_row(agent, before, change, now) {
                Some(Err(refused)) => {
                    history.work_ends(edit, Work::RolledBack);
                    return (refused, 0);
                }
                row => row.and_then(Result::ok),
            };
            history.work_ends(edit, Work::Committed);
            let version = history.committed(agent, row.clone());
            let done = GrantApplied::Done {
                grant: row,
                replaced,
            };
            (done, version)
        })
    }

    fn note(&self, what: &'static str) {
        self.log.with(|history| history.tally.note(what));
    }
}

/// Sends the last answer to a request, or sends none until nobody listens.
fn interrupt<T>(fate: Fate, answer: oneshot::Sender<Word<T>>) -> impl Future<Output = ()> {
    let silent = match fate {
        Fate::Lose => answer.send(Word::Says(Err(lost()))).err().and(None),
        Fate::Panic => answer.send(Word::Panic).err().and(None),
        _ => Some(answer),
    };
    async move {
        if let Some(mut silent) = silent {
            silent.closed().await;
        }
    }
}

async fn hear<T>(answer: oneshot::Receiver<Word<T>>) -> Result<T, PortError> {
    match answer.await.unwrap() {
        Word::Says(said) => said,
        Word::Panic => crash("the store panics"),
    }
}

fn verb(change: &GrantChange) -> &'static str {
    match change {
        GrantChange::Create { .. } => "create",
        GrantChange::Rotate { .. } => "rotate",
        GrantChange::Amend {
            sectors: Some(_), ..
        } => "sectors",
        GrantChange::Amend { .. } => "deadline",
        GrantChange::Revoke => "revoke",
        GrantChange::Remove => "remove",
    }
}

impl GrantStore for StagedStore {
    /// Reads when no edit is in progress any more.
    fn load(&self) -> PortFuture<Result<Vec<sextant_actors::domain::Grant>, PortError>> {
        let (answer, heard) = oneshot::channel();
        let store = self.clone();
        tokio::spawn(async move {
            let mut held = Vec::new();
            for agent in store.rows.keys() {
                held.push(store.held(agent).await);
            }
            let mishaps = &[Fate::Refuse, Fate::Panic, Fate::Hang];
            match store.stage.point("all grants are read", mishaps).await {
                Fate::Go => {
                    let versions = store.log.with(|history| {
                        let stories = history.stories.iter();
                        stories
                            .map(|(agent, story)| (agent.clone(), story.versions.len() - 1))
                            .collect::<Vec<_>>()
                    });
                    let _ = answer.send(Word::Says(Ok(versions)));
                }
                Fate::Refuse => {
                    let away = PortError::Unavailable("away".to_owned());
                    let _ = answer.send(Word::Says(Err(away)));
                }
                fate => {
                    drop(held);
                    interrupt(fate, answer).await;
                }
            }
        });
        let (log, asking) = (self.log.clone(), Asking::begin(&self.log));
        Box::pin(async move {
            let _asking = asking;
            let versions = hear(heard).await?;
            Ok(log.with(|history| {
                let mut rows = Vec::new();
                for (agent, version) in versions {
                    history.told(&agent, version, false);
                    history.story(&agent).digests();
                    rows.extend(history.story(&agent).versions[version].clone());
                }
                rows
            }))
        })
    }

    fn read(
        &self,
        agent: AgentName,
    ) -> PortFuture<Result<Option<sextant_actors::domain::Grant>, PortError>> {
        let (answer, heard) = oneshot::channel();
        let (store, name) = (self.clone(), agent.clone());
        tokio::spawn(async move {
            let _held = store.held(&name).await;
            let mishaps = &[Fate::Refuse, Fate::Panic, Fate::Hang];
            match store.stage.point(format!("{name} is read"), mishaps).await {
                Fate::Go => {
                    let version = store
                        .log
                        .with(|history| history.story(&name).versions.len() - 1);
                    let _ = answer.send(Word::Says(Ok(version)));
                }
                Fate::Refuse => {
                    let away = PortError::Unavailable("away".to_owned());
                    let _ = answer.send(Word::Says(Err(away)));
                }
                fate => interrupt(fate, answer).await,
            }
        });
        let (log, asking) = (self.log.clone(), Asking::begin(&self.log));
        Box::pin(async move {
            let _asking = asking;
            let version = hear(heard).await?;
            Ok(log.with(|history| {
                history.told(&agent, version, false);
                history.story(&agent).versions[version].clone()
            }))
        })
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, PortError>> {
        let (answer, heard) = oneshot::channel();
        let edit = self
            .log
            .with(|history| history.work_begins(&agent, &change));
        tokio::spawn(
            self.clone()
                .transact(edit, agent.clone(), change, now, answer),
        );
        let asking = Asking::begin(&self.log);
        let mut unheard = Unheard {
            log: self.log.clone(),
            agent,
            is_heard: false,
        };
        Box::pin(async move {
            let _asking = asking;
            let said = hear(heard).await;
            unheard.is_heard = !matches!(said, Err(PortError::FateUnknown(_)));
            let (applied, version) = said?;
            if matches!(applied, GrantApplied::Done { .. }) {
                unheard
                    .log
                    .with(|history| history.told(&unheard.agent, version, true));
            }
            Ok(applied)
        })
    }

    fn revoke_all(
        &self,
        _: DateTime<Utc>,
    ) -> PortFuture<Result<Vec<sextant_actors::domain::Grant>, PortError>> {
        let never = "no play revokes every agent".to_owned();
        Box::pin(async { Err(PortError::Rejected(never)) })
    }
}
