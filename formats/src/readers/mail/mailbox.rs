//! The mailbox a message lies in: its path, its name, and what it is for.

use std::path::Path;

use serde_json::Value;

use crate::entry::RecordFields;

/// Names by which programs call the mailboxes that have a purpose, in small letters.
const ROLES: [(&str, &[&str]); 7] = [
    (
        "inbox",
        &[
            "inbox",
            "posteingang",
            "boîte de réception",
            "recibidos",
            "bandeja de entrada",
            "posta in arrivo",
            "postvak in",
            "caixa de entrada",
        ],
    ),
    (
        "sent",
        &[
            "sent",
            "sent items",
            "sent messages",
            "sent mail",
            "sent-mail",
            "outbox sent",
            "gesendet",
            "gesendete objekte",
            "gesendete elemente",
            "messages envoyés",
            "envoyés",
            "éléments envoyés",
            "enviado",
            "enviados",
            "posta inviata",
            "inviati",
            "verzonden",
            "enviadas",
        ],
    ),
    (
        "drafts",
        &[
            "drafts",
            "draft",
            "entwürfe",
            "brouillons",
            "borradores",
            "bozze",
            "concepten",
            "rascunhos",
        ],
    ),
    (
        "trash",
        &[
            "trash",
            "deleted items",
            "deleted messages",
            "bin",
            "papierkorb",
            "gelöschte objekte",
            "gelöschte elemente",
            "corbeille",
            "éléments supprimés",
            "papelera",
            "cestino",
            "prullenbak",
            "lixeira",
        ],
    ),
    (
        "junk",
        &[
            "junk",
            "junk e-mail",
            "junk email",
            "spam",
            "bulk mail",
            "junk-e-mail",
            "werbung",
            "courrier indésirable",
            "indésirables",
            "correo no deseado",
            "posta indesiderata",
            "ongewenste e-mail",
        ],
    ),
    (
        "archive",
        &[
            "archive",
            "archives",
            "archived",
            "all mail",
            "archiv",
            "archiviert",
            "alle nachrichten",
            "archivé",
            "tous les messages",
            "archivado",
            "todos",
            "archivio",
            "archiviati",
            "archief",
        ],
    ),
    (
        "important",
        &[
            "important",
            "wichtig",
            "importante",
            "importanti",
            "belangrijk",
        ],
    ),
];

/// A mailbox: its path, its name and its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MessageMailbox {
    /// Where it stands among the others, with `/` between the names: also its id.
    pub path: String,
    name: String,
    role: Option<&'static str>,
}

impl MessageMailbox {
    /// The mailbox of this path.
    pub(super) fn at(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        Self {
            role: role_of(name),
            name: name.to_owned(),
            path: path.to_owned(),
        }
    }

    /// The mailbox that a file of messages is: called as the file, below the folders that mail programs keep
    /// their mailboxes in.
    pub(super) fn from_file(path: &Path) -> Option<Self> {
        let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
        let mut names = vec![stem(path)?];
        let mut folder = path.parent();
        // Apple Mail exports `Name.mbox/mbox`.
        if names == ["mbox"] {
            let outer = folder.filter(|folder| has_extension(folder, "mbox"))?;
            names = vec![stem(outer)?];
            folder = outer.parent();
        }
        // Thunderbird keeps what lies in `Name` in `Name.sbd`.
        while let Some(outer) = folder.filter(|folder| has_extension(folder, "sbd")) {
            names.push(stem(outer)?);
            folder = outer.parent();
        }
        names.reverse();
        Some(Self::at(&names.join("/")))
    }

    /// Whether it has this role.
    pub(super) fn is_for(&self, role: &str) -> bool {
        self.role == Some(role)
    }

    /// A record of `mail.mailboxes`, to be nested in a message.
    pub(super) fn fields(&self) -> Value {
        let mut fields = RecordFields::new();
        for (name, text) in [
            ("id", &self.path),
            ("name", &self.name),
            ("path", &self.path),
        ] {
            fields.insert(name.to_owned(), Value::from(text.as_str()));
        }
        if let Some((parent, _)) = self.path.rsplit_once('/') {
            fields.insert("parent_id".to_owned(), Value::from(parent));
        }
        if let Some(role) = self.role {
            fields.insert("role".to_owned(), Value::from(role));
        }
        Value::Object(fields)
    }
}

/// What a mailbox of this name is for.
pub(super) fn role_of(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let known = ROLES
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()));
    known.map(|(role, _)| *role)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|known| known.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_is_a_mailbox_by_its_place() {
        let table = [
            ("/home/ann/Mail/Inbox", "Inbox", Some("inbox")),
            (
                "mail/Archives.sbd/2024.sbd/March",
                "Archives/2024/March",
                None,
            ),
            ("export/Gesendet.mbox/mbox", "Gesendet", Some("sent")),
            (
                "takeout/All mail Including Spam and Trash.mbox",
                "All mail Including Spam and Trash",
                None,
            ),
        ];
        for (file, path, role) in table {
            let mailbox = MessageMailbox::from_file(Path::new(file)).unwrap();
            assert_eq!(
                (mailbox.path.as_str(), mailbox.role),
                (path, role),
                "{file}"
            );
        }
        let fields = MessageMailbox::at("a/Sent").fields();
        assert_eq!(
            fields,
            json!({"id": "a/Sent", "name": "Sent", "path": "a/Sent", "parent_id": "a", "role": "sent"})
        );
    }
}
