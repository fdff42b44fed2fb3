//! What a message's file or folder says of it.

use chrono::{DateTime, FixedOffset};

use super::mailbox::MessageMailbox;
use super::marks::Marks;

/// What is known of a message besides itself: from the file or folder that it stands in.
#[derive(Debug, Default, Clone)]
pub(super) struct MessageOrigin {
    /// When it was put into its mailbox.
    pub(super) stored_at: Option<DateTime<FixedOffset>>,
    /// What put it there then was its delivery, and no program that copied it.
    pub(super) is_delivery: bool,
    pub(super) mailbox: Option<MessageMailbox>,
    pub(super) marks: Marks,
}
