//! What one answer says (RFC 3501 §7).

use bytes::Bytes;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// `+`: the server waits for the rest of the command.
    Continue,
    /// The end of a command.
    Done {
        /// Which command's.
        tag: Bytes,
        /// How it ended.
        status: ServerStatus,
    },
    /// Said beside, or as greeting.
    Status(ServerStatus),
    /// What was asked for, or news.
    Data(ServerData),
}

/// `OK`, `NO`, `BAD`, `BYE` or `PREAUTH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerStatus {
    pub(super) condition: AnswerCondition,
    /// What stands in brackets: `UIDVALIDITY 3857529045`.
    pub(super) code: Option<Bytes>,
    /// For people.
    pub(super) text: Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerCondition {
    Ok,
    No,
    Bad,
    Bye,
    PreAuth,
}

/// `* 23 FETCH (…)`, `* LIST (…) …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerData {
    pub(super) number: Option<u32>,
    kind: Bytes,
    pub(super) rest: Bytes,
}

impl ServerData {
    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind.eq_ignore_ascii_case(kind.as_bytes())
    }
}

impl ServerStatus {
    /// The first word of its code, in capitals.
    pub(super) fn code_name(&self) -> String {
        let code = self.code.clone().unwrap_or_default();
        let name = code.split(|byte| *byte == b' ').next().unwrap_or_default();
        String::from_utf8_lossy(name).to_ascii_uppercase()
    }

    /// The number behind the code `name`.
    pub(super) fn code_number(&self, name: &str) -> Option<u64> {
        let code = self.code.as_ref().filter(|_| self.code_name() == name)?;
        let words = std::str::from_utf8(code).ok()?;
        words.split_ascii_whitespace().nth(1)?.parse().ok()
    }
}

/// Reads an answer; `None` if it is none of this protocol.
pub(super) fn parse_answer(line: &Bytes) -> Option<Answer> {
    let (first, rest) = split_word(line);
    match first.as_ref() {
        b"+" => Some(Answer::Continue),
        b"*" => Some(parse_untagged(&rest)),
        tag if !tag.is_empty() => Some(Answer::Done {
            status: parse_status(&rest)?,
            tag: first,
        }),
        _ => None,
    }
}

fn parse_untagged(line: &Bytes) -> Answer {
    if let Some(status) = parse_status(line) {
        return Answer::Status(status);
    }
    let (first, rest) = split_word(line);
    let number = std::str::from_utf8(&first).ok();
    let number = number.and_then(|digits| digits.parse().ok());
    let (kind, rest) = match number {
        Some(_) => split_word(&rest),
        None => (first, rest),
    };
    Answer::Data(ServerData { number, kind, rest })
}

fn parse_status(line: &Bytes) -> Option<ServerStatus> {
    let (word, rest) = split_word(line);
    let condition = match word.to_ascii_uppercase().as_slice() {
        b"OK" => AnswerCondition::Ok,
        b"NO" => AnswerCondition::No,
        b"BAD" => AnswerCondition::Bad,
        b"BYE" => AnswerCondition::Bye,
        b"PREAUTH" => AnswerCondition::PreAuth,
        _ => return None,
    };
    let end = rest.iter().position(|byte| *byte == b']');
    let (code, text) = match end.filter(|_| rest.starts_with(b"[")) {
        Some(end) => (Some(rest.slice(1..end)), rest.slice(end + 1..)),
        None => (None, rest),
    };
    Some(ServerStatus {
        condition,
        code,
        text,
    })
}

fn split_word(line: &Bytes) -> (Bytes, Bytes) {
    match line.iter().position(|byte| *byte == b' ') {
        Some(end) => (line.slice(..end), line.slice(end + 1..)),
        None => (line.clone(), Bytes::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &'static str) -> Option<Answer> {
        parse_answer(&Bytes::from_static(line.as_bytes()))
    }

    #[test]
    fn answers_are_told_apart() {
        assert_eq!(parse("+ go on"), Some(Answer::Continue));
        assert_eq!(parse("+"), Some(Answer::Continue));
        let Some(Answer::Done { tag, status }) = parse("A7 no [AUTHENTICATIONFAILED] not so")
        else {
            panic!("an end");
        };
        assert_eq!((&*tag, status.condition), (&b"A7"[..], AnswerCondition::No));
        assert_eq!(status.code_name(), "AUTHENTICATIONFAILED");
        let Some(Answer::Status(status)) = parse("* OK [UIDNEXT 44] next") else {
            panic!("a status");
        };
        assert_eq!(status.code_number("UIDNEXT"), Some(44));
        assert_eq!(status.code_number("UIDVALIDITY"), None);
        let Some(Answer::Data(data)) = parse("* 23 fetch (UID 4)") else {
            panic!("data");
        };
        assert!(data.is("FETCH") && data.number == Some(23) && &*data.rest == b"(UID 4)");
        for garbage in ["", " x", "HTTP/1.1 400 Bad", "A1", "A1 MAYBE"] {
            assert_eq!(parse(garbage), None, "{garbage}");
        }
    }
}
