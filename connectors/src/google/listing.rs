//! Answers that come in pages: the last bears a token by which to ask for what changes.

use serde_json::Value;

use super::client::malformed;
use crate::digest_key::digest;
use crate::failure::SourceFailure;
use crate::limits::GOOGLE_LIST_PAGES_MAX;

/// One page of a list.
pub(super) struct GooglePage {
    pub(super) items: Vec<Value>,
    pub(super) next: NextPage,
}

/// What follows a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NextPage {
    /// Another, by this token.
    Page(String),
    /// None; changes are asked for by this token, where the list gives one.
    End(Option<String>),
}

/// Pages of one list, of which there is an end.
#[derive(Default)]
pub(super) struct ListPages {
    count: usize,
    /// A digest of the last page that had something in it, and the token that followed.
    last: Option<String>,
    token: Option<String>,
}

/// Whether a list without anything in it leaves out the field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EmptyList {
    LeftOut,
    Written,
}

impl ListPages {
    /// The token of the page that is to be asked for; none for the first.
    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Reads the answer to the question for a page.
    ///
    /// # Errors
    /// If the answer is no list, or the list goes round in circles or on for ever.
    pub(super) fn read(
        &mut self,
        mut answer: Value,
        field: &str,
        empty: EmptyList,
    ) -> Result<GooglePage, SourceFailure> {
        self.count += 1;
        if self.count > GOOGLE_LIST_PAGES_MAX {
            let message = format!("the source's list has more than {GOOGLE_LIST_PAGES_MAX} pages");
            return Err(malformed(message));
        }
        let items = match answer.get_mut(field).map(Value::take) {
            Some(Value::Array(items)) => items,
            None if empty == EmptyList::LeftOut => Vec::new(),
            _ => return Err(malformed("the source answered something that is no list")),
        };
        let text = |name: &str| {
            let text = answer.get(name).and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let next = match (text("nextPageToken"), text("nextSyncToken")) {
            (Some(token), _) => NextPage::Page(token),
            (None, token) => NextPage::End(token),
        };
        self.go_on(&items, &next)?;
        Ok(GooglePage { items, next })
    }

    /// A source was seen to send one page for ever, each time with another token.
    fn go_on(&mut self, items: &[Value], next: &NextPage) -> Result<(), SourceFailure> {
        let circles = || malformed("the source's list goes round in circles");
        if !items.is_empty() {
            let page = digest(Value::from(items.to_vec()).to_string());
            if self.last.replace(page.clone()) == Some(page) {
                return Err(circles());
            }
        }
        if let NextPage::Page(token) = next
            && self.token.replace(token.clone()).as_ref() == Some(token)
        {
            return Err(circles());
        }
        Ok(())
    }
}

impl NextPage {
    /// The token of a list that has one on its last page: without it the list was cut off.
    pub(super) fn sync_token(token: Option<String>) -> Result<String, SourceFailure> {
        token.ok_or_else(|| malformed("the source ended its list without saying up to where"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(pages: &mut ListPages, answer: Value) -> Result<NextPage, SourceFailure> {
        let page = pages.read(answer, "items", EmptyList::Written);
        page.map(|page| page.next)
    }

    #[test]
    fn a_list_has_an_end() {
        let mut pages = ListPages::default();
        let first = read(&mut pages, json!({"items": [1], "nextPageToken": "a"}));
        assert_eq!(first.unwrap(), NextPage::Page("a".to_owned()));
        assert_eq!(pages.token(), Some("a"));
        // Pages may be empty (Calendar, events.list, maxResults).
        read(&mut pages, json!({"items": [], "nextPageToken": "b"})).unwrap();
        read(&mut pages, json!({"items": [], "nextPageToken": "c"})).unwrap();
        let last = read(&mut pages, json!({"items": [2], "nextSyncToken": "s"}));
        assert_eq!(last.unwrap(), NextPage::End(Some("s".to_owned())));
    }

    #[test]
    fn circles_and_what_is_no_list_are_failures() {
        for second in [
            json!({"items": [1], "nextPageToken": "b"}),
            json!({"items": [2], "nextPageToken": "a"}),
            json!({"items": {}}),
            json!({"nextSyncToken": "s"}),
        ] {
            let mut pages = ListPages::default();
            read(&mut pages, json!({"items": [1], "nextPageToken": "a"})).unwrap();
            assert!(read(&mut pages, second.clone()).is_err(), "{second}");
        }
        let mut pages = ListPages::default();
        let numbers = 0..GOOGLE_LIST_PAGES_MAX;
        for number in numbers {
            let token = number.to_string();
            read(&mut pages, json!({"items": [], "nextPageToken": token})).unwrap();
        }
        assert!(read(&mut pages, json!({"items": [], "nextSyncToken": "s"})).is_err());
    }
}
