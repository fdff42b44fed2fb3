//! A body as a stream of items: only one item is in memory at a time.

mod item;
mod json;
mod lines;

use std::io::BufRead;

use super::decode::BodyFormat;
use super::problem::Unreadable;

pub(super) use self::item::{Item, Take};

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
        BodyFormat::Json => json::read(body, take),
        BodyFormat::JsonLines => lines::read(body, take),
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
