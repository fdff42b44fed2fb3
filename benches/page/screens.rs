//! The screens: where each is, which of its elements shows its own data, and what its main control brings.

use super::store::Store;

/// One screen as it is measured.
pub struct Screen {
    pub name: &'static str,
    pub path: String,
    pub rows: Rows,
    pub control: Press,
}

/// When a screen's own data are there; signs are selectors of CSS.
pub enum Rows {
    /// With the screen itself.
    Opened(&'static str),
    /// After a press that follows the control's; `there` is the sign of the screen before it.
    Typed { there: &'static str, press: Press },
}

/// A press of a control.
pub struct Press {
    /// An act that `watch.js` knows, the element it is done to, and what is chosen or typed there.
    pub act: &'static str,
    pub on: &'static str,
    pub value: &'static str,
    /// The sign that it was answered, which is not there before.
    pub then: &'static str,
}

/// A word that every sector has in a text.
const WORD: &str = "garden";

pub fn all(store: &Store) -> Vec<Screen> {
    let mut screens = people(store);
    screens.extend(records(store));
    screens.extend(service());
    screens
}

/// Who reads, who brings, and what was recorded of both.
fn people(store: &Store) -> Vec<Screen> {
    let saved = click("[role=switch]", ".toast-message[data-kind=done]");
    let again = click(
        "dialog .preview .btn",
        "dialog [aria-label='What it would get now']",
    );
    let denied = choose(
        ".activity-filters > :nth-child(4) select",
        "denied",
        "[aria-label='Audit log']:not(:has(.state-allowed)) .state-denied",
    );
    vec![
        opened(
            "Overview",
            "/",
            "main:has(.tile-count):has(.legend li) [aria-label='Last rows of the audit log'] tbody tr",
            click(".page-head .btn", "dialog[open]"),
        ),
        opened(
            "Connections",
            "/connections",
            ".connection-row",
            choose(
                ".filters select",
                "mail",
                "main:not(:has(section[aria-label=finance])) .connection-row",
            ),
        ),
        opened(
            "one connection",
            &store.connection,
            "[aria-label='Last pushes'] tbody tr",
            click("[aria-label='Pages of pushes'] .btn", NEWEST_PUSHES),
        ),
        opened(
            "Agents",
            "/agents",
            ".agent-card .switch",
            click("[role=switch]", ".toast-message[data-kind=done]"),
        ),
        opened(
            "one agent",
            &store.agent,
            "main:has(.switches) [aria-label^='Last calls of'] tbody tr",
            saved,
        ),
        opened(
            "Activity",
            "/activity",
            "[aria-label='Audit log'] tbody tr",
            denied,
        ),
        opened("an audit row", &store.audit_row, "dialog .row-facts", again),
    ]
}

/// The link back that the second page of pushes has.
const NEWEST_PUSHES: &str = "[aria-label='Pages of pushes'] .btn use[href$='#chevron-left']";

/// The Data room.
fn records(store: &Store) -> Vec<Screen> {
    let landing = || click(".data-sector h2 a", ".data-one .data-sector li");
    let mut screens = vec![opened("Data", "/data", ".data-sector li", landing())];
    for (name, path) in [
        ("finance.transactions", "/data/finance/transactions"),
        ("mail.messages", "/data/mail/messages"),
        ("calendar.events", "/data/calendar/events"),
        ("contacts.people", "/data/contacts/people"),
        ("health.samples", "/data/health/samples"),
        ("home.history", "/data/home/history"),
    ] {
        let order = click(
            ".data-rows thead button",
            ".data-rows th[aria-sort=ascending]",
        );
        screens.push(opened(name, path, ROWS, order));
    }
    let sent = click(".data-raw .btn", ".data-raw :is(.data-fields, .note)");
    screens.push(opened("one mail", &store.mail, ".data-field", sent));
    let found = format!("/data/mail/messages?q={WORD}");
    let count_all = click(
        ".data-pager .btn:has([href$='#sigma'])",
        ".data-pager:not(:has([href$='#sigma']))",
    );
    screens.push(opened("mails with a word", &found, ROWS, count_all));
    let view = format!("{}/data", store.agent);
    screens.push(opened("View as agent", &view, ".data-sector li", landing()));
    let view = format!("{view}/mail/messages");
    let as_sent = click(".data-sent .btn", ".data-sent h2");
    screens.push(opened("its mail.messages", &view, ROWS, as_sent));
    screens
}

const ROWS: &str = ".data-rows tbody tr";

/// Settings, and the search that every screen has.
fn service() -> Vec<Screen> {
    let listed = "[aria-labelledby=erase-head] option[value^=connection]";
    let count = click("[aria-labelledby=erase-head] .btn", "dialog[open] tbody tr");
    let parts = "main:has(.row-facts) [aria-label='Parts of the service'] tbody tr";
    let restart = click("[aria-label^='Restart ']", "dialog[open]");
    let search = Screen {
        name: "Ctrl-K",
        path: "/settings/system".to_owned(),
        rows: Rows::Typed {
            there: parts,
            press: Press {
                act: "type",
                on: ".palette input",
                value: WORD,
                then: "#palette-list:has(.sector-finance):has(.sector-mail):has(.sector-calendar)\
                    :has(.sector-contacts):has(.sector-health):has(.sector-home)",
            },
        },
        control: Press {
            act: "control",
            on: "body",
            value: "k",
            then: "dialog[open] .palette input",
        },
    };
    vec![
        opened("Settings: your data", "/settings/data", listed, count),
        opened("Settings: system", "/settings/system", parts, restart),
        search,
    ]
}

fn opened(name: &'static str, path: &str, sign: &'static str, control: Press) -> Screen {
    Screen {
        name,
        path: path.to_owned(),
        rows: Rows::Opened(sign),
        control,
    }
}

const fn click(on: &'static str, then: &'static str) -> Press {
    Press {
        act: "click",
        on,
        value: "",
        then,
    }
}

const fn choose(on: &'static str, value: &'static str, then: &'static str) -> Press {
    Press {
        act: "choose",
        on,
        value,
        then,
    }
}
