//! By what a mailbox and a mail are known. A UID means something with its mailbox and UIDVALIDITY only (RFC 3501 §2.3.1.1), so
//! that two mails with one Message-ID are two.

use crate::digest_key::within_limit;

/// The key of a mailbox, its scope and the id of its row: its name.
pub(super) fn mailbox_key(name: &str) -> String {
    within_limit(name)
}

/// The key of a mail in its mailbox.
pub(super) fn mail_key(uid_validity: u32, uid: u32) -> String {
    format!("{uid_validity}:{uid}")
}

/// The id of a mail's row, in the manner of a URL of IMAP (RFC 5092).
pub(super) fn mail_source_id(mailbox: &str, uid_validity: u32, uid: u32) -> String {
    within_limit(format!("{mailbox};UIDVALIDITY={uid_validity}/;UID={uid}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::KEY_BYTES_MAX;

    #[test]
    fn a_mail_is_known_by_its_mailbox() {
        assert_eq!(mail_source_id("INBOX", 7, 9), "INBOX;UIDVALIDITY=7/;UID=9");
        let long = "a".repeat(KEY_BYTES_MAX);
        assert_eq!(mailbox_key(&long), long);
        let (one, other) = (mail_source_id(&long, 7, 9), mail_source_id(&long, 7, 8));
        assert!(one.starts_with("sha256:") && one.len() == 71 && one != other);
    }
}
