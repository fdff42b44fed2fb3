//! The messages of a home's WebSocket API, as values.

use serde_json::Value;

use crate::failure::{FailureKind, SourceFailure};

/// What a home says after the sign-in.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HomeMessage {
    /// The answer to the question of this id.
    Answer(u64, Result<Value, SourceFailure>),
    /// An event of the subscription of this id.
    Event(u64, Value),
    /// The sign of life that was asked for under this id.
    Pong(u64),
    /// A kind that is not known here.
    Other,
}

/// The messages of a text: one, or several in an array.
pub(super) fn read(text: &str) -> Result<Vec<HomeMessage>, SourceFailure> {
    match serde_json::from_str(text) {
        Ok(Value::Array(messages)) => messages.into_iter().map(read_one).collect(),
        Ok(message) => Ok(vec![read_one(message)?]),
        Err(_) => Err(malformed()),
    }
}

/// The type of a message.
pub(super) fn type_of(message: &Value) -> &str {
    text(message, "type").unwrap_or_default()
}

/// A text of an object.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name).and_then(Value::as_str)
}

/// What is said of an answer that is none.
/// What is said when an answer does not come.
pub(super) fn not_in_time() -> SourceFailure {
    let message = "the source did not answer in time";
    SourceFailure::new(FailureKind::Unavailable, message)
}

pub(super) fn malformed() -> SourceFailure {
    let message = "the source answered what is not of Home Assistant's protocol";
    SourceFailure::new(FailureKind::Malformed, message)
}

fn read_one(mut message: Value) -> Result<HomeMessage, SourceFailure> {
    let id = message.get("id").and_then(Value::as_u64);
    let id = |_| id.ok_or_else(malformed);
    match type_of(&message) {
        "result" => Ok(HomeMessage::Answer(id(())?, answer(&mut message))),
        "event" => Ok(HomeMessage::Event(id(())?, take(&mut message, "event"))),
        "pong" => Ok(HomeMessage::Pong(id(())?)),
        "" => Err(malformed()),
        _ => Ok(HomeMessage::Other),
    }
}

fn answer(message: &mut Value) -> Result<Value, SourceFailure> {
    match message.get("success").and_then(Value::as_bool) {
        Some(true) => Ok(take(message, "result")),
        Some(false) => Err(refused(message.get("error").unwrap_or(&Value::Null))),
        None => Err(malformed()),
    }
}

fn take(message: &mut Value, name: &str) -> Value {
    message.get_mut(name).map(Value::take).unwrap_or_default()
}

/// What an error of the API means, in the home's own words.
fn refused(error: &Value) -> SourceFailure {
    let code = text(error, "code").unwrap_or("no code");
    let kind = match code {
        "not_found" => FailureKind::NotFound,
        "timeout" => FailureKind::Unavailable,
        _ => FailureKind::Rejected,
    };
    let said = text(error, "message").unwrap_or_default();
    SourceFailure::new(kind, "the home refused").with_words(&format!("{code}: {said}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_message_and_several_are_read() {
        let one = r#"{"id":3,"type":"result","success":true,"result":[1]}"#;
        let answer = || HomeMessage::Answer(3, Ok(json!([1])));
        assert_eq!(read(one).unwrap(), [answer()]);
        let several = format!(r#"[{one},{{"id":4,"type":"event","event":{{}}}},{{"type":"new"}}]"#);
        let expected = [
            answer(),
            HomeMessage::Event(4, json!({})),
            HomeMessage::Other,
        ];
        assert_eq!(read(&several).unwrap(), expected);
    }

    #[test]
    fn an_error_is_told_by_its_code_and_words() {
        let text = r#"{"id":3,"type":"result","success":false,
            "error":{"code":"not_found","message":"Service\nnot found"}}"#;
        let [HomeMessage::Answer(3, Err(failure))] = &read(text).unwrap()[..] else {
            panic!("an answer");
        };
        assert_eq!(failure.kind, FailureKind::NotFound);
        assert_eq!(
            failure.message,
            "the home refused: not_found: Service not found"
        );
    }

    #[test]
    fn garbage_is_malformed() {
        for text in ["", "{", "<html>", "1", "[1]", "{}", r#"{"type":"result"}"#] {
            assert_eq!(
                read(text).unwrap_err().kind,
                FailureKind::Malformed,
                "{text}"
            );
        }
        let no_success = read(r#"{"id":1,"type":"result"}"#).unwrap();
        assert_eq!(no_success, [HomeMessage::Answer(1, Err(malformed()))]);
    }
}
