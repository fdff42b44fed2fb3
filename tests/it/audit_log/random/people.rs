//! What devices and the operator do.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::ask::Ask;
use super::world::World;

const NOBODYS: &str = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
const NAMES: [&str; 4] = ["all", "money", "people", "none"];
const GRANTS: [&[&str]; 6] = [
    &["*"],
    &[],
    &["finance"],
    &["contacts", "home", "contacts"],
    &["*", "mail"],
    &["Finance", "nope", "contacts"],
];

impl World {
    /// A push: valid, invalid, partly valid, or not authorised.
    pub async fn push(&mut self) {
        let number = self.chance.index(self.model.devices.len());
        let device = self.model.devices[number].clone();
        let (id, secret) = match self.chance.below(8) {
            0 => (device.id.clone(), "wrong".to_owned()),
            1 => (NOBODYS.to_owned(), device.secret.clone()),
            2 => ("no-id".to_owned(), device.secret.clone()),
            _ => (device.id.clone(), device.secret.clone()),
        };
        let may = id == device.id && secret == device.secret && device.is_active();
        let (ids, gone) = (self.some_ids(), self.some_ids());
        let gone: Vec<String> = gone.into_iter().filter(|id| !ids.contains(id)).collect();
        let is_bad = self.chance.is(25);
        let is_partial = self.chance.is(50);
        let mut records: Vec<Value> = ids.iter().map(|id| record(device.target, id)).collect();
        if is_bad {
            records.push(json!({ "id": "bad", "amount": { "a": 1 }, "name": { "a": 1 } }));
        }
        let query = if is_partial { "?partial=true" } else { "" };
        let request = self.request(Method::POST, &format!("/api/ingest/{id}{query}"));
        let kind = if self.chance.is(8) {
            "text/plain"
        } else {
            "application/json"
        };
        let body = json!({ "records": records, "deleted": gone });
        let request = request.bearer_auth(&secret).header("content-type", kind);
        self.note(format!(
            "push {query} {kind} {body} to {number}, may: {may}"
        ));
        let answer = self.send(request.body(body.to_string())).await;
        if !may {
            assert_eq!(answer.text, r#"{"error":"unauthorized"}"#);
            let refused = crate::audit_log::row::Row::refused("ingest", "unauthorized");
            return self.model.rows.push(refused);
        }
        let is_taken = kind != "text/plain" && (is_partial || !is_bad) && !self.model.is_away;
        assert_eq!(answer.status == 200, is_taken, "{body}: {answer:?}");
        if !is_taken {
            return self.model.expect_push(number, None);
        }
        let rows = &mut self.model.devices[number].rows;
        let deleted = gone.iter().filter(|id| rows.remove(*id)).count();
        rows.extend(ids.iter().cloned());
        self.model.expect_push(number, Some(ids.len() + deleted));
    }

    /// Different record ids, drawn from few, so that they recur.
    fn some_ids(&mut self) -> Vec<String> {
        let all: Vec<String> = (0..12).map(|number| format!("n{number}")).collect();
        self.chance.some_of(&all, 4)
    }

    /// The acts of the operator that leave audit rows: pause, resume, disconnect, and a live fetch.
    pub async fn act(&mut self) {
        if self.chance.is(30) {
            let ask = Ask::fetch(&mut self.chance);
            self.note(format!("operator's fetch {}", ask.arguments));
            self.post("/api/operator/fetch_live", ask.arguments.clone())
                .await;
            return self.model.expect_fetch(&ask);
        }
        let number = self.chance.index(self.model.devices.len());
        let is_known = self.chance.is(90) && !self.model.devices[number].is_removed;
        let verb = match self.chance.below(20) {
            0..8 => "pause",
            8..17 => "resume",
            _ => "disconnect",
        };
        self.act_on(number, verb, is_known).await;
    }

    pub async fn disconnect_the_last(&mut self) {
        self.act_on(self.model.devices.len() - 1, "disconnect", true)
            .await;
    }

    /// An act on this device's connection, or on one that does not exist.
    async fn act_on(&mut self, number: usize, verb: &str, is_known: bool) {
        let device = self.model.devices[number].clone();
        let id = if is_known { &device.id } else { NOBODYS };
        let mut args = json!({ "connectionId": id });
        if verb == "disconnect" {
            args["rows"] = json!(self.chance.one_of(&["keep", "delete"]));
        }
        self.note(format!("{verb} {args}"));
        let path = format!("/api/connections/{id}/{verb}");
        let answer = match args.get("rows") {
            Some(rows) => self.post(&path, json!({ "rows": rows })).await,
            None => self.send(self.request(Method::POST, &path)).await,
        };
        assert_eq!(answer.status == 200, is_known, "{answer:?}");
        let is_emptied = args.get("rows") == Some(&json!("delete"));
        let sector = is_known.then(|| device.sector());
        self.model.expect_act(verb, sector, args, is_known);
        if !is_known {
            return;
        }
        let device = &mut self.model.devices[number];
        match verb {
            "pause" => device.is_paused = true,
            "resume" => device.is_paused = false,
            _ => device.is_removed = true,
        }
        if is_emptied {
            device.rows.clear();
        }
    }

    /// Edits that leave no row: the five acts on an agent, creating one, and a new secret.
    pub async fn edit(&mut self) {
        let name = *self.chance.one_of(&NAMES);
        let Some(grant) = self.model.agents.get(name).cloned() else {
            let sectors = *self.chance.one_of(&GRANTS);
            self.note(format!("grants {name} {sectors:?}"));
            return self.grant(name, sectors).await;
        };
        match self.chance.below(7) {
            0 => {
                let sectors = *self.chance.one_of(&GRANTS);
                self.note(format!("grants {name} {sectors:?} anew"));
                self.grant(name, sectors).await;
            }
            1 => {
                let answer = self.rotate_agent(name).await;
                let is_late = grant.expires_at.is_some_and(|end| end <= self.model.now);
                self.note(format!("rotates {name}: {}", answer.status));
                assert_eq!(answer.status, if is_late { 409 } else { 200 }, "{answer:?}");
                if !is_late {
                    let key = answer.json()["key"].as_str().unwrap().to_owned();
                    self.keys.push(key.clone());
                    let grant = self.model.agents.get_mut(name).unwrap();
                    (grant.key, grant.is_revoked) = (key, false);
                }
            }
            2 => self.revoke(name).await,
            3 => {
                self.note(format!("removes {name}"));
                self.remove_agent(name).await.expect(200);
                self.model.agents.remove(name);
            }
            4 => {
                let number = self.chance.index(self.model.devices.len());
                let device = self.model.devices[number].clone();
                if !device.is_removed {
                    self.note(format!("a new secret for {number}"));
                    let new = self.rotate_secret(&device.id).await.expect(200);
                    let secret = new["secret"].as_str().unwrap().to_owned();
                    self.model.devices[number].secret = secret;
                }
            }
            _ => self.amend(name).await,
        }
    }

    pub async fn revoke(&mut self, name: &str) {
        self.note(format!("revokes {name}"));
        self.revoke_agent(name).await.expect(200);
        self.model.agents.get_mut(name).unwrap().is_revoked = true;
    }

    async fn amend(&mut self, name: &str) {
        let sectors = *self.chance.one_of(&GRANTS);
        let days = self
            .chance
            .one_of(&[Value::Null, json!(1), json!(2)])
            .clone();
        self.note(format!("amends {name}: {sectors:?} {days}"));
        let body = json!({ "sectors": sectors, "expiresInDays": days });
        let answer = self.amend_agent(name, body).await;
        // Only POST accepts the star.
        if sectors.contains(&"*") {
            return assert_eq!(answer.status, 400);
        }
        assert_eq!(answer.status, 200, "{answer:?}");
        let until = days
            .as_i64()
            .map(|days| self.model.now + TimeDelta::days(days));
        let grant = self.model.agents.get_mut(name).unwrap();
        grant.sectors = sectors.iter().map(|name| (*name).to_owned()).collect();
        grant.expires_at = until;
    }

    /// The operator's reads leave no row.
    pub async fn read_as_operator(&mut self) {
        let asked = json!({ "tool": "query", "arguments": { "target": "contacts.groups" } });
        let path = match self.chance.below(12) {
            0 => "/api/operator/context".to_owned(),
            1 => "/api/operator/schema?target=home".to_owned(),
            2 => "/api/audit?limit=3".to_owned(),
            3 => "/api/audit?decision=deny&q=token".to_owned(),
            4 => format!("/api/data/contacts/{NOBODYS}"),
            5 => "/api/agents".to_owned(),
            6 => "/api/sessions".to_owned(),
            7 => "/api/connections".to_owned(),
            8 => "/api/actors".to_owned(),
            9 => "/api/openapi.json".to_owned(),
            10 => {
                self.note("inspects");
                self.post("/api/data/finance", json!({ "target": "transactions" }))
                    .await;
                return;
            }
            _ => {
                self.note("looks as an agent");
                self.post("/api/agents/all/preview", asked).await;
                return;
            }
        };
        self.note(format!("reads {path}"));
        self.get(&path).await;
    }
}

/// A record for this table.
fn record(target: &str, id: &str) -> Value {
    match target {
        "contacts.groups" => json!({ "id": id, "name": format!("group {id}") }),
        _ => json!({ "id": id, "amount": -3, "currency": "EUR", "booked_on": "2026-03-01" }),
    }
}
