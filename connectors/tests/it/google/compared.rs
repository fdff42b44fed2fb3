//! What is stored against what Google holds.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::stage::Stage;
use crate::support::store::Store;

impl Stage {
    /// The store holds what Google does.
    #[track_caller]
    pub fn assert_calendar_equal(&self, of: &str) {
        let mut expected = BTreeMap::new();
        for (id, calendar) in &self.google().agenda.calendars {
            let name = calendar.entry["summary"].clone();
            let series = calendar.expected().into_values().flatten();
            let series = series.map(|(part, told)| (format!("{id}/{part}"), json!(told)));
            expected.insert(
                id.clone(),
                json!([name, series.collect::<BTreeMap<_, _>>()]),
            );
        }
        assert_eq!(
            json!(stored_calendars(&self.calendar)),
            json!(expected),
            "{of}"
        );
    }

    #[track_caller]
    pub fn assert_contacts_equal(&self, of: &str) {
        let people = self.contacts.records("contacts.people");
        let people: BTreeMap<_, _> = people
            .into_iter()
            .map(|(id, record)| {
                let categories = record.fields.get("categories").cloned();
                (
                    id,
                    json!([
                        record.fields["full_name"],
                        categories.unwrap_or_else(|| json!([]))
                    ]),
                )
            })
            .collect();
        let groups = self.contacts.records("contacts.groups");
        let groups: BTreeMap<_, _> = groups
            .into_iter()
            .map(|(id, record)| {
                let members = record.fields.get("member_uids").cloned();
                (
                    id,
                    json!([record.fields["name"], members.unwrap_or_else(|| json!([]))]),
                )
            })
            .collect();
        assert_eq!(
            json!([people, groups]),
            self.google().book.expected(),
            "{of}"
        );
    }
}

/// By calendar its name and by record its title and how many dates its rule leaves out.
fn stored_calendars(store: &Store) -> BTreeMap<String, Value> {
    let mut calendars: BTreeMap<String, Value> = BTreeMap::new();
    for ((scope, key), item) in &store.items {
        match &item.holds {
            Some(_) => {
                let name = &item.records[0].fields["name"];
                calendars.insert(key.clone(), json!([name, {}]));
            }
            None => {
                for record in &item.records {
                    let rule = record.fields.get("rrule").map(ToString::to_string);
                    let taken = rule.unwrap_or_default().matches("EXDATE").count();
                    let told = json!([record.fields["title"], taken]);
                    calendars.get_mut(scope).unwrap()[1][&record.source_id] = told;
                }
            }
        }
    }
    calendars
}
