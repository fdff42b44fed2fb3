//! Tests of checked queries, and what they share.

mod filters;
mod hostile;
mod limits;
mod orders;
mod repairs;
mod statements;

use serde_json::Value;
use sextant_actors::domain::OPERATOR;

use super::{RowQuery, check_rows};
use crate::query::compile;
use crate::query::fault::CallFault;
use crate::query::request::Request;
use crate::query::time::LocalTime;

fn time() -> LocalTime {
    LocalTime {
        now: "2026-03-17T23:30:00Z".parse().unwrap(),
        zone: chrono_tz::Europe::Berlin,
    }
}

fn checked(arguments: &Value) -> Result<RowQuery, CallFault> {
    check_rows(&Request::parse(arguments)?, OPERATOR, &time())
}

fn said(arguments: Value) -> String {
    checked(&arguments).unwrap_err().say(&arguments)
}

fn sql(arguments: Value) -> String {
    compile::rows(&checked(&arguments).unwrap(), 100).sql
}
