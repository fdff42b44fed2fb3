//! Pages that go in a circle: a fault of Graph's for some mailboxes, link after link with the same items.

use std::collections::BTreeSet;

use super::delta::{GraphPage, PageEnd};

/// What pages of one chain of links named: the last page, and one before it that is moved on each time the chain has become twice as
/// long. A circle of any length comes by it (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
#[derive(Default)]
pub(super) struct PageTrail {
    pages: usize,
    last: BTreeSet<String>,
    mark: BTreeSet<String>,
}

impl PageTrail {
    /// Whether a page that is not the last of its chain was told before, as far as this remembers.
    pub(super) fn knows(&self, page: &GraphPage) -> bool {
        let ids = page.ids();
        let goes_on = matches!(page.end, PageEnd::More(_));
        goes_on && !ids.is_empty() && (ids == self.last || ids == self.mark)
    }

    /// A page was told.
    pub(super) fn note(&mut self, page: &GraphPage) {
        self.pages += 1;
        self.last = page.ids();
        if self.pages.is_power_of_two() {
            self.mark.clone_from(&self.last);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn page(number: usize, end: &str) -> GraphPage {
        let answer = json!({"value": [{"id": number.to_string()}], end: "l"});
        GraphPage::of_answer(answer.as_object().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_circle_of_any_length_is_noticed_wherever_it_begins() {
        for before in 0..20 {
            for length in 1..20 {
                let mut trail = PageTrail::default();
                let numbers = (0..).map(|at| match at < before {
                    true => at,
                    false => before + (at - before) % length,
                });
                let mut pages = numbers.map(|number| page(number, "@odata.nextLink"));
                let told = pages.position(|page| {
                    let is_known = trail.knows(&page);
                    trail.note(&page);
                    is_known
                });
                assert!(told.unwrap() <= 4 * (before + length), "{before} {length}");
            }
        }
    }

    #[test]
    fn what_ends_or_has_nothing_in_it_is_no_circle() {
        let mut trail = PageTrail::default();
        trail.note(&page(1, "@odata.nextLink"));
        assert!(trail.knows(&page(1, "@odata.nextLink")));
        assert!(!trail.knows(&page(1, "@odata.deltaLink")));
        assert!(!trail.knows(&page(2, "@odata.nextLink")));
        let empty = json!({"value": [], "@odata.nextLink": "l"});
        let empty = GraphPage::of_answer(empty.as_object().unwrap().clone()).unwrap();
        trail.note(&empty);
        assert!(!trail.knows(&empty));
    }
}
