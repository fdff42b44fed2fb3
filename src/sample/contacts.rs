//! Contacts: the family, friends, and the firms they deal with. The templates of mail and calendar refer to them by id.

use chrono::{Datelike, NaiveDate};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::when::Days;
use super::{SampleError, TableRecords, parse_template};

/// The id of the person whose household it is.
pub(super) const SELF: &str = "clara";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Template {
    person: Vec<Person>,
    group: Vec<ContactGroup>,
}

/// A contact: a person or a firm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Person {
    /// The id by which other templates refer to the contact.
    pub id: String,
    #[serde(default)]
    given: String,
    #[serde(default)]
    surname: String,
    #[serde(default)]
    pub organization: String,
    #[serde(default)]
    title: String,
    pub email: Option<String>,
    phone: Option<String>,
    street: Option<String>,
    locality: Option<String>,
    postcode: Option<String>,
    country: Option<String>,
    /// A month and day, or a day relative to today.
    birthday: Option<String>,
    born: Option<i32>,
    anniversary: Option<NaiveDate>,
    notes: Option<String>,
    #[serde(default)]
    groups: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactGroup {
    id: String,
    name: String,
}

/// All contacts.
pub(super) struct People {
    template: Template,
}

/// Reads the template.
pub(super) fn read() -> Result<People, SampleError> {
    let template = parse_template("contacts", include_str!("contacts.toml"))?;
    Ok(People { template })
}

impl People {
    pub(super) fn all(&self) -> impl Iterator<Item = &Person> {
        self.template.person.iter()
    }

    /// The contact with this id.
    pub(super) fn find(&self, id: &str) -> Result<&Person, SampleError> {
        let found = self.all().find(|person| person.id == id);
        found.ok_or_else(|| SampleError::of("contact", id))
    }

    /// `{name, email}` of the contact.
    pub(super) fn mailbox(&self, id: &str) -> Result<Value, SampleError> {
        let person = self.find(id)?;
        Ok(json!({ "name": person.name(), "email": person.email }))
    }
}

impl Person {
    /// The name of the person or the firm.
    pub(super) fn name(&self) -> String {
        let name = format!("{} {}", self.given, self.surname);
        match name.trim() {
            "" => self.organization.clone(),
            name => name.to_owned(),
        }
    }

    /// Month and day of the birthday. 29 February becomes the 28th if the year of birth has none.
    pub(super) fn birthday(&self, days: &Days) -> Result<Option<(u32, u32)>, SampleError> {
        let Some(written) = &self.birthday else {
            return Ok(None);
        };
        let fixed = written.split_once('.').and_then(|(month, day)| {
            let (month, day) = (month.parse().ok()?, day.parse().ok()?);
            NaiveDate::from_ymd_opt(2000, month, day).map(|_| (month, day))
        });
        let (month, day) = match fixed {
            Some(fixed) => fixed,
            None => {
                let day = days.day(written)?;
                (day.month(), day.day())
            }
        };
        let is_possible = self
            .born
            .is_none_or(|year| NaiveDate::from_ymd_opt(year, month, day).is_some());
        Ok(Some((month, if is_possible { day } else { day - 1 })))
    }

    fn record(&self, days: &Days) -> Result<Value, SampleError> {
        let birthday = self.birthday(days)?;
        let mut record = Map::new();
        let mut put = |name: &str, value: Value| {
            let is_empty = value.is_null() || value == "" || value == json!([]);
            (!is_empty).then(|| record.insert(name.to_owned(), value));
        };
        put("id", format!("sample-{}", self.id).into());
        put("uid", format!("sample-{}", self.id).into());
        put("full_name", self.name().into());
        put("name_given", self.given.as_str().into());
        put("name_surname", self.surname.as_str().into());
        put("organization", self.organization.as_str().into());
        put("title", self.title.as_str().into());
        put(
            "kind",
            if self.given.is_empty() {
                "org"
            } else {
                "individual"
            }
            .into(),
        );
        put(
            "emails",
            self.email
                .iter()
                .map(|address| json!({ "address": address, "label": "home", "is_primary": true }))
                .collect(),
        );
        put(
            "phones",
            self.phone
                .iter()
                .map(|number| json!({ "number": number, "label": "mobile" }))
                .collect(),
        );
        put("addresses", self.address().into_iter().collect());
        put("birthday_month", birthday.map(|(month, _)| month).into());
        put("birthday_day", birthday.map(|(_, day)| day).into());
        put("birthday_year", birthday.and(self.born).into());
        put(
            "anniversary",
            self.anniversary.map(|day| day.to_string()).into(),
        );
        put("notes", self.notes.clone().into());
        put("categories", json!(self.groups));
        Ok(Value::Object(record))
    }

    fn address(&self) -> Option<Value> {
        let street = self.street.as_ref()?;
        let locality = self.locality.as_deref().unwrap_or("Lindenau");
        Some(json!({
            "street": street, "locality": locality, "postcode": self.postcode,
            "country": self.country.as_deref().unwrap_or("Germany"), "label": "home",
        }))
    }
}

pub(super) fn shares(people: &People, days: &Days) -> Result<Vec<TableRecords>, SampleError> {
    let cards: Result<Vec<Value>, _> = people.all().map(|person| person.record(days)).collect();
    let members = |group: &ContactGroup| -> Vec<String> {
        let of_it = people
            .all()
            .filter(|person| person.groups.contains(&group.id));
        of_it
            .map(|person| format!("sample-{}", person.id))
            .collect()
    };
    let groups = people.template.group.iter().map(|group| {
        let id = format!("sample-group-{}", group.id);
        json!({ "id": id, "uid": id, "name": group.name, "member_uids": members(group) })
    });
    Ok(vec![
        TableRecords {
            target: "contacts.people",
            records: cards?,
        },
        TableRecords {
            target: "contacts.groups",
            records: groups.collect(),
        },
    ])
}
