//! What every sector's part is made of: a template that is read, and the records that it becomes.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The records of one table, as a device would push them.
#[derive(Clone, Debug)]
pub struct TableRecords {
    /// The qualified table.
    pub target: &'static str,
    pub records: Vec<Value>,
}

impl TableRecords {
    /// The label of its connection.
    pub fn label(&self) -> String {
        let (sector, table) = self.target.split_once('.').unwrap_or((self.target, ""));
        let mut letters = sector.chars();
        let capital = letters.next().map(|first| first.to_ascii_uppercase());
        let sector: String = capital.into_iter().chain(letters).collect();
        format!("Sample · {sector}: {table}")
    }
}

/// A template is invalid. A test checks that none is.
#[derive(Debug)]
pub struct SampleError(String);

impl SampleError {
    pub(super) fn of(place: &str, cause: impl fmt::Display) -> Self {
        Self(format!("the sample's {place} cannot be used: {cause}"))
    }
}

impl fmt::Display for SampleError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SampleError {}

/// Reads the template `name` from its text.
pub(super) fn parse_template<T: DeserializeOwned>(
    name: &str,
    text: &str,
) -> Result<T, SampleError> {
    toml::from_str(text).map_err(|fault| SampleError::of(name, fault))
}
