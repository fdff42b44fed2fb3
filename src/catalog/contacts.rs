//! Contacts: people, companies, and the groups they are sorted into.

use sextant_actors::domain::Sector;

use super::{Field, Origin, Table, Weight};

pub(super) const TABLES: &[Table] = &[PEOPLE, GROUPS];

const PEOPLE: Table = Table::new(
    Sector::Contacts,
    "people",
    Origin::Pushed,
    "People and companies with their addresses and numbers.",
    &[
        Field::text("full_name", "The whole name.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("name_given", "Given name.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("name_surname", "Surname.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("name_middle", "Middle names.").untrusted(),
        Field::text("name_prefix", "Dr., Prof., …").untrusted(),
        Field::text("name_suffix", "Jr., PhD, …").untrusted(),
        Field::text_list("nicknames", "Nicknames.").untrusted(),
        Field::text("kind", "What the card stands for.").one_of(&["individual", "org", "group"]),
        Field::text("organization", "Where they work.")
            .searchable(Weight::B)
            .untrusted(),
        Field::text("department", "Their department.").untrusted(),
        Field::text("title", "Their position.")
            .searchable(Weight::C)
            .untrusted(),
        Field::json("emails", "[{address, label, is_primary}]").untrusted(),
        Field::json("phones", "[{number, e164, label}]").untrusted(),
        Field::json(
            "addresses",
            "[{street, locality, region, postcode, country, label, full}]",
        )
        .untrusted(),
        Field::json("urls", "[{url, label}]").untrusted(),
        Field::integer("birthday_month", "1 to 12."),
        Field::integer("birthday_day", "1 to 31."),
        Field::integer("birthday_year", "Unknown for many."),
        Field::date("anniversary", "A wedding or the like."),
        Field::text("notes", "What the person noted.")
            .searchable(Weight::C)
            .untrusted()
            .long(),
        Field::text("photo_url", "A picture's address."),
        Field::text_list("categories", "Labels."),
        Field::text("uid", "The card's own identifier."),
        Field::text("etag", "The source's version."),
    ],
)
.default_order(&["full_name"])
.natural("uid")
.one_of(&[&[
    "full_name",
    "name_given",
    "name_surname",
    "organization",
    "emails",
    "phones",
]]);

const GROUPS: Table = Table::new(
    Sector::Contacts,
    "groups",
    Origin::Pushed,
    "Groups of contacts.",
    &[
        Field::text("name", "Its name.")
            .required()
            .searchable(Weight::A)
            .untrusted(),
        Field::text("uid", "The group's own identifier."),
        Field::text_list("member_uids", "The uids of its members.").meets("people.uid"),
    ],
)
.default_order(&["name"])
.natural("uid");
