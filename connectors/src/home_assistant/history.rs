//! The past of a home: what its recorder kept since the position, and then every change of a state as it comes. Both ways make
//! the same keys, so that what comes twice is one row.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::session::HomeSession;
use super::snapshot::HomeSnapshot;
use super::wire::{malformed, text};
use super::{instant, items, pages};
use crate::failure::SourceFailure;
use crate::limits::{
    HOME_HISTORY_BACK, HOME_HISTORY_ENTITIES_MAX, HOME_HISTORY_OVERLAP, HOME_HISTORY_SETTLE,
    HOME_HISTORY_WINDOW,
};
use crate::round::{Page, RoundRequest, SourceItem};

/// What was told of the past, and what is still to be read of it.
pub(super) struct HomeHistory {
    /// Read in their order: one window after the other, in each a lot of entities after the other.
    lots: VecDeque<HistoryLot>,
    /// When the reading may begin.
    due: Instant,
    /// Everything before it was told.
    until: DateTime<Utc>,
    /// The newest that was told.
    newest: DateTime<Utc>,
    /// From when on nothing is missing, once all was read.
    covered_from: DateTime<Utc>,
}

struct HistoryLot {
    from: DateTime<Utc>,
    /// `None` for all that there is.
    to: Option<DateTime<Utc>>,
    entities: Vec<String>,
}

impl HomeHistory {
    /// What is to be read from the position of the request on.
    pub(super) fn new(request: &RoundRequest, snapshot: &HomeSnapshot) -> Self {
        let Begin {
            until,
            from,
            covered_from,
        } = begin(request);
        let changed = snapshot.states.values().map(|state| state.last_changed);
        let mut entities: Vec<String> = snapshot.states.keys().cloned().collect();
        entities.sort();
        Self {
            lots: lots(from, request.now, &entities),
            due: Instant::now() + HOME_HISTORY_SETTLE,
            until,
            newest: changed.max().unwrap_or(until).max(until),
            covered_from,
        }
    }

    /// From when on nothing is missing, once all was read.
    pub(super) const fn covered_from(&self) -> DateTime<Utc> {
        self.covered_from
    }

    /// When there is something to be read; `None` when all was.
    pub(super) fn due(&self) -> Option<Instant> {
        (!self.lots.is_empty()).then_some(self.due)
    }

    /// Reads the next lot. Its last page carries the position past all that was told.
    pub(super) async fn read_next(
        &mut self,
        session: &HomeSession,
        snapshot: &HomeSnapshot,
    ) -> Result<VecDeque<Page>, SourceFailure> {
        let Some(lot) = self.lots.pop_front() else {
            return Ok(VecDeque::new());
        };
        let answer = session.ask(lot.question()).await?;
        let past = read(&answer, snapshot)?;
        self.until = self.until.max(lot.from);
        let mut told = self.tell(past);
        if self.lots.is_empty() {
            self.until = self.newest;
            told.push_back(Page::new(items::HISTORY, self.position()));
        }
        Ok(told)
    }

    /// Pages of states that were taken, each once.
    pub(super) fn tell(
        &mut self,
        past: impl IntoIterator<Item = (DateTime<Utc>, SourceItem)>,
    ) -> VecDeque<Page> {
        let mut by_key = BTreeMap::new();
        for (at, item) in past {
            self.newest = self.newest.max(at);
            by_key.insert(item.key.clone(), item);
        }
        if self.lots.is_empty() {
            self.until = self.newest;
        }
        pages::of_items(items::HISTORY, &self.position(), by_key.into_values())
    }

    fn position(&self) -> Value {
        json!({
            "until": instant::written(self.until),
            "from": instant::written(self.covered_from),
        })
    }
}

impl HistoryLot {
    fn question(&self) -> Value {
        let mut question = json!({
            "type": "history/history_during_period",
            "start_time": instant::written(self.from),
            "entity_ids": self.entities,
            // Such a state would bear the time of the window, not its own.
            "include_start_time_state": false,
            "significant_changes_only": false,
            "minimal_response": false,
            "no_attributes": true,
        });
        if let (Some(to), Some(question)) = (self.to, question.as_object_mut()) {
            question.insert("end_time".to_owned(), instant::written(to).into());
        }
        question
    }
}

/// From where the past is read.
struct Begin {
    /// Everything before it was told.
    until: DateTime<Utc>,
    from: DateTime<Utc>,
    covered_from: DateTime<Utc>,
}

