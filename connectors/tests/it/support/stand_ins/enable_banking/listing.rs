//! A list of an account's payments, in pages.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::answers::{query, refusal};
use super::{Aggregator, BankedPayment, wire};

impl Aggregator {
    pub(super) fn transactions(&self, hash: &str, request: &str) -> Vec<u8> {
        let account = &self.accounts[hash];
        let next = query(request, "continuation_key");
        let is_pending = query(request, "transaction_status").is_some_and(|own| own == "PDNG");
        if is_pending && self.fails_pending {
            return refusal(400, "ASPSP_ERROR", &Value::Null);
        }
        if next.is_none() && !is_pending && self.reads(hash) >= self.reads_a_day {
            return refusal(429, "ASPSP_RATE_LIMIT_EXCEEDED", &Value::Null);
        }
        let from = query(request, "date_from").map(|day| day.parse::<NaiveDate>().unwrap());
        let is_longest = query(request, "strategy").is_some_and(|own| own == "longest");
        let earliest = self.now.date_naive() - account.keeps;
        if !is_longest && from.is_some_and(|from| from < earliest) {
            let detail = json!({"date_from": earliest.to_string()});
            let detail = if self.names_day { detail } else { Value::Null };
            return refusal(422, "WRONG_TRANSACTIONS_PERIOD", &detail);
        }
        let start = if is_longest {
            from
        } else {
            from.or(Some(earliest))
        };
        let is_told = |own: &&BankedPayment| {
            (self.mixes_statuses || own.is_pending() == is_pending)
                && start.is_none_or(|start| own.day() >= start)
        };
        let mut told: Vec<_> = account.payments.iter().filter(is_told).collect();
        told.sort_by_key(|own| std::cmp::Reverse(own.day()));
        let told = told.into_iter().map(|own| own.sent(account.currency));
        wire::json(
            200,
            "",
            &self.page(&told.collect::<Vec<_>>(), next.as_deref()),
        )
    }

    /// The keys count payments; that of a page without any begins otherwise.
    fn page(&self, told: &[Value], next: Option<&str>) -> Value {
        let begins_empty = next.is_none_or(|key| key.starts_with("empty-"));
        let at = next
            .and_then(|key| key.rsplit('-').next()?.parse().ok())
            .unwrap_or(0);
        if self.has_empty_pages && begins_empty {
            return json!({"transactions": [], "continuation_key": format!("page-{at}")});
        }
        let end = told.len().min(at + self.page_size);
        let mut page = json!({"transactions": told[at..end]});
        if end < told.len() {
            let kind = if self.has_empty_pages {
                "empty"
            } else {
                "page"
            };
            page["continuation_key"] = format!("{kind}-{end}").into();
        }
        page
    }
}
