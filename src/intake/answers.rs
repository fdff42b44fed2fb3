//! What a person says of their files: of all of them, and of some by name. Pure.

use std::collections::BTreeMap;

use sextant_formats::Options;

/// The longest name of an account, in characters.
const ACCOUNT_CHARACTERS_MAX: usize = 100;

/// The name of an account, without space around it.
///
/// # Errors
/// When it has no character, too many, or a control character.
pub(crate) fn account_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_one = !name.is_empty()
        && name.chars().count() <= ACCOUNT_CHARACTERS_MAX
        && !name.contains(char::is_control);
    match is_one {
        true => Ok(name.to_owned()),
        false => Err(format!(
            "the name of an account has 1 to {ACCOUNT_CHARACTERS_MAX} characters"
        )),
    }
}

/// Three capital letters (ISO 4217); whether they are a currency, the service knows when it stores.
///
/// # Errors
/// When they are something else.
pub(crate) fn currency_code(text: &str) -> Result<String, String> {
    match text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        true => Ok(text.to_owned()),
        false => Err("a currency is three capital letters, such as EUR".to_owned()),
    }
}

/// The answers to what files leave open.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answers {
    /// Of every file that is not named.
    all: Options,
    by_name: BTreeMap<String, Options>,
}

impl Answers {
    /// The same for every file.
    pub(crate) fn of_all(all: Options) -> Self {
        let by_name = BTreeMap::new();
        Self { all, by_name }
    }

    /// Different ones for some files, by the names under which they are told; nothing is said of others.
    pub(crate) fn by_name(by_name: BTreeMap<String, Options>) -> Self {
        let all = Options::default();
        Self { all, by_name }
    }

    /// Those for a file.
    pub(crate) fn of(&self, name: &str) -> &Options {
        self.by_name.get(name).unwrap_or(&self.all)
    }
}
