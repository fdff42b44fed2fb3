//! What the name of a message's file says: when it was delivered, and letters for its state.

use std::path::Path;

use chrono::DateTime;

use super::super::mailbox::MessageMailbox;
use super::super::marks::Marks;
use super::super::origin::MessageOrigin;

/// The origin of a message by its file, which lies in `mailbox`.
pub(super) fn origin(file: &Path, mailbox: MessageMailbox) -> MessageOrigin {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_new = file.parent().is_some_and(|folder| folder.ends_with("new"));
    let letters = name.rsplit_once("2,").map_or("", |(_, letters)| letters);
    let mut marks = Marks::from_maildir_letters(letters);
    marks.is_read = marks.is_read.map(|is_read| is_read && !is_new);
    let seconds = name
        .split('.')
        .next()
        .and_then(|seconds| seconds.parse().ok());
    MessageOrigin {
        stored_at: seconds
            .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
            .map(|instant| instant.fixed_offset()),
        is_delivery: true,
        mailbox: Some(mailbox),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_was_done() {
        let inbox = || MessageMailbox::at("INBOX");
        let file = Path::new("/m/cur/1491941793.M41850P85.mx1,S=10956:2,FS");
        let known = origin(file, inbox());
        assert_eq!(
            (known.marks.is_read, known.marks.is_flagged),
            (Some(true), Some(true))
        );
        assert_eq!(known.stored_at.unwrap().timestamp(), 1_491_941_793);
        let new = origin(Path::new("/m/new/x"), inbox());
        assert_eq!((new.marks.is_read, new.stored_at), (Some(false), None));
    }
}
