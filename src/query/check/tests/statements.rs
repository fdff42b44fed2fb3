//! What every statement has in common.

use serde_json::{Value, json};

use super::{checked, sql};
use crate::catalog;
use crate::query::compile;
use crate::query::param::Param;

#[test]
fn every_statement_of_every_table_is_scoped_to_the_user_and_skips_tombstones() {
    for table in catalog::tables() {
        let sql = sql(json!({"target": table.target()}));
        assert!(
            sql.contains("WHERE t.user_id = $1 AND t.deleted_at IS NULL"),
            "{sql}"
        );
        let from = format!("FROM \"{}\".\"{}\" AS t", table.sector, table.name);
        let generation = "FROM public.generations AS g WHERE g.user_id = $1";
        let scoped = sql.matches(&from).count() + sql.matches(generation).count();
        assert_eq!(sql.matches("FROM").count(), scoped, "{sql}");
    }
}

#[test]
fn texts_are_read_one_character_further_than_they_are_shown() {
    let asked = json!({"target": "mail.messages", "select": ["subject"], "order_by": ["subject"]});
    let params = compile::rows(&checked(&asked).unwrap(), 100).params;
    let cuts = [101, 401].map(Param::Integer);
    assert!(
        params.iter().skip(1).eq(&cuts),
        "so that what is cut is known"
    );
}

#[test]
fn only_a_statement_whose_words_decide_on_its_plan_is_planned_anew() {
    let plan = |more: Value| {
        let mut asked = json!({"target": "mail.messages"});
        asked
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let checked = checked(&asked).unwrap();
        [
            compile::rows(&checked, 100).plan,
            compile::count(&checked).plan,
        ]
    };
    assert_eq!(
        plan(json!({"where": {"is_read": true}})),
        [compile::Plan::Lasting; 2]
    );
    assert_eq!(plan(json!({"search": "x"})), [compile::Plan::Momentary; 2]);
}
