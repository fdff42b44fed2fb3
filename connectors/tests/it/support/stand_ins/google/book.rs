//! The contacts of the stand-in, by the rules of People's discovery document.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Answer, Asked, refused};

/// How long a token lasts after the list of everything: seven days.
const TOKEN_DAYS: i64 = 7;

/// Groups that every account has.
const SYSTEM: [&str; 2] = ["contactGroups/myContacts", "contactGroups/starred"];

/// All people and groups.
#[derive(Default)]
pub struct Book {
    pub revision: usize,
    /// By name at Google, the revision of the last change and the person; a deleted one says so.
    pub people: BTreeMap<String, (usize, Value)>,
    pub groups: BTreeMap<String, String>,
    pub page_max: usize,
}

impl Book {
    /// Puts a person there, or changes it; `groups` are those that it is in.
    pub fn put(&mut self, id: &str, name: &str, groups: &[&str]) {
        self.revision += 1;
        let resource = format!("people/{id}");
        let memberships = [&["contactGroups/myContacts"], groups].concat();
        let memberships: Vec<_> = memberships.iter().map(|group| json!({
            "contactGroupMembership": {"contactGroupResourceName": group, "contactGroupId": group.rsplit('/').next()},
        })).collect();
        let person = json!({
            "resourceName": resource, "etag": format!("%{}", self.revision),
            "metadata": {"sources": [{"type": "CONTACT", "id": id, "etag": "#x", "updateTime": "2026-01-02T03:04:05Z"}], "objectType": "PERSON"},
            "names": [{"metadata": {"primary": true}, "displayName": name, "givenName": name}],
            "emailAddresses": [{"metadata": {"primary": true}, "value": format!("{id}@x.test"), "type": "home"}],
            "memberships": memberships,
        });
        self.people.insert(resource, (self.revision, person));
    }

    pub fn delete(&mut self, id: &str) {
        self.revision += 1;
        let resource = format!("people/{id}");
        let gone = json!({"resourceName": resource, "etag": "%", "metadata": {"deleted": true}});
        self.people.insert(resource, (self.revision, gone));
    }

    /// Two people become one, under a name of its own.
    pub fn merge(&mut self, ids: [&str; 2], into: &str, name: &str) {
        let former = ids.map(|id| format!("people/{id}"));
        for resource in &former {
            self.people.remove(resource);
        }
        self.put(into, name, &[]);
        let (_, person) = self.people.get_mut(&format!("people/{into}")).unwrap();
        person["metadata"]["previousResourceNames"] = json!(former);
    }

    pub fn has(&self, id: &str) -> bool {
        let found = self.people.get(&format!("people/{id}"));
        found.is_some_and(|(_, person)| person["metadata"]["deleted"] != true)
    }

    pub(super) fn list_people(&self, asked: &Asked, now: i64) -> Answer {
        for (name, value) in [("personFields", None), ("requestSyncToken", Some("true"))] {
            if asked.get(name).is_none() || value.is_some_and(|value| !asked.has(name, value)) {
                return Err(refused(
                    400,
                    "INVALID_ARGUMENT",
                    "personFields mask is required.",
                ));
            }
        }
        // A token says what was asked with it, when everything was listed, and up to where.
        let same = asked.without(&["syncToken", "pageToken"]);
        let parts =
            |token: &str| -> (i64, usize, usize, String) { serde_json::from_str(token).unwrap() };
        let sync = asked.get("syncToken").map(|token| parts(&token));
        if let Some((at, _, _, first)) = &sync {
            if now - at > TOKEN_DAYS * 86_400 {
                return Err(expired());
            }
            if *first != same {
                return Err(refused(
                    400,
                    "INVALID_ARGUMENT",
                    "Request parameters do not match.",
                ));
            }
        }
        let (listed_at, since) = sync
            .as_ref()
            .map_or((now, 0), |(at, since, ..)| (*at, *since));
        let (begun, from) = match asked.get("pageToken").map(|token| parts(&token)) {
            Some((_, begun, from, _)) => (begun, from),
            None => (self.revision, since),
        };
        let is_wanted = |person: &Value| sync.is_some() || person["metadata"]["deleted"] != true;
        let people = self.people.values();
        let mut found: Vec<_> = people
            .filter(|(revision, person)| *revision > from && is_wanted(person))
            .collect();
        found.sort_by_key(|(revision, _)| *revision);
        let page_max = asked.number("pageSize").unwrap_or(100).min(self.page_max);
        let is_cut = found.len() > page_max;
        found.truncate(page_max);
        let last = found.last().map_or(from, |(revision, _)| *revision);
        let people: Vec<_> = found
            .into_iter()
            .map(|(_, person)| told(person, sync.is_some()))
            .collect();
        let mut answer = json!({"totalItems": self.people.len()});
        // Lists without anything in them are left out.
        if !people.is_empty() {
            answer["connections"] = json!(people);
        }
        match is_cut {
            true => {
                answer["nextPageToken"] = json!(json!([listed_at, begun, last, same]).to_string())
            }
            false => {
                answer["nextSyncToken"] = json!(json!([listed_at, begun, 0, same]).to_string())
            }
        }
        Ok(answer)
    }

