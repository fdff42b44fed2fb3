//! A body that is one JSON text: an array of records, or an object with the lists `records` and `deleted`.

use std::cell::Cell;
use std::fmt;
use std::io::BufRead;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde_json::Value;

use crate::ingest::budget::{Budget, Metered, is_over_budget, over_budget_message};
use crate::ingest::problem::Unreadable;

use super::item::{Item, Take, check_count, message_of};

/// Passes each element of the lists to `take`.
///
/// # Errors
/// When the body is not of that form or is too large, or `take` fails.
pub(super) fn read(body: &mut dyn BufRead, take: &mut Take<'_>) -> Result<(), Unreadable> {
    let budget = Cell::default();
    let mut reading = ItemReader {
        take,
        budget: &budget,
        next: 0,
        failed: None,
    };
    let metered = Metered {
        body,
        budget: &budget,
    };
    let mut json = serde_json::Deserializer::from_reader(metered);
    let read = BodyVisitor(&mut reading)
        .deserialize(&mut json)
        .and_then(|()| json.end());
    match (reading.failed, read) {
        (Some(failed), _) => Err(failed),
        (None, Ok(())) => Ok(()),
        (None, Err(fault)) if fault.io_error_kind() == Some(std::io::ErrorKind::FileTooLarge) => {
            Err(Unreadable::TooLarge)
        }
        (None, Err(fault)) if fault.io_error_kind().is_some_and(is_over_budget) => {
            Err(Unreadable::Malformed(over_budget_message(reading.next)))
        }
        (None, Err(fault)) => Err(Unreadable::Malformed(message_of(&fault))),
    }
}

struct ItemReader<'a, 'b> {
    take: &'a mut Take<'b>,
    budget: &'a Cell<Budget>,
    next: usize,
    /// Why `take` failed: serde's error types cannot hold it.
    failed: Option<Unreadable>,
}

impl ItemReader<'_, '_> {
    fn pass_on<E: serde::de::Error>(&mut self, item: Item) -> Result<(), E> {
        let index = self.next;
        self.next += 1;
        let mut budget = self.budget.get();
        budget.reset();
        self.budget.set(budget);
        check_count(index)
            .and_then(|()| (self.take)(index, item))
            .map_err(|failed| {
                let error = E::custom(&failed);
                self.failed = Some(failed);
                error
            })
    }
}

/// The whole body: an array of records, or an object of two lists.
struct BodyVisitor<'r, 'a, 'b>(&'r mut ItemReader<'a, 'b>);

impl<'de> DeserializeSeed<'de> for BodyVisitor<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BodyVisitor<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of records, or {\"records\":[…],\"deleted\":[…]}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<(), A::Error> {
        ListVisitor {
            reading: self.0,
            wrap: Item::Record,
        }
        .visit_seq(sequence)
    }

    fn visit_str<E: serde::de::Error>(self, _text: &str) -> Result<(), E> {
        Err(text_in_place_of(&self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "records" => map.next_value_seed(ListVisitor {
                    reading: self.0,
                    wrap: Item::Record,
                })?,
                "deleted" => map.next_value_seed(ListVisitor {
                    reading: self.0,
                    wrap: Item::Deleted,
                })?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    return Err(A::Error::custom(
                        "only `records` and `deleted` may stand at the top; send {\"records\":[…]} or an array of records",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The error for a text where something else is expected; serde's own would quote the text.
fn text_in_place_of<'de, E: serde::de::Error>(expected: &impl Visitor<'de>) -> E {
    E::invalid_type(Unexpected::Other("a text"), expected)
}

/// One list, passed on element by element.
struct ListVisitor<'r, 'a, 'b> {
    reading: &'r mut ItemReader<'a, 'b>,
    wrap: fn(Value) -> Item,
}

impl<'de> DeserializeSeed<'de> for ListVisitor<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        // Not `deserialize_seq`: its error for a text quotes the text.
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ListVisitor<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_str<E: serde::de::Error>(self, _text: &str) -> Result<(), E> {
        Err(text_in_place_of(&self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        while let Some(value) = sequence.next_element::<Value>()? {
            self.reading.pass_on((self.wrap)(value))?;
        }
        Ok(())
    }
}
