//! What is answered to a request.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, DurationRound as _, Utc};
use serde_json::{Value, json};

use super::records::Kind;
use super::{Asked, LastToken, USER, Whoop, wire};

impl Whoop {
    pub(super) fn respond(&mut self, request: &str) -> Vec<u8> {
        let (status, body) = match self.spent() {
            true => (429, None),
            false => self.route(request),
        };
        let mut headers = self.rate_headers();
        if let Some(after) = self.retry_after.filter(|_| status == 429) {
            headers += &format!("retry-after: {after}\r\n");
        }
        match body {
            Some(body) => wire::json(status, &headers, &body),
            None => wire::raw(status, &headers, ""),
        }
    }

    fn route(&mut self, request: &str) -> (u16, Option<Value>) {
        const REFUSED: (u16, Option<Value>) = (401, None);
        if !self.bearers.take(request) {
            return REFUSED;
        }
        let asked = Asked::read(request, self.now);
        if (asked.method.as_str(), asked.path.as_str()) == ("DELETE", "/v2/user/access") {
            self.is_revoked = true;
            self.bearers.end();
            return (204, None);
        }
        match scope_of(&asked.path) {
            Some(scope) if !self.granted.contains(scope) => REFUSED,
            Some(_) => self.read(&asked),
            None => (404, None),
        }
    }

    fn read(&self, asked: &Asked) -> (u16, Option<Value>) {
        let path = asked.path.as_str();
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.path() == path) {
            return match self.list(kind, &asked.query) {
                Some(list) => (200, Some(list)),
                None => (400, None),
            };
        }
        match self.single(path) {
            Some(found) => (200, Some(found)),
            None => (404, None),
        }
    }

    fn single(&self, path: &str) -> Option<Value> {
        match path {
            "/v2/user/profile/basic" => {
                return Some(json!({
                    "user_id": USER, "email": "jsmith123@whoop.test", "first_name": "John",
                    "last_name": "Smith"
                }));
            }
            "/v2/user/measurement/body" => {
                return Some(json!({
                    "height_meter": 1.8288, "weight_kilogram": 90.7185, "max_heart_rate": 200
                }));
            }
            _ => {}
        }
        let found = |kind, id: &str| self.records.get(&(kind, id.to_owned())).cloned();
        let of_cycle = path.strip_prefix("/v2/cycle/");
        if let Some(cycle) = of_cycle.and_then(|rest| rest.strip_suffix("/recovery")) {
            return found(Kind::Recovery, cycle);
        }
        if let Some(cycle) = of_cycle.and_then(|rest| rest.strip_suffix("/sleep")) {
            let mut records = self.records.iter();
            let own = |((kind, _), record): &(&(Kind, String), &Value)| {
                *kind == Kind::Sleep && record["cycle_id"].as_i64() == cycle.parse().ok()
            };
            return records.find(own).map(|(_, record)| record.clone());
        }
        let kinds = Kind::ALL.into_iter();
        let mut below =
            kinds.filter_map(|kind| Some((kind, path.strip_prefix(kind.path())?.get(1..)?)));
        below.find_map(|(kind, id)| found(kind, id))
    }

    /// A page of a list, the newest first; `None` for what the interface refuses.
    fn list(&self, kind: Kind, query: &BTreeMap<String, String>) -> Option<Value> {
        let limit = query.get("limit").map_or(Ok(10), |limit| limit.parse());
        let limit: usize = limit.ok().filter(|limit| (1..=25).contains(limit))?;
        let time = |name: &str| -> Option<Option<DateTime<Utc>>> {
            match query.get(name) {
                Some(at) => at.parse().ok().map(Some),
                None => Some(None),
            }
        };
        let (start, end) = (time("start")?, time("end")?);
        let records = self.records.iter().filter(|((own, _), _)| *own == kind);
        let dated = records.map(|((_, id), record)| (self.span_of(kind, record), id, record));
        let mut dated: Vec<_> = dated
            .filter(|((from, to), ..)| {
                let last = if self.counts_from_start { from } else { to };
                start.is_none_or(|start| *last >= start) && end.is_none_or(|end| *from < end)
            })
            .map(|((from, _), id, record)| (from.timestamp_millis(), id, record))
            .collect();
        dated.sort_by(|one, other| (other.0, other.1).cmp(&(one.0, one.1)));
        if let Some(token) = query.get("nextToken") {
            let (at, id) = token.split_once('~')?;
            let at: i64 = at.parse().ok()?;
            dated.retain(|one| (one.0, one.1.as_str()) < (at, id));
        }
        let is_cut = dated.len() > limit;
        dated.truncate(limit);
        let last = dated.last().filter(|_| is_cut);
        let next = last.map(|(at, id, _)| format!("{at}~{id}"));
        let records: Vec<_> = dated.into_iter().map(|(.., record)| record).collect();
        let mut page = json!({ "records": records });
        match (next, self.last_token) {
            (Some(next), _) => page["next_token"] = next.into(),
            (None, LastToken::Null) => page["next_token"] = Value::Null,
            (None, LastToken::Empty) => page["next_token"] = "".into(),
            (None, LastToken::Absent) => {}
        }
        Some(page)
    }

    /// How many requests were made since `begun`.
    fn made_since(&self, begun: DateTime<Utc>) -> u64 {
        let made = self.asked.iter().filter(|asked| asked.at >= begun);
        u64::try_from(made.count()).unwrap()
    }

    /// The minute and the day of the clock: length, when it began, the limit.
    fn windows(&self) -> [(Duration, DateTime<Utc>, u64); 2] {
        let (minute, day) = self.limits;
        [(Duration::minutes(1), minute), (Duration::days(1), day)]
            .map(|(length, limit)| (length, self.now.duration_trunc(length).unwrap(), limit))
    }

    fn spent(&self) -> bool {
        let mut windows = self.windows().into_iter();
        windows.any(|(_, begun, limit)| self.made_since(begun) >= limit)
    }

    /// Of the window that is nearest to its end; the request under way counts.
    fn rate_headers(&self) -> String {
        let left = |(_, begun, limit): &(Duration, DateTime<Utc>, u64)| {
            limit.saturating_sub(self.made_since(*begun) + 1)
        };
        let nearest = self.windows().into_iter().min_by_key(left).unwrap();
        if !self.tells_reset {
            return String::new();
        }
        let remaining = left(&nearest);
        let (length, begun, limit) = nearest;
        let reset = (begun + length - self.now).num_seconds();
        let (minute, day) = self.limits;
        format!(
            "x-ratelimit-limit: {limit}, {minute};window=60, {day};window=86400\r\n\
            x-ratelimit-remaining: {remaining}\r\nx-ratelimit-reset: {reset}\r\n"
        )
    }
}

fn scope_of(path: &str) -> Option<&'static str> {
    match path {
        "/v2/user/profile/basic" => Some("read:profile"),
        "/v2/user/measurement/body" => Some("read:body_measurement"),
        path if path.ends_with("/recovery") => Some(Kind::Recovery.scope()),
        path if path.ends_with("/sleep") => Some(Kind::Sleep.scope()),
        path => {
            let is_below = |kind: &Kind| path.starts_with(kind.path());
            Kind::ALL.into_iter().find(is_below).map(Kind::scope)
        }
    }
}
