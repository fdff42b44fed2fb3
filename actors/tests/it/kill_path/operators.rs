//! The operators: all five edits, several of them of one agent at once. Each edit waits on the stage.

use std::time::Duration;

use chrono::TimeDelta;
use sextant_actors::domain::{AgentName, Digest};
use sextant_actors::ports::GrantChange;

use super::chance::Chance;
use super::history::{History, Log};
use super::players::House;

/// An operator's edits of one agent, one after the other.
pub struct Operator {
    pub number: usize,
    pub agent: AgentName,
    pub house: House,
}

/// One edit, before the time of day is known.
#[derive(Clone, Copy, Debug)]
pub enum Plan {
    Create(Deadline),
    Rotate,
    Sectors(&'static [&'static str]),
    Deadline(Deadline),
    Revoke,
    Remove,
}

#[derive(Clone, Copy, Debug)]
pub enum Deadline {
    Never,
    Near,
    Far,
}

/// Long enough that a client is in the middle of something, short enough that the clock passes it.
pub const NEAR: Duration = Duration::from_secs(60);
const FAR_DAYS: i64 = 3_650;

pub fn plan(chance: &mut Chance) -> Plan {
    let deadline = chance.pick(&[
        Deadline::Never,
        Deadline::Never,
        Deadline::Near,
        Deadline::Far,
    ]);
    match chance.below(12) {
        0..=2 => Plan::Create(deadline),
        3 | 4 => Plan::Rotate,
        5..=7 => Plan::Sectors(chance.pick(&[
            &["mail"] as &[&str],
            &["finance", "mail"],
            &["home"],
            &[],
        ])),
        8 | 9 => Plan::Deadline(chance.pick(&[Deadline::Near, Deadline::Near, deadline])),
        10 => Plan::Revoke,
        _ => Plan::Remove,
    }
}

impl Operator {
    pub async fn play(self, plans: Vec<Plan>) {
        for (turn, plan) in plans.into_iter().enumerate() {
            let name = format!("operator {} edits {}: {plan:?}", self.number, self.agent);
            self.house.stage.point(name, &[]).await;
            let key = format!("{} {turn} of operator {}", self.agent, self.number);
            self.edit(plan, Digest::of(&key)).await;
        }
    }

    async fn edit(&self, plan: Plan, key: Digest) {
        let log = &self.house.log;
        let (number, plan, change) = log.with(|history| {
            let (plan, change) = unlike_others(plan, key, &self.agent, history);
            if let GrantChange::Create { key, .. } | GrantChange::Rotate { key } = change {
                history.story(&self.agent).keys.push(key);
            }
            (history.edit_begins(&self.agent, &change), plan, change)
        });
        let mut asked = Sent {
            log,
            number,
            is_answered: false,
        };
        let edited = self.house.grants.edit(self.agent.clone(), change).await;
        asked.is_answered = true;
        let rounds = self.house.rounds.under_way();
        log.with(|history| {
            if rounds > 0 {
                history.tally.note("an edit is answered while rounds run");
            }
            if let Ok(edited) = &edited {
                let is_new = matches!(plan, Plan::Create(_)) && !edited.replaced;
                history
                    .tally
                    .note(if is_new { "created again" } else { done(plan) });
            }
            history.edit_answered(number, edited);
        });
    }
}

/// An edit that was sent; when it is dropped without an answer, its operator has left.
struct Sent<'a> {
    log: &'a Log,
    number: usize,
    is_answered: bool,
}

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.log.with(|history| {
                history.tally.note("an operator leaves in mid-edit");
                history.edits[self.number].is_left = true;
            });
        }
    }
}

/// A rotation in place of an edit that another operator requests at the same time: otherwise nothing would tell whose
/// edit the database executes.
fn unlike_others(
    plan: Plan,
    key: Digest,
    agent: &AgentName,
    history: &History,
) -> (Plan, GrantChange) {
    let wanted = change(plan, key, history);
    let is_asked = history
        .edits
        .iter()
        .any(|edit| edit.agent == *agent && edit.answered.is_none() && edit.change == wanted);
    match is_asked {
        true => (Plan::Rotate, GrantChange::Rotate { key }),
        false => (plan, wanted),
    }
}

fn change(plan: Plan, key: Digest, history: &History) -> GrantChange {
    let now = history.wall_clock;
    let deadline = |deadline| match deadline {
        Deadline::Never => None,
        Deadline::Near => Some(now + TimeDelta::from_std(NEAR).unwrap()),
        Deadline::Far => Some(now + TimeDelta::days(FAR_DAYS)),
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match plan {
        Plan::Create(until) => GrantChange::Create {
            key,
            sectors: words(&["mail", "calendar"]),
            expires_at: deadline(until),
        },
        Plan::Rotate => GrantChange::Rotate { key },
        Plan::Sectors(names) => GrantChange::Amend {
            sectors: Some(words(names)),
            expires_at: None,
        },
        Plan::Deadline(until) => GrantChange::Amend {
            sectors: None,
            expires_at: Some(deadline(until)),
        },
        Plan::Revoke => GrantChange::Revoke,
        Plan::Remove => GrantChange::Remove,
    }
}

fn done(plan: Plan) -> &'static str {
    match plan {
        Plan::Create(_) => "created",
        Plan::Rotate => "rotated",
        Plan::Sectors(_) => "sectors edited",
        Plan::Deadline(_) => "deadline edited",
        Plan::Revoke => "revoked",
        Plan::Remove => "removed",
    }
}
