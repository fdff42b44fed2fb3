//! One entry of `aggregate`: a name, and the function that is computed for each group.

mod faults;
mod function;

use serde_json::{Map, Value};

use self::function::COUNT;
use super::GroupKey;
use crate::catalog::{Kind, Table};
use crate::query::column::Column;
use crate::query::fault::{CallFault, quoted};

pub use function::Function;

/// The most entries of `aggregate`.
const MEASURES_MAX: usize = 20;
/// The most characters of a name.
const NAME_CHARS_MAX: usize = 60;
/// One computed column.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    pub name: String,
    pub function: Function,
    /// `None` counts rows.
    pub column: Option<Column>,
}

impl Measure {
    /// Whether it combines values, which must then have one unit.
    pub(super) fn mixes_values(&self) -> bool {
        !matches!(self.function, Function::Count | Function::CountDistinct)
    }

    /// The kind of its values.
    pub fn kind(&self) -> Kind {
        let of = self.column.map_or(Kind::BigInteger, |column| column.kind);
        match self.function {
            Function::Count | Function::CountDistinct => Kind::BigInteger,
            Function::Least | Function::Greatest => of,
            Function::Sum | Function::Average | Function::Median => match of {
                Kind::Float => Kind::Float,
                Kind::Decimal { scale } => Kind::Decimal { scale },
                _ => Kind::Decimal { scale: 0 },
            },
        }
    }

    /// Whether it shows text that people other than the user wrote.
    pub fn is_untrusted(&self) -> bool {
        let shows_values = matches!(self.function, Function::Least | Function::Greatest);
        shows_values && self.column.is_some_and(|column| column.untrusted)
    }
}

/// Checks `aggregate`; without one the rows are counted.
pub(super) fn check(
    table: &'static Table,
    aggregate: Option<&Map<String, Value>>,
    keys: &[GroupKey],
) -> Result<Vec<Measure>, CallFault> {
    let Some(aggregate) = aggregate else {
        return Ok(vec![Measure {
            name: COUNT.to_owned(),
            function: Function::Count,
            column: None,
        }]);
    };
    if aggregate.len() > MEASURES_MAX {
        let first: Map<String, Value> = aggregate
            .iter()
            .take(MEASURES_MAX)
            .map(|(name, expression)| (name.clone(), expression.clone()))
            .collect();
        let text = format!("`aggregate` has at most {MEASURES_MAX} entries");
        return Err(CallFault::new(text).set("aggregate", first));
    }
    let measures = aggregate.iter().map(|(name, expression)| {
        check_name(name, keys)?;
        let (function, column) =
            read(table, expression).map_err(|fault| faults::reshaped(fault, table, aggregate))?;
        Ok(Measure {
            name: name.clone(),
            function,
            column,
        })
    });
    measures.collect()
}

fn check_name(name: &str, keys: &[GroupKey]) -> Result<(), CallFault> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || name.len() > NAME_CHARS_MAX || !name.chars().all(is_letter) {
        let text = format!(
            "{} is no name for an aggregate: letters, digits and _, at most {NAME_CHARS_MAX}",
            quoted(name)
        );
        return Err(CallFault::new(text)
            .replace_word("aggregate", name, &plain(name))
            .replace_word("aggregate", name, "result"));
    }
    if keys.iter().any(|key| key.name == name) {
        let text = format!("`{name}` is a key of the groups already: call the aggregate otherwise");
        return Err(CallFault::new(text).replace_word("aggregate", name, &format!("{name}_value")));
    }
    Ok(())
}

/// `name` with `_` for each character that a name cannot have.
fn plain(name: &str) -> String {
    let letters = name.chars().take(NAME_CHARS_MAX);
    let is_letter = |letter: char| letter.is_ascii_alphanumeric();
    let plain: String = letters
        .map(|letter| if is_letter(letter) { letter } else { '_' })
        .collect();
    plain.trim_matches('_').to_owned()
}

/// Reads `function` or `function(field)`.
fn read(
    table: &'static Table,
    expression: &Value,
) -> Result<(Function, Option<Column>), CallFault> {
    let text = expression.as_str().ok_or_else(faults::wrong_shape)?.trim();
    if text == COUNT || text == "count(*)" || text == "count()" {
        return Ok((Function::Count, None));
    }
    let call = text.strip_suffix(')').and_then(|call| call.split_once('('));
    let (word, field) = call.ok_or_else(|| faults::misshapen(table, text))?;
    let field = field.trim();
    let function = function(text, word.trim())?;
    let column = Column::find(table, field)
        .ok_or_else(|| faults::unknown_field(table, text, field, function))?;
    if !function.takes(column.kind) {
        return Err(faults::unfit(table, text, function, &column));
    }
    Ok((function, Some(column)))
}

fn function(entry: &str, word: &str) -> Result<Function, CallFault> {
    let known = Function::ALL.into_iter().find(|known| known.name() == word);
    known.ok_or_else(|| faults::unknown_function(entry, word))
}
