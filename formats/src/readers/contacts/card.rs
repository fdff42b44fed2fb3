//! One card: its properties as they stand in the file, and what of it was left out.

use super::property::CardProperty;
use crate::entry::quoted as shown;
use crate::readers::components::ComponentFault;

/// How much of one card is kept; embedded pictures are not.
const CARD_BYTES_MAX: usize = 2 * 1024 * 1024;
const PROPERTIES_MAX: usize = 5_000;
/// The most faults of one card that are reported.
const PROBLEMS_MAX: usize = 20;

/// A vCard of any version.
#[derive(Debug, Default)]
pub(super) struct Card {
    /// The line of its BEGIN, counted from 1.
    pub line: u64,
    pub properties: Vec<CardProperty>,
    /// What was left out, in sentences.
    pub problems: Vec<String>,
    /// The kinds of content that was skipped because no table stores it.
    pub left_behind: Vec<&'static str>,
    /// Why it is refused.
    pub fault: Option<ComponentFault>,
    /// Folds lines and separates lists as version 2.1 does.
    pub is_version_2: bool,
    value_bytes: usize,
}

impl Card {
    /// A card without properties, whose BEGIN is in this line.
    pub(super) fn new(line: u64) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }

    /// The properties of this name that say something. Of alternatives (ALTID) only the first is one.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a CardProperty> {
        let mut alternatives = Vec::new();
        self.properties
            .iter()
            .filter(move |property| property.name == name && !property.value.trim().is_empty())
            .filter(move |property| match property.parameter("ALTID") {
                Some(known) if alternatives.contains(&known) => false,
                Some(new) => {
                    alternatives.push(new);
                    true
                }
                None => true,
            })
    }

    /// The first property of this name that says something.
    pub(super) fn first(&self, name: &str) -> Option<&CardProperty> {
        self.properties
            .iter()
            .find(|property| property.name == name && !property.value.trim().is_empty())
    }

    /// The text of the first property of this name.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.first(name)?.text()
    }

    /// The property of this name that is tied to another one.
    pub(super) fn companion(&self, of: &CardProperty, name: &str) -> Option<String> {
        let group = of.group.as_ref()?;
        let mut tied = self
            .properties
            .iter()
            .filter(|property| property.group.as_ref() == Some(group));
        tied.find(|property| property.name == name)?.text()
    }

    /// Adds a property, or a problem where the card is too long for it.
    pub(super) fn add_property(&mut self, property: CardProperty) {
        self.value_bytes += property.value.len();
        if self.value_bytes > CARD_BYTES_MAX || self.properties.len() >= PROPERTIES_MAX {
            return self.add_problem(format!(
                "{} was left out: the card is too long",
                shown(&property.name)
            ));
        }
        self.is_version_2 |= property.name == "VERSION" && property.value.trim().starts_with('2');
        self.properties.push(property);
    }

    pub(super) fn add_left_behind(&mut self, kind: &'static str) {
        if self.left_behind.len() < PROPERTIES_MAX {
            self.left_behind.push(kind);
        }
    }

    pub(super) fn add_problem(&mut self, problem: String) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }
}

/// What a property is called whose content nothing stores.
pub(super) fn kind_of(name: &str) -> &'static str {
    match name {
        "PHOTO" => "pictures",
        "LOGO" => "logos",
        "SOUND" => "sounds",
        "KEY" => "keys",
        _ => "embedded files",
    }
}
