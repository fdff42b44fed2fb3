//! Reads conditions written as SQL: `amount < 0 AND category IN ('rent', 'car')`. By hand, since a parser of SQL would also
//! read the many things that a `where` cannot say, and would refuse the unquoted words that agents write.

use serde_json::{Value, json};

use super::parts::{join, tests_of};
use crate::query::operators::operator;

/// How deep parentheses and `not` may nest.
const DEPTH_MAX: usize = 8;
/// Words that begin the clause after the conditions, which is ignored.
const CLAUSES: [&str; 4] = ["order", "group", "limit", "offset"];
/// Words that end a value.
const JOINING: [&str; 2] = ["and", "or"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum SqlToken<'a> {
    Plain(&'a str),
    Quoted(&'a str),
    /// `<`, `>=`, a parenthesis or a comma.
    Sign(&'a str),
}

/// The conditions of `text`; `None` if any of them cannot be read, since the others alone would match other rows.
pub(super) fn parse(text: &str) -> Option<Value> {
    let words = tokens(text)?;
    let mut parser = Parser(&words);
    parser.takes("where");
    let conditions = parser.disjunction(0)?;
    let is_end = parser.0.is_empty() || parser.is_one_of(&CLAUSES);
    is_end.then_some(conditions)
}

fn tokens(text: &str) -> Option<Vec<SqlToken<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '\'' | '"' => {
                let (quoted, after) = rest.get(1..)?.split_once(first)?;
                (SqlToken::Quoted(quoted), after)
            }
            '(' | ')' | ',' => (SqlToken::Sign(rest.get(..1)?), rest.get(1..)?),
            first => {
                let is_sign = is_comparison(first);
                let is_same = |letter: char| match is_sign {
                    true => is_comparison(letter),
                    false => !is_comparison(letter) && !ends_word(letter),
                };
                let end = rest.find(|letter| !is_same(letter));
                let (token, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
                let token = if is_sign {
                    SqlToken::Sign(token)
                } else {
                    SqlToken::Plain(token)
                };
                (token, after)
            }
        };
        tokens.push(token);
        rest = after.trim_start();
    }
    Some(tokens)
}

fn is_comparison(letter: char) -> bool {
    matches!(letter, '<' | '>' | '=' | '!')
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\'' | '"' | '(' | ')' | ',')
}

/// A recursive-descent parser over the tokens that are left.
struct Parser<'a>(&'a [SqlToken<'a>]);

impl<'a> Parser<'a> {
    fn disjunction(&mut self, depth: usize) -> Option<Value> {
        self.joined_by("or", |parser| {
            parser.joined_by("and", |parser| parser.condition(depth))
        })
    }

    fn joined_by(
        &mut self,
        word: &str,
        part: impl Fn(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let mut parts = vec![part(self)?];
        while self.takes(word) {
            parts.push(part(self)?);
        }
        match parts.as_slice() {
            [only] => Some(only.clone()),
            _ => Some(join(word, parts)),
        }
    }

    fn condition(&mut self, depth: usize) -> Option<Value> {
        if depth > DEPTH_MAX {
            return None;
        }
        if self.takes("not") {
            return Some(json!({"not": self.condition(depth + 1)?}));
        }
        if self.takes("(") {
            let inner = self.disjunction(depth + 1)?;
            return self.takes(")").then_some(inner);
        }
        let SqlToken::Plain(field) = self.next()? else {
            return None;
        };
        let is_not = self.takes("not");
        let condition = json!({field: self.test()?});
        Some(if is_not {
            json!({"not": condition})
        } else {
            condition
        })
    }

    /// The tests after a field.
    fn test(&mut self) -> Option<Value> {
        if self.takes("is") {
            let word = if self.takes("not") { "ne" } else { "eq" };
            return Some(match self.takes("null") {
                true => json!({"is_null": word == "eq"}),
                false => json!({word: self.value()?}),
            });
        }
        if self.takes("between") {
            let from = self.item()?;
            return self
                .takes("and")
                .then_some(json!({"gte": from, "lte": self.item()?}));
        }
        if self.takes("in") {
            return Some(json!({"in": self.list()?}));
        }
        let (SqlToken::Plain(word) | SqlToken::Sign(word)) = self.next()? else {
            return None;
        };
        operator(word)?;
        Some(Value::Object(
            tests_of(word, &self.value()?).into_iter().collect(),
        ))
    }

    fn list(&mut self) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        if !self.takes("(") {
            return None;
        }
        loop {
            items.push(self.value()?);
            if self.takes(")") {
                return Some(items);
            }
            if !self.takes(",") {
                return None;
            }
        }
    }

    /// A quoted text, or the unquoted words up to the next condition.
    fn value(&mut self) -> Option<Value> {
        if let Some(SqlToken::Quoted(_)) = self.0.first() {
            return self.item();
        }
        let mut words = Vec::new();
        while let Some(SqlToken::Plain(word)) = self.0.first()
            && !self.is_one_of(&JOINING)
            && !self.is_one_of(&CLAUSES)
        {
            words.push(*word);
            self.next();
        }
        (!words.is_empty()).then(|| plain(&words.join(" ")))
    }

    fn item(&mut self) -> Option<Value> {
        match self.next()? {
            SqlToken::Quoted(text) => Some(text.into()),
            SqlToken::Plain(word) => Some(plain(word)),
            SqlToken::Sign(_) => None,
        }
    }

    fn next(&mut self) -> Option<SqlToken<'a>> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.is_one_of(&[word]);
        if takes {
            self.next();
        }
        takes
    }

    fn is_one_of(&self, known: &[&str]) -> bool {
        match self.0.first() {
            Some(SqlToken::Plain(word) | SqlToken::Sign(word)) => {
                known.iter().any(|known| word.eq_ignore_ascii_case(known))
            }
            _ => false,
        }
    }
}

fn plain(word: &str) -> Value {
    serde_json::from_str(word).unwrap_or_else(|_| word.into())
}
