//! One page of a source, stored with its position in one transaction.
//!
//! ```text
//! store.rs        the transaction                     stored_page.rs what became of a page
//! target.rs       where pages of a connection go      plan.rs        what a page changes (pure)
//! stored_item.rs  what is stored of an item           fence.rs       whether the page may be committed at all
//! apply.rs        the plan's statements               pass.rs        what a pass over everything has not named
//! position.rs     where a scope stands
//! ```
//!
//! What the source says now wins, whatever its stamps. A page is committed only onto the position that it began from, in a run that
//! is not over, of a connection that is neither paused nor removed and whose credential stands.

mod apply;
mod fence;
mod pass;
mod plan;
mod position;
mod store;
mod stored_item;
mod stored_page;
mod target;

pub(super) use self::apply::remove_items;
pub(crate) use self::fence::PageRefusal;
pub(crate) use self::store::store_page;
pub(crate) use self::stored_page::StoredPage;
pub(crate) use self::target::PageTarget;
