//! `Bal`: what was there, and what could be spent, at the end of a statement or so far.

use super::money::{CamtMoney, day, direction, instant, money};
use super::node::CamtNode;
use crate::readers::stated_balance::end_of;

/// Which balance of an account it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BalanceKind {
    Booked,
    Available,
}

/// The codes of those that are kept, and whether a statement ends with it; an interim one is true so far.
const KINDS: [(&str, BalanceKind, bool); 4] = [
    ("CLBD", BalanceKind::Booked, true),
    ("ITBD", BalanceKind::Booked, false),
    ("CLAV", BalanceKind::Available, true),
    ("ITAV", BalanceKind::Available, false),
];

/// A balance of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CamtBalance {
    pub kind: BalanceKind,
    pub as_of: String,
    pub money: CamtMoney,
}

/// Reads one; `None` if it is of a kind that is not kept, such as the one that a statement begins with.
///
/// # Errors
/// What cannot be read, as a sentence.
pub(super) fn balance(node: &CamtNode) -> Result<Option<CamtBalance>, String> {
    let code = node.text("Tp/CdOrPrtry/Cd").unwrap_or_default();
    let Some((_, kind, is_closing)) = KINDS.iter().find(|(known, ..)| *known == code) else {
        return Ok(None);
    };
    let dated = node.child("Dt").ok_or("it has no Dt")?;
    let day = day(dated).ok_or("its Dt is no day that exists")?;
    let so_far = || instant(dated).unwrap_or_else(|| format!("{day}T00:00:00"));
    Ok(Some(CamtBalance {
        kind: *kind,
        as_of: if *is_closing { end_of(day) } else { so_far() },
        money: money(node.child("Amt").ok_or("it has no Amt")?, direction(node)?)?,
    }))
}
