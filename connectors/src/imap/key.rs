//! By what a mailbox and a mail are known. A UID means something with its mailbox and UIDVALIDITY only (RFC 3501 §2.3.1.1), so
//! that two mails with one Message-ID are two.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::round::KEY_BYTES_MAX;

/// The key of a mailbox, its scope and the id of its row: its name.
pub(super) fn mailbox_key(name: &str) -> String {
    within_limit(name.to_owned())
}

/// The key of a mail in its mailbox.
pub(super) fn mail_key(uid_validity: u32, uid: u32) -> String {
    format!("{uid_validity}:{uid}")
}

/// The id of a mail's row, in the manner of a URL of IMAP (RFC 5092).
pub(super) fn mail_source_id(mailbox: &str, uid_validity: u32, uid: u32) -> String {
    within_limit(format!("{mailbox};UIDVALIDITY={uid_validity}/;UID={uid}"))
}

fn within_limit(key: String) -> String {
    if key.len() <= KEY_BYTES_MAX {
        return key;
    }
    let mut digest = "sha256:".to_owned();
    for byte in Sha256::digest(&key) {
        // Writing to a text does not fail.
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_key_is_a_digest() {
        assert_eq!(mail_source_id("INBOX", 7, 9), "INBOX;UIDVALIDITY=7/;UID=9");
        let long = "a".repeat(KEY_BYTES_MAX);
        assert_eq!(mailbox_key(&long), long);
        let (one, other) = (mail_source_id(&long, 7, 9), mail_source_id(&long, 7, 8));
        assert!(one.starts_with("sha256:") && one.len() == 71 && one != other);
    }
}
