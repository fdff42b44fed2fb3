//! An access: where to ask, and with which name and password.

use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::failure::{FailureKind, SourceFailure};

/// What is kept of a claimed token. The name and the password are taken out of the address at once, so that no error can show them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SealedAccess", into = "SealedAccess")]
pub(crate) struct SimpleFinAccess {
    base: Url,
    pub(super) user: String,
    pub(super) password: String,
}

impl SimpleFinAccess {
    /// Reads an access URL, such as `https://user:password@bridge.simplefin.org/simplefin`.
    ///
    /// # Errors
    /// [`FailureKind::Malformed`], without what was read.
    pub(super) fn parse(text: &str) -> Result<Self, SourceFailure> {
        let malformed = || {
            let message = "the server gave no access URL for the token";
            SourceFailure::new(FailureKind::Malformed, message)
        };
        let mut base = Url::parse(text.trim()).map_err(|_| malformed())?;
        let user = unescaped(base.username());
        let password = unescaped(base.password().unwrap_or_default());
        let is_stripped = base.set_username("").is_ok() && base.set_password(None).is_ok();
        if user.is_empty() || password.is_empty() || !is_stripped || base.cannot_be_a_base() {
            return Err(malformed());
        }
        base.set_query(None);
        base.set_fragment(None);
        Ok(Self {
            base,
            user,
            password,
        })
    }

    /// Where it leads, without name and password.
    pub(super) const fn base(&self) -> &Url {
        &self.base
    }

    /// The host of that.
    pub(crate) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// What tells it from every other, and from which nothing can be had.
    pub(crate) fn identity(&self) -> String {
        crate::digest_key::digest(format!("{} {}", self.base, self.user))
    }

    /// Where accounts are asked for.
    pub(super) fn accounts(&self) -> Url {
        let mut address = self.base.clone();
        if let Ok(mut path) = address.path_segments_mut() {
            path.pop_if_empty().push("accounts");
        }
        address
    }
}

/// As it is sealed.
#[derive(Serialize, Deserialize)]
struct SealedAccess {
    base: String,
    user: String,
    password: String,
}

impl TryFrom<SealedAccess> for SimpleFinAccess {
    type Error = &'static str;

    fn try_from(sealed: SealedAccess) -> Result<Self, &'static str> {
        let base = Url::parse(&sealed.base).map_err(|_| "an address that is none")?;
        Ok(Self {
            base,
            user: sealed.user,
            password: sealed.password,
        })
    }
}

impl From<SimpleFinAccess> for SealedAccess {
    fn from(access: SimpleFinAccess) -> Self {
        Self {
            base: access.base.into(),
            user: access.user,
            password: access.password,
        }
    }
}

fn unescaped(part: &str) -> String {
    let escaped = part.replace('+', "%2B");
    let query = format!("s={escaped}");
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs
        .next()
        .map(|(_, text)| text.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        let access =
            SimpleFinAccess::parse("https://de%40mo:p%3Aw+d@bridge.simplefin.org/simplefin\n");
        let access = access.unwrap();
        assert_eq!((&*access.user, &*access.password), ("de@mo", "p:w+d"));
        assert_eq!(
            access.base().as_str(),
            "https://bridge.simplefin.org/simplefin"
        );
        assert_eq!(
            access.accounts().as_str(),
            "https://bridge.simplefin.org/simplefin/accounts"
        );
        let slashed = SimpleFinAccess::parse("https://a:b@x.test/simplefin/").unwrap();
        assert_eq!(
            slashed.accounts().as_str(),
            "https://x.test/simplefin/accounts"
        );
        assert!(!access.identity().contains("mo"));
    }

    #[test]
    fn what_is_no_access_is_refused_and_not_repeated() {
        for text in [
            "",
            "word",
            "https://bridge.simplefin.org/",
            "https://word@x.test/",
            "mailto:word@x.test",
        ] {
            let refused = SimpleFinAccess::parse(text).map(drop).unwrap_err();
            assert_eq!(refused.kind, FailureKind::Malformed);
            assert!(!refused.message.contains("word@") && !refused.message.contains("x.test"));
        }
    }
}
