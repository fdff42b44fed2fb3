//! A person as People has it (its discovery document, `Person`): only what is read of it.

use serde::Deserialize;
use serde_json::Value;

/// What is asked of each person (`personFields`). A list of changes is asked for with the same.
pub(super) const PERSON_FIELDS: &str = "names,nicknames,emailAddresses,phoneNumbers,addresses,organizations,birthdays,events,urls,\
    photos,biographies,relations,imClients,memberships,metadata";

/// A person of the contacts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GooglePerson {
    pub(super) resource_name: String,
    etag: Option<String>,
    pub(super) metadata: PersonMetadata,
    pub(super) names: Vec<PersonName>,
    pub(super) nicknames: Vec<ContactPart>,
    pub(super) email_addresses: Vec<ContactPart>,
    pub(super) phone_numbers: Vec<ContactPart>,
    pub(super) addresses: Vec<PostalAddress>,
    pub(super) organizations: Vec<Organization>,
    pub(super) birthdays: Vec<Dated>,
    pub(super) events: Vec<Dated>,
    pub(super) urls: Vec<ContactPart>,
    pub(super) photos: Vec<Photo>,
    pub(super) biographies: Vec<ContactPart>,
    pub(super) relations: Vec<Relation>,
    pub(super) im_clients: Vec<ImClient>,
    memberships: Vec<Membership>,
    /// As it came.
    #[serde(skip)]
    pub(super) sent: Value,
}

/// `PersonMetadata`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PersonMetadata {
    pub(super) deleted: bool,
    /// Names that it had before, as when two people were merged.
    pub(super) previous_resource_names: Vec<String>,
    sources: Vec<PersonSource>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PersonSource {
    #[serde(rename = "type")]
    kind: String,
    update_time: Option<String>,
}

/// Whether a field is the one to use of several.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FieldMetadata {
    pub(super) primary: bool,
}

/// A value, and what it is for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ContactPart {
    pub(super) metadata: FieldMetadata,
    pub(super) value: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PersonName {
    pub(super) display_name: Option<String>,
    pub(super) family_name: Option<String>,
    pub(super) given_name: Option<String>,
    pub(super) middle_name: Option<String>,
    pub(super) honorific_prefix: Option<String>,
    pub(super) honorific_suffix: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PostalAddress {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) formatted_value: Option<String>,
    pub(super) po_box: Option<String>,
    pub(super) extended_address: Option<String>,
    pub(super) street_address: Option<String>,
    pub(super) city: Option<String>,
    pub(super) region: Option<String>,
    pub(super) postal_code: Option<String>,
    pub(super) country: Option<String>,
    pub(super) country_code: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Organization {
    pub(super) metadata: FieldMetadata,
    pub(super) name: Option<String>,
    pub(super) department: Option<String>,
    pub(super) title: Option<String>,
}

/// A birthday or another day of a year.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Dated {
    date: Option<PersonDate>,
    /// As a person wrote it, where there is no date.
    text: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

/// `google.type.Date`: a part that is not known is 0.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct PersonDate {
    year: u16,
    month: u8,
    day: u8,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Photo {
    pub(super) url: Option<String>,
    /// One that Google drew of the name.
    pub(super) default: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Relation {
    pub(super) person: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ImClient {
    pub(super) username: Option<String>,
    pub(super) protocol: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Membership {
    contact_group_membership: Option<GroupMembership>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GroupMembership {
    contact_group_resource_name: String,
}

impl GooglePerson {
    /// Reads an item of a list; `None` if it is no person, or has no name by which to know it.
    pub(super) fn read(sent: Value) -> Option<Self> {
        let mut person = Self::deserialize(&sent).ok()?;
        person.sent = sent;
        Some(person).filter(|person| !person.resource_name.is_empty())
    }

    /// What changes whenever it does.
    pub(super) fn version(&self) -> String {
        let sent = || self.sent.to_string();
        self.etag.clone().unwrap_or_else(sent)
    }

    /// When the contact was changed.
    pub(super) fn updated_at(&self) -> Option<&str> {
        let mut sources = self.metadata.sources.iter();
        let contact = sources.find(|source| source.kind == "CONTACT");
        contact?.update_time.as_deref()
    }

    /// The groups that it is in, by their names at Google.
    pub(super) fn groups(&self) -> impl Iterator<Item = &str> {
        let groups = self.memberships.iter();
        let groups = groups.filter_map(|one| one.contact_group_membership.as_ref());
        groups.map(|group| group.contact_group_resource_name.as_str())
    }
}

impl Dated {
    /// As a vCard writes it, without what is not known (RFC 6350 §4.3.1); else as it was written.
    pub(super) fn text(&self) -> Option<String> {
        let Some(PersonDate { year, month, day }) = self.date else {
            return self.text.clone();
        };
        match (year, month, day) {
            (0, 0, 0) => self.text.clone(),
            (0, 0, day) => Some(format!("---{day:02}")),
            (0, month, 0) => Some(format!("--{month:02}")),
            (0, month, day) => Some(format!("--{month:02}{day:02}")),
            (year, 0, _) => Some(format!("{year:04}")),
            (year, month, 0) => Some(format!("{year:04}-{month:02}")),
            (year, month, day) => Some(format!("{year:04}-{month:02}-{day:02}")),
        }
    }
}
