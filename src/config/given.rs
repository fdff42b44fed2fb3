//! The values as they were given, gathered from environment, file and defaults, and read into plain types.
//!
//! Knows the sources and their order; does not know what a setting is for.

use std::ops::RangeInclusive;
use std::str::FromStr;

use toml::{Table, Value};

use super::error::ConfigError;
use super::settings::{Setting, SettingOrigin};
use super::{Environment, file};

/// What file and environment give.
pub(super) struct Given<'a> {
    environment: &'a Environment,
    table: Table,
    file: Option<&'a std::path::Path>,
}

/// One value that was given for a setting.
struct GivenValue {
    value: Value,
    origin: SettingOrigin,
}

impl<'a> Given<'a> {
    /// Reads the file, where one is named.
    pub(super) fn gather(
        file: Option<&'a std::path::Path>,
        environment: &'a Environment,
    ) -> Result<Self, ConfigError> {
        let table = file.map_or_else(|| Ok(Table::new()), file::read)?;
        Ok(Self {
            environment,
            table,
            file,
        })
    }

    /// A text that must be there: given, or by default.
    pub(super) fn required<T>(
        &self,
        setting: &Setting,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        self.optional(setting, expected, read)?
            .ok_or_else(|| invalid(setting, SettingOrigin::Default, expected))
    }

    /// A text that may be absent; an empty one in the file counts as absent, like an empty variable.
    pub(super) fn optional<T>(
        &self,
        setting: &Setting,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(found) = self.find(setting) else {
            return Ok(None);
        };
        let text = match &found.value {
            Value::String(text) if text.trim().is_empty() => return Ok(None),
            Value::String(text) => read(text.trim()),
            _ => None,
        };
        text.map(Some)
            .ok_or_else(|| invalid(setting, found.origin, expected))
    }

    /// A whole number within `range`.
    pub(super) fn number<T>(
        &self,
        setting: &Setting,
        range: RangeInclusive<T>,
    ) -> Result<T, ConfigError>
    where
        T: FromStr + TryFrom<i64> + PartialOrd + std::fmt::Display,
    {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(
            setting,
            &expected,
            |value| match value {
                Value::Integer(number) => T::try_from(*number).ok(),
                Value::String(text) => text.trim().parse().ok(),
                _ => None,
            },
            |number| range.contains(number),
        )
    }

    /// Yes or no.
    pub(super) fn flag(&self, setting: &Setting) -> Result<bool, ConfigError> {
        self.read(
            setting,
            "true or false",
            |value| match value {
                Value::Boolean(flag) => Some(*flag),
                Value::String(text) => text.trim().to_lowercase().parse().ok(),
                _ => None,
            },
            |_| true,
        )
    }

    /// A list: an array of texts in the file, separated by commas in the environment.
    pub(super) fn list<T>(
        &self,
        setting: &Setting,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, ConfigError> {
        self.read(
            setting,
            expected,
            |value| texts(value)?.into_iter().map(&read).collect(),
            |_| true,
        )
    }

    /// A table of the file, and the file.
    pub(super) fn table(&self, key: &str) -> Option<(&Value, &'a std::path::Path)> {
        Some((self.table.get(key)?, self.file?))
    }

    fn read<T>(
        &self,
        setting: &Setting,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
        fits: impl Fn(&T) -> bool,
    ) -> Result<T, ConfigError> {
        let Some(found) = self.find(setting) else {
            return Err(invalid(setting, SettingOrigin::Default, expected));
        };
        read(&found.value)
            .filter(fits)
            .ok_or_else(|| invalid(setting, found.origin, expected))
    }

    fn find(&self, setting: &Setting) -> Option<GivenValue> {
        self.in_environment(setting)
            .or_else(|| self.in_file(setting))
            .or_else(|| by_default(setting))
    }

    fn in_environment(&self, setting: &Setting) -> Option<GivenValue> {
        let text = self.environment.get(setting.variable)?;
        Some(GivenValue {
            value: Value::String(text.into()),
            origin: self.environment.origin(setting.variable),
        })
    }

    fn in_file(&self, setting: &Setting) -> Option<GivenValue> {
        let value = self.table.get(setting.key)?.clone();
        Some(GivenValue {
            value,
            origin: SettingOrigin::File(self.file?.into()),
        })
    }
}

fn by_default(setting: &Setting) -> Option<GivenValue> {
    let value = setting.default_value()?;
    Some(GivenValue {
        value,
        origin: SettingOrigin::Default,
    })
}

fn invalid(setting: &Setting, origin: SettingOrigin, expected: &str) -> ConfigError {
    ConfigError::Invalid {
        key: setting.key,
        origin,
        expected: expected.into(),
    }
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::Array(entries) => entries.iter().map(Value::as_str).collect(),
        Value::String(text) => Some(
            text.split(',')
                .map(str::trim)
                .filter(|entry| !entry.is_empty())
                .collect(),
        ),
        _ => None,
    }
}
