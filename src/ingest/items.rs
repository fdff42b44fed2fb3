//! A body as a stream of items: only one item is in memory at a time.

use std::cell::Cell;
use std::fmt;
use std::io::BufRead;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde_json::Value;

use super::budget::{Budget, Metered, is_over_budget, over_budget_message};
use super::decode::BodyFormat;
use super::limits::{ITEMS_MAX, NESTING_MAX, RECORD_BYTES_MAX};
use super::problem::Unreadable;

/// One element of a push.
#[derive(Debug, PartialEq)]
pub(super) enum Item {
    /// A record to store, still as it was sent.
    Record(Value),
    /// An id from the list `deleted`.
    Deleted(Value),
    /// A line that is not JSON, with the reason.
    Broken(String),
}

/// Receives items one by one, numbered from 0.
pub(super) type Take<'a> = dyn FnMut(usize, Item) -> Result<(), Unreadable> + 'a;

/// Reads `body` to its end and hands each item to `take`.
///
/// # Errors
/// When the body as a whole is not of `format`, is too large, or `take` fails.
pub(super) fn read(
    body: &mut dyn BufRead,
    format: BodyFormat,
    take: &mut Take<'_>,
) -> Result<(), Unreadable> {
    match format {
        BodyFormat::Json => read_json(body, take),
        BodyFormat::JsonLines => read_lines(body, take),
    }
}

fn read_lines(body: &mut dyn BufRead, take: &mut Take<'_>) -> Result<(), Unreadable> {
    let mut line = Vec::new();
    let mut index = 0;
    loop {
        line.clear();
        let read = std::io::Read::take(&mut *body, RECORD_BYTES_MAX as u64 + 1)
            .read_until(b'\n', &mut line);
        if read.map_err(Unreadable::from_read)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.len() > RECORD_BYTES_MAX || Budget::default().spend(&line).is_err() {
            return Err(Unreadable::Malformed(over_budget_message(index)));
        }
        check_count(index)?;
        take(index, parse_line(&line))?;
        index += 1;
    }
}

fn parse_line(line: &[u8]) -> Item {
    match serde_json::from_slice(line) {
        Ok(value) => Item::Record(value),
        Err(fault) => Item::Broken(format!("is no JSON: {}", without_position(&fault))),
    }
}

/// serde_json ends its messages with a position within the line; the record's index is more useful.
fn without_position(fault: &serde_json::Error) -> String {
    let text = message_of(fault);
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// The message for a parser's error. Serde's own messages quote the unexpected value, and no message may contain payload.
fn message_of(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    if let Some((_, expected)) = text.rsplit_once(", expected ") {
        return format!("expected {expected}");
    }
    let deep = format!("more than {NESTING_MAX} levels of objects and arrays");
    text.replacen("recursion limit exceeded", &deep, 1)
        .replacen("invalid unicode code point", "bytes that are no UTF-8", 1)
}

fn check_count(index: usize) -> Result<(), Unreadable> {
    if index < ITEMS_MAX {
        Ok(())
    } else {
        Err(Unreadable::Malformed(format!(
            "more than {ITEMS_MAX} records in one push"
        )))
    }
}

fn read_json(body: &mut dyn BufRead, take: &mut Take<'_>) -> Result<(), Unreadable> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ingest::limits::RECORD_VALUES_MAX;

    fn items(body: &str, format: BodyFormat) -> Result<Vec<Item>, Unreadable> {
        let mut taken = Vec::new();
        read(&mut body.as_bytes(), format, &mut |_, item| {
            taken.push(item);
            Ok(())
        })?;
        Ok(taken)
    }

    #[test]
    fn a_body_of_another_shape_is_not_quoted() {
        for body in [
            r#""hunter2""#,
            r#"{"records":"hunter2, expected hunter2"}"#,
            r#"{"deleted":"hunter2"}"#,
            r#"{"hunter2":1}"#,
            "hunter2",
            "[hunter2]",
            "77777",
            r#"{"records":77777}"#,
        ] {
            let Err(Unreadable::Malformed(said)) = items(body, BodyFormat::Json) else {
                panic!("{body}");
            };
            assert!(
                !said.contains("hunter2") && !said.contains("77777"),
                "{said}"
            );
        }
    }

    #[test]
    fn an_array_an_object_and_lines_say_the_same() {
        let records = vec![
            Item::Record(json!({"id": "a"})),
            Item::Record(json!({"id": "b"})),
        ];
        assert_eq!(
            items(r#"[{"id":"a"},{"id":"b"}]"#, BodyFormat::Json).unwrap(),
            records
        );
        assert_eq!(
            items(r#"{"records":[{"id":"a"},{"id":"b"}]}"#, BodyFormat::Json).unwrap(),
            records
        );
        assert_eq!(
            items("{\"id\":\"a\"}\n\n{\"id\":\"b\"}", BodyFormat::JsonLines).unwrap(),
            records
        );
    }

    #[test]
    fn a_broken_line_spoils_only_itself_and_a_broken_body_all() {
        let taken = items("{\"id\":1}\n{\"id\":\n{\"id\":3}\n", BodyFormat::JsonLines).unwrap();
        assert!(matches!(
            taken.as_slice(),
            [Item::Record(_), Item::Broken(_), Item::Record(_)]
        ));
        for body in ["[{\"id\":1},", "{\"rows\":[]}", "7", "[] []", ""] {
            assert!(
                matches!(items(body, BodyFormat::Json), Err(Unreadable::Malformed(_))),
                "{body}"
            );
        }
    }

    #[test]
    fn a_record_that_would_fill_the_memory_is_refused_in_each_form() {
        let heavy = format!("{{\"x\":[{}0]}}", "0,".repeat(RECORD_VALUES_MAX));
        for (body, format) in [
            (format!("[{{}},{heavy}]"), BodyFormat::Json),
            (format!("{{\"records\":[{{}},{heavy}]}}"), BodyFormat::Json),
            (format!("{{}}\n{heavy}\n"), BodyFormat::JsonLines),
        ] {
            let Err(Unreadable::Malformed(said)) = items(&body, format) else {
                panic!("taken");
            };
            assert!(said.starts_with("record 1 is larger"), "{said}");
        }
        let many = format!("[{}{{}}]", "{\"a\":0},".repeat(RECORD_VALUES_MAX / 2 + 1));
        assert!(
            items(&many, BodyFormat::Json).is_ok(),
            "the bound is one record's"
        );
    }

    #[test]
    fn deletions_follow_records_with_numbers_of_their_own() {
        let taken = items(r#"{"records":[{}],"deleted":["x"]}"#, BodyFormat::Json).unwrap();
        assert_eq!(
            taken,
            vec![Item::Record(json!({})), Item::Deleted(json!("x"))]
        );
    }
}