fn begin(request: &RoundRequest) -> Begin {
    let position = request.positions.get(items::HISTORY);
    let kept = |name| position.and_then(|position| instant::read(position.get(name)?));
    let back = earlier(request.now, HOME_HISTORY_BACK);
    let Some(until) = kept("until") else {
        let first = request.since.map_or(back, |since| since.max(back));
        return Begin {
            until: first,
            from: first,
            covered_from: first,
        };
    };
    let from = earlier(until, HOME_HISTORY_OVERLAP).max(back);
    // Between the two the recorder has forgotten what was.
    let has_gap = from > until;
    let covered_from = kept("from").filter(|_| !has_gap);
    Begin {
        until,
        from,
        covered_from: covered_from.unwrap_or(back),
    }
}

fn earlier(than: DateTime<Utc>, by: Duration) -> DateTime<Utc> {
    let by = TimeDelta::from_std(by).unwrap_or_default();
    than.checked_sub_signed(by).unwrap_or(than)
}

/// The windows until now, oldest first. The last has no end, whatever the home's own clock says.
fn lots(mut from: DateTime<Utc>, now: DateTime<Utc>, entities: &[String]) -> VecDeque<HistoryLot> {
    let window = TimeDelta::from_std(HOME_HISTORY_WINDOW).unwrap_or_default();
    let mut lots = VecDeque::new();
    loop {
        let to = from.checked_add_signed(window).filter(|to| *to < now);
        lots.extend(
            entities
                .chunks(HOME_HISTORY_ENTITIES_MAX)
                .map(|entities| HistoryLot {
                    from,
                    to,
                    entities: entities.to_vec(),
                }),
        );
        match to {
            Some(to) => from = to,
            None => return lots,
        }
    }
}

/// The states of an answer: by entity a list of `s` (state), `lu` (last updated) and, where it is another, `lc` (last changed).
fn read(
    answer: &Value,
    snapshot: &HomeSnapshot,
) -> Result<Vec<(DateTime<Utc>, SourceItem)>, SourceFailure> {
    let answer = answer.as_object().ok_or_else(malformed)?;
    let mut past = Vec::new();
    for (entity_id, states) in answer {
        let entity_key = snapshot.registry.key(entity_id);
        for state in states.as_array().ok_or_else(malformed)? {
            let at = state.get("lc").or_else(|| state.get("lu"));
            let at = at.and_then(instant::read).ok_or_else(malformed)?;
            let taken = text(state, "s").ok_or_else(malformed)?;
            past.push((at, items::past_state(entity_key, taken, at)));
        }
    }
    Ok(past)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn request(position: Option<&str>, since: Option<&str>) -> RoundRequest {
        let first = "2026-01-02T12:00:00Z";
        let position = position.map(|until| json!({"until": until, "from": first}));
        let position = position.map(|position| (items::HISTORY.to_owned(), position));
        RoundRequest {
            positions: HashMap::from_iter(position),
            since: since.map(at),
            now: at("2026-01-20T12:00:00Z"),
            zone: chrono_tz::Tz::UTC,
        }
    }

    #[test]
    fn the_past_is_read_from_a_little_before_the_position_on() {
        let back = "2026-01-10T12:00:00Z";
        for (position, since, [until, from, covered_from]) in [
            (None, None, [back; 3]),
            (
                None,
                Some("2026-01-19T00:00:00Z"),
                ["2026-01-19T00:00:00Z"; 3],
            ),
            (
                Some("2026-01-20T11:00:00Z"),
                None,
                [
                    "2026-01-20T11:00:00Z",
                    "2026-01-20T10:59:00Z",
                    "2026-01-02T12:00:00Z",
                ],
            ),
            // Further back than the recorder keeps: what was between is missing.
            (
                Some("2025-01-20T11:00:00Z"),
                None,
                ["2025-01-20T11:00:00Z", back, back],
            ),
            (Some("soon"), None, [back; 3]),
        ] {
            let begun = begin(&request(position, since));
            let expected = (at(until), at(from), at(covered_from));
            assert_eq!(
                (begun.until, begun.from, begun.covered_from),
                expected,
                "{position:?} {since:?}"
            );
        }
    }

    #[test]
    fn windows_follow_each_other_and_the_last_has_no_end() {
        let entities: Vec<String> = (0..45).map(|number| format!("light.l{number}")).collect();
        let now = at("2026-01-20T12:00:00Z");
        let lots = lots(at("2026-01-20T00:00:00Z"), now, &entities);
        assert_eq!(lots.len(), 2 * 3);
        let windows: Vec<_> = lots
            .iter()
            .step_by(3)
            .map(|lot| (lot.from, lot.to))
            .collect();
        let six = at("2026-01-20T06:00:00Z");
        assert_eq!(
            windows,
            [(at("2026-01-20T00:00:00Z"), Some(six)), (six, None)]
        );
        assert!(
            lots.iter()
                .all(|lot| lot.entities.len() <= HOME_HISTORY_ENTITIES_MAX)
        );
        // Even when the home's clock is ahead.
        assert_eq!(
            super::lots(now, now - TimeDelta::hours(1), &entities).len(),
            3
        );
    }
}
