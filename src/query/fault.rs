//! What is wrong with a call: the fault in words, the nearest valid value, and a corrected call.
//!
//! A fault's text may contain what the agent sent: it goes back to that agent and nowhere else, never into a log.

use serde_json::Value;

use super::repair::Repair;

/// The most bytes of a corrected call; a longer one is left out, since it would mostly repeat the agent's own arguments.
const CALL_BYTES_MAX: usize = 1500;
/// The most characters of an agent's word that a fault repeats.
const QUOTED_CHARS_MAX: usize = 60;
/// The most faults of one call that are corrected, one after the other, before no corrected call is suggested.
const ROUNDS_MAX: usize = 8;

/// A call that cannot be served as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFault {
    text: String,
    /// In order of preference: the first that yields a call is suggested.
    repairs: Vec<Repair>,
}

impl CallFault {
    /// A fault in words, without a full stop.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            repairs: Vec::new(),
        }
    }

    /// The corrected call has the argument `wrong` under the name `right`.
    #[must_use]
    pub fn rename_argument(self, wrong: &str, right: &str) -> Self {
        self.or(Repair::Argument {
            wrong: wrong.to_owned(),
            right: right.to_owned(),
        })
    }

    /// The corrected call names the field `right` wherever it named `wrong`.
    #[must_use]
    pub fn rename_field(self, wrong: &str, right: &str) -> Self {
        self.or(Repair::Field {
            wrong: wrong.to_owned(),
            right: right.to_owned(),
        })
    }

    /// The corrected call has the word `right` in the argument `name`, where `wrong` stood.
    #[must_use]
    pub fn replace_word(self, name: &str, wrong: &str, right: &str) -> Self {
        self.or(Repair::Word {
            name: name.to_owned(),
            wrong: wrong.to_owned(),
            right: right.to_owned(),
        })
    }

    /// The corrected call has no `item` in the list `name`.
    #[must_use]
    pub fn without_item(self, name: &str, item: &str) -> Self {
        self.or(Repair::WithoutItem {
            name: name.to_owned(),
            item: item.to_owned(),
        })
    }

    /// The corrected call is the agent's own with `value` as the argument `name`.
    #[must_use]
    pub fn set(self, name: &str, value: impl Into<Value>) -> Self {
        self.or(Repair::Set {
            name: name.to_owned(),
            value: value.into(),
        })
    }

    /// The corrected call is the agent's own without the argument `name`.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        self.or(Repair::Without(name.to_owned()))
    }

    /// The corrected call has `value` as the argument `name`, instead of the argument `gone`.
    #[must_use]
    pub fn replace_argument(self, gone: &str, name: &str, value: Value) -> Self {
        self.or(Repair::Instead {
            gone: gone.to_owned(),
            name: name.to_owned(),
            value,
        })
    }

    /// The corrected call is `call`, whatever the agent's own was.
    #[must_use]
    pub fn suggest(self, call: Value) -> Self {
        self.or(Repair::Example(call))
    }

    /// Before all other corrections: the argument `name` has `value`, if there is one.
    #[must_use]
    pub fn prefer_set(mut self, name: &str, value: Option<Value>) -> Self {
        if let Some(value) = value {
            let name = name.to_owned();
            self.repairs.insert(0, Repair::Set { name, value });
        }
        self
    }

    fn or(mut self, repair: Repair) -> Self {
        self.repairs.push(repair);
        self
    }

    /// The same fault with the first corrected call that passes `check`, or with none, so that a suggested call always runs.
    #[must_use]
    pub fn settle(
        self,
        arguments: &Value,
        check: impl Fn(&Value) -> Result<(), CallFault>,
    ) -> Self {
        let calls = self.calls(arguments);
        let call = calls.into_iter().find_map(|call| running(call, &check));
        Self {
            text: self.text,
            repairs: call.map(Repair::Example).into_iter().collect(),
        }
    }

    /// The whole text for the agent whose call had these arguments.
    pub fn say(&self, arguments: &Value) -> String {
        let call = self.calls(arguments).into_iter().next();
        match call.map(|call| call.to_string()) {
            Some(call) if call.len() <= CALL_BYTES_MAX => format!("{}. Try: {call}", self.text),
            _ => format!("{}.", self.text),
        }
    }

    fn calls(&self, arguments: &Value) -> Vec<Value> {
        let repairs = self.repairs.iter();
        repairs
            .filter_map(|repair| repair.call(arguments))
            .collect()
    }
}

/// `call`, with the faults that `check` still finds in it corrected too; `None` if that does not end.
fn running(mut call: Value, check: impl Fn(&Value) -> Result<(), CallFault>) -> Option<Value> {
    for _ in 0..ROUNDS_MAX {
        let Err(fault) = check(&call) else {
            return Some(call);
        };
        call = fault.calls(&call).into_iter().find(|next| *next != call)?;
    }
    None
}

/// A word that the agent sent, cut and quoted.
pub(crate) fn quoted(word: &str) -> String {
    let cut: String = word.chars().take(QUOTED_CHARS_MAX).collect();
    Value::String(cut).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn r026_no_corrected_call_moves_a_value_out_of_a_redacted_name() {
        let arguments = json!({"target": "mail.messages", "where": {"sender_key": "hunter2"}});
        let said = CallFault::new("unknown field")
            .rename_field("sender_key", "sender")
            .say(&arguments);
        assert_eq!(said, "unknown field.");
        let arguments = json!({"target": "mail.messages", "token": "hunter2"});
        let said = CallFault::new("unknown argument").rename_argument("token", "search");
        assert_eq!(said.say(&arguments), "unknown argument.");
    }

    #[test]
    fn a_corrected_call_is_the_agents_own_with_the_name_put_right() {
        let arguments = json!({"target": "finance.transactions", "select": ["ammount"], "order_by": ["-ammount"],
            "search": "ammount", "aggregate": {"n": "sum(ammount)"}, "group_by": ["ammount:day"],
            "where": {"or": [{"ammount": {"lt": 0}}, {"description": "ammount"}]}});
        let said = CallFault::new("unknown field")
            .rename_field("ammount", "amount")
            .say(&arguments);
        for part in [
            r#""select":["amount"]"#,
            r#""order_by":["-amount"]"#,
            r#"{"amount":{"lt":0}}"#,
            r#"{"description":"ammount"}"#,
            r#""search":"ammount""#,
            r#"{"n":"sum(amount)"}"#,
            r#"["amount:day"]"#,
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }

    #[test]
    fn a_fault_that_is_left_is_put_right_too_and_what_cannot_be_is_not_told() {
        let two_left = |call: &Value| match call["limit"].as_u64() {
            Some(0) => Ok(()),
            Some(left) => Err(CallFault::new("too many").set("limit", left - 1)),
            None => Err(CallFault::new("none")),
        };
        let arguments = json!({"limit": 5});
        let fault = CallFault::new("wrong").without("limit").set("limit", 2);
        let said = fault.settle(&arguments, two_left).say(&arguments);
        assert_eq!(said, r#"wrong. Try: {"limit":0}"#);
        let fault = CallFault::new("wrong").without("limit");
        assert_eq!(fault.settle(&arguments, two_left).say(&arguments), "wrong.");
    }

    #[test]
    fn a_foreign_word_is_cut_and_cannot_break_out_of_its_quotes() {
        assert_eq!(quoted("a\"b\n"), r#""a\"b\n""#);
        assert_eq!(quoted(&"x".repeat(1000)).len(), 62);
    }
}
