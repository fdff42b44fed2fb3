SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT message.id, message.message_id, message.in_reply_to, message.thread_id, message.subject, message.from_name,
        message.from_email, message.sender, message."to", message.cc, message.bcc, message.reply_to,
        message.sent_at, message.received_at, message.is_read, message.is_flagged, message.is_answered,
        message.is_draft, message.importance, message.categories, message.body_text, message.body_html,
        message.list_id, message.raw, mailbox.path AS mailbox
    FROM mail.messages AS message
    LEFT JOIN mail.mailboxes AS mailbox ON mailbox.id = message.mailbox_id AND mailbox.deleted_at IS NULL
    WHERE message.user_id = $1 AND message.deleted_at IS NULL AND ($2::text IS NULL OR $2 = 'mail')
    ORDER BY message.received_at, message.id
) AS kept
ORDER BY kept.received_at, kept.id
