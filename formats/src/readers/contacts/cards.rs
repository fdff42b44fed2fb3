//! The cards of a .vcf file, one at a time, each within a limit.
//!
//! A card that was not closed ends where the next begins and is refused. The cards of agents and components that are no cards
//! are kept out of the cards they stand in.

use std::collections::VecDeque;

use super::card::{Card, kind_of};
use super::property::CardProperty;
use super::value::unescape;
use crate::entry::quoted as shown;
use crate::readers::components::{
    ComponentFault, ComponentRules, Components, Folding, LINE_BYTES_MAX, name_and_value,
};
use crate::text::decode;
use crate::text::lines::TextLine;

/// The most bytes of a line in which a name and what it begins are looked for; a picture may follow.
const NAME_BYTES_MAX: usize = 80;
/// Properties that may be dropped for their length: what they carry is not stored.
const DISPENSABLE: [&str; 5] = ["PHOTO", "LOGO", "SOUND", "KEY", "X-"];

const CARD: &str = "VCARD";

/// A component of a .vcf file.
#[derive(Debug)]
pub(super) enum CardComponent {
    Card(Card),
    /// A component that is no card.
    Foreign {
        line: u64,
        kind: String,
    },
    /// `END:VCARD` without a beginning.
    StrayEnd {
        line: u64,
    },
}

/// Iterates over the components of a reader.
pub(super) type Cards<R> = Components<R, CardRules>;

/// Which card the next line belongs to.
#[derive(Debug, Default)]
pub(super) struct CardRules {
    card: Option<Card>,
    /// The agents' cards that are open within the card.
    agents: usize,
    /// The component that is open and no card.
    foreign: Option<String>,
}

impl ComponentRules for CardRules {
    type Component = CardComponent;

    const MARKER_BYTES_MAX: usize = NAME_BYTES_MAX;

    fn folding(&self) -> Folding {
        Folding::Card {
            keeps_blank: self.card.as_ref().is_some_and(|card| card.is_version_2),
        }
    }

    fn begin(&mut self, line: u64, kind: String, complete: &mut VecDeque<CardComponent>) {
        if kind == CARD {
            self.foreign = None;
            match self.expects_agent() {
                true => self.agents += 1,
                false => {
                    self.abandon_card(complete);
                    self.card = Some(Card::new(line));
                }
            }
        } else if self.foreign.is_none() {
            self.foreign = Some(kind.clone());
            complete.push_back(CardComponent::Foreign { line, kind });
        }
    }

    fn end(&mut self, line: u64, kind: &str, complete: &mut VecDeque<CardComponent>) {
        if self.foreign.as_deref() == Some(kind) {
            self.foreign = None;
        } else if kind == CARD {
            self.foreign = None;
            match (self.agents, self.card.take()) {
                (0, Some(card)) => complete.push_back(CardComponent::Card(card)),
                (0, None) => complete.push_back(CardComponent::StrayEnd { line }),
                (_, mut card) => {
                    self.agents -= 1;
                    card.iter_mut().for_each(|card| {
                        card.add_left_behind("cards within cards, but for the name");
                    });
                    self.card = card;
                }
            }
        }
    }

    fn add_property(&mut self, line: &TextLine) {
        let (name, value) = name_and_value(line, NAME_BYTES_MAX).unwrap_or_default();
        let Some(card) = self.card.as_mut() else {
            return;
        };
        match name.as_str() {
            "AGENT" if value == "BEGIN:VCARD" => self.agents += 1,
            _ if self.foreign.is_some() => {}
            "FN" if self.agents > 0 => add_agent(card, line),
            _ if self.agents > 0 => {}
            _ => add_own_property(card, line),
        }
    }

    fn finish(&mut self, complete: &mut VecDeque<CardComponent>) {
        self.abandon_card(complete);
    }
}

impl CardRules {
    /// An agent's card stands right after the AGENT without a value, or within another agent's.
    fn expects_agent(&self) -> bool {
        let last = self.card.as_ref().and_then(|card| card.properties.last());
        last.is_some_and(|last| last.name == "AGENT" && last.value.trim().is_empty())
            && self.agents == 0
    }

    /// Refuses the open card, if there is one, because it was not closed.
    fn abandon_card(&mut self, complete: &mut VecDeque<CardComponent>) {
        self.agents = 0;
        if let Some(mut card) = self.card.take() {
            card.fault = Some(ComponentFault::NotClosed {
                kind: CARD.to_owned(),
            });
            complete.push_back(CardComponent::Card(card));
        }
    }
}

/// Of an agent's card the name is kept, as if the AGENT had been written as a text.
fn add_agent(card: &mut Card, line: &TextLine) {
    if let Some(mut agent) = CardProperty::parse(&line.bytes, !card.is_version_2) {
        agent.name = "AGENT".to_owned();
        card.add_property(agent);
    }
}

fn add_own_property(card: &mut Card, line: &TextLine) {
    let Some(property) = CardProperty::parse(&line.bytes, !card.is_version_2) else {
        if !line.bytes.trim_ascii().is_empty() {
            card.add_problem(format!(
                "line {}, {}, is no property: it has no colon",
                line.number,
                shown(&unescape(&decode(&line.bytes, None)))
            ));
        }
        return;
    };
    let is_dispensable = || {
        let mut names = DISPENSABLE.iter();
        names.any(|name| property.name.starts_with(name))
    };
    if property.is_embedded() || (line.is_cut && is_dispensable()) {
        card.add_left_behind(kind_of(&property.name));
    } else if line.is_cut {
        card.add_problem(format!(
            "{} on line {} is longer than {LINE_BYTES_MAX} bytes and was left out",
            shown(&property.name),
            line.number
        ));
    } else {
        card.add_property(property);
    }
}
