//! What of a message could not be taken, or not whole: a sentence each, for the report and to be kept with the record.

use serde_json::Value;

/// The most problems kept of one message.
const SENTENCES_MAX: usize = 20;

/// The problems of one message.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<String>);

impl Problems {
    /// Adds a problem, unless it is known or there are too many.
    pub(super) fn report(&mut self, sentence: String) {
        if self.0.len() < SENTENCES_MAX && !self.0.contains(&sentence) {
            self.0.push(sentence);
        }
    }

    /// As much of a text as is stored; `what` begins the sentence that says so.
    pub(super) fn cut(&mut self, what: &str, text: &str, characters_max: usize) -> String {
        match text.char_indices().nth(characters_max) {
            None => text.to_owned(),
            Some((end, _)) => {
                self.report(format!(
                    "{what} is longer than {characters_max} characters and was cut there"
                ));
                text.get(..end).unwrap_or_default().to_owned()
            }
        }
    }

    /// Reports that only the first `count_max` of `count` are stored, if there are more.
    pub(super) fn limit(&mut self, what: &str, count: usize, count_max: usize) {
        if count > count_max {
            self.report(format!(
                "of its {count} {what} the first {count_max} are kept"
            ));
        }
    }

    /// `None` if there are no problems.
    pub(super) fn into_value(self) -> Option<Value> {
        (!self.0.is_empty()).then(|| Value::from(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_that_is_told_once() {
        let mut problems = Problems::default();
        assert_eq!(problems.cut("A", "äöü", 3), "äöü");
        assert!(problems.0.is_empty());
        for _ in 0..2 {
            assert_eq!(problems.cut("A", "äöü", 2), "äö");
        }
        problems.limit("parts", 2, 2);
        problems.limit("parts", 3, 2);
        let expected = [
            "A is longer than 2 characters and was cut there",
            "of its 3 parts the first 2 are kept",
        ];
        assert_eq!(problems.into_value(), Some(Value::from(expected.to_vec())));
        let mut many = Problems::default();
        (0..100).for_each(|number| many.report(number.to_string()));
        assert_eq!(many.0.len(), SENTENCES_MAX);
    }
}
