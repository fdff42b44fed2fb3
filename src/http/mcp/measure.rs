//! How much structure a message has, before any of it is built: a body within its bound in bytes may hold millions of values,
//! each of which costs a hundred times what it takes on the wire.

use super::fault::Fault;
use super::limits::{MESSAGE_LEVELS_MAX, MESSAGE_VALUES_MAX};

/// Counts values and names by the marks that stand between them, without reading the texts. What is no JSON may pass: the parser
/// says so better.
///
/// # Errors
/// [`Fault::TooManyValues`] or [`Fault::TooDeep`].
pub(super) fn measure(body: &[u8]) -> Result<(), Fault> {
    let (mut values, mut levels) = (1, 0_usize);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in body {
        if in_text {
            in_text = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b',' | b':' => values += 1,
            b'[' | b'{' => (values, levels) = (values + 1, levels + 1),
            b']' | b'}' => levels = levels.saturating_sub(1),
            _ => {}
        }
        if values > MESSAGE_VALUES_MAX {
            return Err(Fault::TooManyValues);
        }
        if levels > MESSAGE_LEVELS_MAX {
            return Err(Fault::TooDeep);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(body: &str) -> Result<(), Fault> {
        measure(body.as_bytes())
    }

    #[test]
    fn values_are_counted_and_those_within_texts_are_not() {
        let list = |zeros: usize| format!("[{}]", vec!["0"; zeros].join(","));
        assert_eq!(measured(&list(MESSAGE_VALUES_MAX - 1)), Ok(()));
        let refused = Err(Fault::TooManyValues);
        assert_eq!(measured(&list(MESSAGE_VALUES_MAX)), refused);
        let text = format!(r#"["\\\"{}\\", 1]"#, "[,{:".repeat(MESSAGE_VALUES_MAX));
        assert_eq!(measured(&text), Ok(()));
    }

    #[test]
    fn levels_are_counted_where_they_are_open() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(measured(&nested(MESSAGE_LEVELS_MAX)), Ok(()));
        assert_eq!(
            measured(&nested(MESSAGE_LEVELS_MAX + 1)),
            Err(Fault::TooDeep)
        );
        assert_eq!(measured(&"[],".repeat(MESSAGE_LEVELS_MAX + 1)), Ok(()));
        assert_eq!(measured("]]]]"), Ok(()));
    }
}
