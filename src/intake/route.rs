//! One connection that takes pushes, and the form of its id. Pure.

/// A connection as a push sees it.
#[derive(Debug)]
pub(crate) struct Route {
    pub id: String,
    /// `sector.table`; `None` takes everything.
    pub table: Option<String>,
    /// Why it takes nothing now.
    pub closed: Option<String>,
}

/// Checks an id: it becomes a part of a URL's path, so only letters, digits, `-` and `_` are allowed.
pub(crate) fn connection_id(text: &str) -> Result<String, String> {
    let is_id = !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    match is_id {
        true => Ok(text.to_owned()),
        false => Err("a connection id has letters, digits and hyphens only".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_change_the_path_is_no_id() {
        assert!(connection_id("5b1e-0A_").is_ok());
        for text in ["", "a/b", "a?b", "..", "a b"] {
            assert!(connection_id(text).is_err(), "{text}");
        }
    }
}