    pub(super) fn list_groups(&self) -> Answer {
        let groups = SYSTEM
            .into_iter()
            .chain(self.groups.keys().map(String::as_str));
        let groups: Vec<_> = groups.filter_map(|name| self.group(name, 0)).collect();
        Ok(json!({"contactGroups": groups, "nextSyncToken": "groups"}))
    }

    pub(super) fn get_groups(&self, asked: &Asked) -> Answer {
        let members_max = asked.number("maxMembers").unwrap_or(0);
        let names = asked.all("resourceNames");
        assert!((1..=200).contains(&names.len()), "up to 200 names");
        let responses = names.iter().map(|name| match self.group(name, members_max) {
            Some(group) => json!({"requestedResourceName": name, "contactGroup": group}),
            None => json!({"requestedResourceName": name, "status": {"code": 5, "message": "Not found."}}),
        });
        Ok(json!({"responses": responses.collect::<Vec<_>>()}))
    }

    fn group(&self, resource: &str, members_max: usize) -> Option<Value> {
        let (kind, name) = match self.groups.get(resource) {
            Some(name) => ("USER_CONTACT_GROUP", name.as_str()),
            None if SYSTEM.contains(&resource) => ("SYSTEM_CONTACT_GROUP", &resource[14..]),
            None => return None,
        };
        let members = self.members(resource);
        let mut group = json!({
            "resourceName": resource, "groupType": kind, "name": name, "formattedName": name,
            "memberCount": members.len(),
        });
        if members_max > 0 && !members.is_empty() {
            group["memberResourceNames"] =
                json!(members.into_iter().take(members_max).collect::<Vec<_>>());
        }
        Some(group)
    }

    fn members(&self, group: &str) -> Vec<&str> {
        let is_in = |person: &Value| {
            person["memberships"]
                .to_string()
                .contains(&format!("\"{group}\""))
        };
        let members = self.people.iter().filter(|(_, (_, person))| is_in(person));
        members.map(|(resource, _)| resource.as_str()).collect()
    }

    /// What a store is to hold: people with their categories, groups with their members.
    pub fn expected(&self) -> Value {
        let there = self
            .people
            .iter()
            .filter(|(_, (_, person))| person["metadata"]["deleted"] != true);
        let people: BTreeMap<_, _> = there
            .map(|(resource, (_, person))| {
                let groups = self
                    .groups
                    .iter()
                    .filter(|(group, _)| self.members(group).contains(&resource.as_str()));
                let groups: Vec<_> = groups.map(|(_, name)| name).collect();
                (resource, json!([person["names"][0]["displayName"], groups]))
            })
            .collect();
        let groups = self
            .groups
            .iter()
            .map(|(group, name)| (group, json!([name, self.members(group)])));
        json!([people, groups.collect::<BTreeMap<_, _>>()])
    }
}

/// `previousResourceNames` is populated only for requests with a token.
fn told(person: &Value, is_sync: bool) -> Value {
    let mut person = person.clone();
    if !is_sync {
        person["metadata"]
            .as_object_mut()
            .unwrap()
            .remove("previousResourceNames");
    }
    person
}

fn expired() -> (u16, Value) {
    (
        400,
        json!({"error": {
            "code": 400, "status": "FAILED_PRECONDITION",
            "message": "Sync token is expired. Clear local cache and retry call without the sync token.",
            "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "EXPIRED_SYNC_TOKEN", "domain": "people.googleapis.com"}],
        }}),
    )
}
