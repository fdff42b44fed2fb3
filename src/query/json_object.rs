//! Writes a JSON object member by member into an answer.

use serde::Serialize;
use sextant_actors::domain::EscapedText;

/// An object whose members are written in the order in which they are to stand.
pub(crate) struct JsonObject<'a> {
    answer: &'a mut EscapedText,
    is_begun: bool,
}

impl<'a> JsonObject<'a> {
    /// Begins an object at the end of `answer`.
    pub(crate) fn begin(answer: &'a mut EscapedText) -> Self {
        answer.push("{");
        Self {
            answer,
            is_begun: false,
        }
    }

    /// Writes a member.
    ///
    /// # Errors
    /// When `value` has no form in JSON.
    pub(crate) fn member(&mut self, name: &str, value: &impl Serialize) -> serde_json::Result<()> {
        self.name(name).push_json(value)
    }

    /// Writes a member, if it has a value.
    ///
    /// # Errors
    /// As [`Self::member`].
    pub(crate) fn optional(
        &mut self,
        name: &str,
        value: Option<&impl Serialize>,
    ) -> serde_json::Result<()> {
        value.map_or(Ok(()), |value| self.member(name, value))
    }

    /// Writes the name of a member, whose value the caller then appends.
    pub(crate) fn name(&mut self, name: &str) -> &mut EscapedText {
        if self.is_begun {
            self.answer.push(",");
        }
        self.is_begun = true;
        self.answer.push_json_string(name);
        self.answer.push(":");
        self.answer
    }

    /// Ends the object.
    pub(crate) fn end(self) {
        self.answer.push("}");
    }
}
