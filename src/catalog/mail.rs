//! Mail: messages, the mailboxes that contain them, their attachments, and the threads they form.
//!
//! The `raw` of a message is the message as it was received, up to 1 MiB of it: `{"message": "…"}` where its bytes are UTF-8,
//! else `{"message_base64": "…"}`, with `"truncated": true` if it was longer. An agent gets it only from `get_record`, and only
//! when it asks for it.

use sextant_actors::domain::Sector;

use super::{Field, Grouped, Namesakes, Origin, Part, Table, Weight};

pub(super) const TABLES: &[Table] = &[MESSAGES, MAILBOXES, ATTACHMENTS, THREADS];

const MESSAGES: Table = Table::new(
    Sector::Mail,
    "messages",
    Origin::Pushed,
    "Mail messages. Subjects and bodies are what other people wrote.",
    &[
        Field::reference(
            "mailbox_id",
            "mailboxes",
            Some("mailbox"),
            "The mailbox it lies in.",
        ),
        Field::text("message_id", "The Message-ID of RFC 5322."),
        Field::text_list("in_reply_to", "The Message-IDs it answers."),
        Field::text("thread_id", "What all messages of a conversation share.")
            .meets("threads.thread_id"),
        Field::text("subject", "The subject.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("from_name", "The sender's name.")
            .searchable(Weight::B)
            .untrusted(),
        Field::text("from_email", "The sender's address.")
            .searchable(Weight::B)
            .untrusted(),
        Field::json("sender", "Who sent it for the author: {name, email}.").untrusted(),
        Field::json("to", "Recipients: [{name, email}].")
            .untrusted()
            .formerly("to_"),
        Field::json("cc", "Copies: [{name, email}].")
            .untrusted()
            .formerly("cc_"),
        Field::json("bcc", "Hidden copies: [{name, email}].")
            .untrusted()
            .formerly("bcc_"),
        Field::json("reply_to", "Where answers go: [{name, email}].").untrusted(),
        Field::timestamp("sent_at", "When the sender says it was sent."),
        Field::timestamp("received_at", "When it arrived."),
        Field::boolean("is_read", "It has been read."),
        Field::boolean("is_flagged", "It is flagged."),
        Field::boolean("is_answered", "It has been answered."),
        Field::boolean("is_draft", "It is a draft."),
        Field::text("importance", "As the sender set it.").one_of(&["low", "normal", "high"]),
        Field::text_list("categories", "Labels."),
        Field::big_integer("size", "The whole message's size.").unit("bytes"),
        Field::boolean("has_attachment", "Something is attached."),
        Field::text("preview", "The first 256 characters.").untrusted(),
        Field::text("body_text", "The text.")
            .searchable(Weight::C)
            .untrusted()
            .long(),
        Field::text("body_html", "What is seen of the HTML, when kept.")
            .untrusted()
            .html()
            .long(),
        Field::boolean("body_truncated", "The body was cut when it was stored."),
        Field::text("list_id", "The mailing list."),
        Field::json("headers", "A few further headers.").untrusted(),
    ],
)
.default_order(&["-received_at"])
.natural("message_id")
.namesakes(&Namesakes {
    distinguished_by: &[
        "subject",
        "from_name",
        "from_email",
        "sender",
        "to",
        "cc",
        "bcc",
        "sent_at",
    ],
    unless: "is_draft",
})
.one_of(&[&["subject", "body_text", "from_email", "message_id"]])
.parts(&[Part {
    name: "attachments",
    table: "attachments",
    link: "message_id",
}]);

const MAILBOXES: Table = Table::new(
    Sector::Mail,
    "mailboxes",
    Origin::Brought,
    "Mailboxes (folders).",
    &[
        Field::text("name", "Its name.")
            .required()
            .searchable(Weight::A)
            .untrusted(),
        Field::text("path", "Where it stands among the others."),
        Field::text("role", "What it is for.").one_of(&[
            "inbox",
            "sent",
            "drafts",
            "trash",
            "junk",
            "archive",
            "important",
        ]),
        Field::reference("parent_id", "mailboxes", None, "The mailbox it lies in."),
        Field::integer("total", "Messages in it."),
        Field::integer("unread", "Unread messages in it."),
        Field::big_integer("uid_validity", "IMAP UIDVALIDITY."),
        Field::big_integer("uid_next", "IMAP UIDNEXT."),
        Field::big_integer("highest_modseq", "IMAP HIGHESTMODSEQ."),
    ],
);

const ATTACHMENTS: Table = Table::new(
    Sector::Mail,
    "attachments",
    Origin::Brought,
    "What is attached to messages: names and sizes, not contents.",
    &[
        Field::reference("message_id", "messages", None, "The message."),
        Field::text("part_id", "The MIME part."),
        Field::text("filename", "The file's name.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("content_type", "Its media type."),
        Field::big_integer("size", "Its size.").unit("bytes"),
        Field::text("content_id", "The Content-ID, for inline images."),
        Field::boolean("is_inline", "It is shown inside the text."),
    ],
);

const THREADS: Table = Table::new(
    Sector::Mail,
    "threads",
    Origin::View,
    "Conversations: messages that share a thread_id.",
    &[
        Field::text("thread_id", "What its messages share.").meets("messages.thread_id"),
        Field::text("subject", "The latest message's subject.").untrusted(),
        Field::timestamp("first_at", "When it began."),
        Field::timestamp("last_at", "When the latest message came."),
        Field::big_integer("count", "How many messages."),
        Field::big_integer("unread", "How many of them are unread."),
        Field::text_list("participants", "The addresses it came from.").untrusted(),
    ],
)
.default_order(&["-last_at"])
.groups(&Grouped {
    table: "messages",
    by: "thread_id",
    time: "received_at",
});
