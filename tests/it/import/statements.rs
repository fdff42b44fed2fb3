//! `.csv` of banks: layouts as they are publicly known, and what each of their rows becomes.

use serde_json::{Map, Value};

use super::{Read, read_bytes_with};
use sextant::import::{DateOrder, Options};

/// Bank, file, and of each record: day, amount, currency, name or description.
type Layout = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str, &'static str, &'static str)],
);

pub const LAYOUTS: [Layout; 21] = [
    (
        "n26",
        "\"Booking Date\",\"Value Date\",\"Partner Name\",\"Partner Iban\",Type,\"Payment Reference\",\"Account Name\",\"Amount (EUR)\",\"Original Amount\",\"Original Currency\",\"Exchange Rate\"\n\
         2026-01-02,2026-01-03,\"REWE, Berlin\",,\"Presentment\",\"-\",\"Main Account\",-23.4,23.4,EUR,1\n\
         2026-01-05,2026-01-05,Acme,DE89370400440532013000,\"Credit Transfer\",Salary,\"Main Account\",2500.00,,,\n",
        &[
            ("2026-01-02", "-23.4", "EUR", "REWE, Berlin"),
            ("2026-01-05", "2500.00", "EUR", "Acme"),
        ],
    ),
    (
        "dkb_old",
        "\"Kontonummer:\";\"DE89370400440532013000 / Girokonto\";\n\n\"Von:\";\"01.01.2026\";\n\"Bis:\";\"31.01.2026\";\n\"Kontostand vom 31.01.2026:\";\"1.234,56 EUR\";\n\n\
         \"Buchungstag\";\"Wertstellung\";\"Buchungstext\";\"Auftraggeber / Begünstigter\";\"Verwendungszweck\";\"Kontonummer\";\"BLZ\";\"Betrag (EUR)\";\"Gläubiger-ID\";\"Mandatsreferenz\";\"Kundenreferenz\";\n\
         \"02.01.2026\";\"03.01.2026\";\"Lastschrift\";\"Stadtwerke\";\"Abschlag\";\"DE02120300000000202051\";\"BYLADEM1001\";\"-1.080,50\";\"\";\"\";\"\";\n",
        &[("2026-01-02", "-1080.50", "EUR", "Stadtwerke")],
    ),
    (
        "dkb_new",
        "\"Girokonto\";\"DE89370400440532013000\"\n\"Zeitraum:\";\"01.01.2026 - 31.01.2026\"\n\"\"\n\
         \"Buchungsdatum\";\"Wertstellung\";\"Status\";\"Zahlungspflichtige*r\";\"Zahlungsempfänger*in\";\"Verwendungszweck\";\"Umsatztyp\";\"IBAN\";\"Betrag (€)\";\"Gläubiger-ID\";\"Mandatsreferenz\";\"Kundenreferenz\"\n\
         \"02.01.26\";\"02.01.26\";\"Gebucht\";\"ISSUER\";\"Baker\";\"VISA\";\"Ausgang\";\"DE02120300000000202051\";\"-3,20\";\"\";\"\";\"1\"\n\
         \"03.01.26\";\"\";\"Vorgemerkt\";\"Ann\";\"Me\";\"Gift\";\"Eingang\";\"\";\"50\";\"\";\"\";\"2\"\n",
        &[
            ("2026-01-02", "-3.20", "EUR", "Baker"),
            ("2026-01-03", "50", "EUR", "Ann"),
        ],
    ),
    (
        "sparkasse",
        "\"Auftragskonto\";\"Buchungstag\";\"Valutadatum\";\"Buchungstext\";\"Verwendungszweck\";\"Glaeubiger ID\";\"Kundenreferenz (End-to-End)\";\"Beguenstigter/Zahlungspflichtiger\";\"Kontonummer/IBAN\";\"BIC (SWIFT-Code)\";\"Betrag\";\"Waehrung\";\"Info\"\n\
         \"DE89370400440532013000\";\"30.01.26\";\"30.01.26\";\"FOLGELASTSCHRIFT\";\"Miete\";\"\";\"\";\"Vermieter\";\"DE02120300000000202051\";\"BYLADEM1001\";\"-800,00\";\"EUR\";\"Umsatz gebucht\"\n",
        &[("2026-01-30", "-800.00", "EUR", "Vermieter")],
    ),
    (
        "ing_diba",
        "Umsatzanzeige;Datei erstellt am: 31.01.2026 12:00\n\nIBAN;DE89 3704 0044 0532 0130 00\nKontoname;Girokonto\nBank;ING\nSaldo;1.234,56;EUR\n\n\
         Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n\
         30.01.2026;30.01.2026;Acme GmbH;Gehalt/Rente;Lohn;1.234,56;EUR;1.000,00;EUR\n",
        &[("2026-01-30", "1000.00", "EUR", "Acme GmbH")],
    ),
    (
        "comdirect",
        ";\n\"Umsätze Girokonto\";\"Zeitraum: 30 Tage\";\n\"Neuer Kontostand\";\"1.234,56 EUR\";\n\n\
         \"Buchungstag\";\"Wertstellung (Valuta)\";\"Vorgang\";\"Buchungstext\";\"Umsatz in EUR\";\n\
         \"offen\";\"--\";\"Lastschrift\";\"Shop\";\"-9,99\";\n\"28.01.2026\";\"28.01.2026\";\"Übertrag\";\"Auftraggeber: Ann\";\"100,00\";\n\"Alter Kontostand\";\"1.144,55 EUR\";\n",
        &[("2026-01-28", "100.00", "EUR", "Auftraggeber: Ann")],
    ),
    (
        "revolut",
        "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n\
         CARD_PAYMENT,Current,2026-01-02 10:00:00,2026-01-03 08:00:00,Pret,-4.50,0.00,GBP,COMPLETED,95.50\n\
         CARD_PAYMENT,Current,2026-01-04 10:00:00,,Shop,-5.00,0.00,GBP,DECLINED,\n",
        &[("2026-01-03", "-4.50", "GBP", "Pret")],
    ),
    (
        "wise",
        "\"TransferWise ID\",Date,Amount,Currency,Description,\"Payment Reference\",\"Running Balance\",\"Payer Name\",\"Payee Name\"\n\
         CARD-1,31-01-2026,-12.30,EUR,\"Card transaction of 12.30 EUR\",,87.70,,\nTRANSFER-2,02-01-2026,100.00,EUR,\"Received money\",Hi,100.00,Ann,\n",
        &[
            (
                "2026-01-31",
                "-12.30",
                "EUR",
                "Card transaction of 12.30 EUR",
            ),
            ("2026-01-02", "100.00", "EUR", "Ann"),
        ],
    ),
    (
        "paypal",
        "\"Date\",\"Time\",\"TimeZone\",\"Name\",\"Type\",\"Status\",\"Currency\",\"Gross\",\"Fee\",\"Net\",\"From Email Address\",\"To Email Address\",\"Transaction ID\",\"Balance\"\n\
         \"01/31/2026\",\"10:00:00\",\"PST\",\"Shop\",\"Payment\",\"Completed\",\"USD\",\"1,000.00\",\"-30.00\",\"970.00\",\"a@example.com\",\"b@example.com\",\"9XX\",\"970.00\"\n",
        &[("2026-01-31", "970.00", "USD", "Shop")],
    ),
    (
        "monzo",
        "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In\n\
         tx_1,31/01/2026,10:00:00,Card payment,Tesco,x,Groceries,-7.25,GBP,-7.25,GBP,,,,TESCO 12,,-7.25,\n",
        &[("2026-01-31", "-7.25", "GBP", "Tesco")],
    ),
    (
        "mint",
        "\"Date\",\"Description\",\"Original Description\",\"Amount\",\"Transaction Type\",\"Category\",\"Account Name\",\"Labels\",\"Notes\"\n\
         \"01/31/2026\",\"Coffee\",\"COFFEE #1\",\"4.50\",\"debit\",\"Coffee Shops\",\"Visa\",\"\",\"\"\n\"01/02/2026\",\"Pay\",\"ACME\",\"1000.00\",\"credit\",\"Paycheck\",\"Checking\",\"\",\"\"\n",
        &[
            ("2026-01-31", "-4.50", "USD", "Coffee"),
            ("2026-01-02", "1000.00", "USD", "Pay"),
        ],
    ),
    (
        "venmo",
        "Account Statement - (@ann) ,,,,,,,,\nAccount Activity,,,,,,,,\n\
         ,ID,Datetime,Type,Status,Note,From,To,Amount (total)\n,,,,,,,,\n\
         ,34123,2026-01-31T01:02:03,Payment,Complete,\"pizza, thanks\",Ann,Bob,- $12.50\n\
         ,34124,2026-01-30T02:02:03,Payment,Complete,rent,Bob,Ann,\"+ $1,000.00\"\n",
        &[
            ("2026-01-31", "-12.50", "USD", "pizza, thanks"),
            ("2026-01-30", "1000.00", "USD", "rent"),
        ],
    ),
    (
        "caisse_d_epargne",
        "Date de comptabilisation;Libelle simplifie;Libelle operation;Reference;Type operation;Categorie;Debit;Credit;Date operation;Date de valeur\n\
         31/01/2026;CARREFOUR;CB CARREFOUR FACT;ABC;Carte bancaire;Alimentation;-45,20;;31/01/2026;31/01/2026\n",
        &[("2026-01-31", "-45.20", "USD", "CB CARREFOUR FACT")],
    ),
    (
        "nordea",
        "Bogføringsdato;Beløb;Afsender;Modtager;Navn;Beskrivelse;Saldo;Valuta;Afstemt\n\
         2026/01/31;-199,95;1234;;;Netto;1.000,00;DKK;\n",
        &[("2026-01-31", "-199.95", "DKK", "Netto")],
    ),
    (
        "postfinance",
        "Datum von:;=\"01.01.2026\"\nKonto:;CH9300762011623852957\nWährung:;CHF\n\n\
         Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie\n\
         31.01.2026;Buchung;\"KAUF MIGROS\";;-45.6;;\"Lebensmittel\"\n30.01.2026;Buchung;\"LOHN\";5'500.00;;;\n\n\
         Disclaimer:\nDer Inhalt wurde durch Filter erzeugt\n",
        &[
            ("2026-01-31", "-45.6", "CHF", "KAUF MIGROS"),
            ("2026-01-30", "5500.00", "CHF", "LOHN"),
        ],
    ),
    (
        "chase",
        "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\n\
         DEBIT,01/31/2026,\"STORE, INC\",-1234.56,DEBIT_CARD,100.00,,\nCREDIT,01/02/2026,PAYROLL,2000.00,ACH_CREDIT,1334.56,,\n",
        &[
            ("2026-01-31", "-1234.56", "USD", "STORE, INC"),
            ("2026-01-02", "2000.00", "USD", "PAYROLL"),
        ],
    ),
    (
        "bank_of_america",
        "Description,,Summary Amt.\nBeginning balance as of 01/01/2026,,\"1,000.00\"\nTotal credits,,\"10.00\"\n\nDate,Description,Amount,Running Bal.\n\
         01/01/2026,Beginning balance as of 01/01/2026,,\"1,000.00\"\n01/14/2026,\"Coffee\",\"-1,010.00\",\"-10.00\"\n",
        &[("2026-01-14", "-1010.00", "USD", "Coffee")],
    ),
    (
        "amex",
        "Date,Description,Card Member,Account #,Amount,Extended Details,Appears On Your Statement As\n\
         01/31/2026,HOTEL,A PERSON,-1001,250.00,,HOTEL\n01/02/2026,PAYMENT - THANK YOU,A PERSON,-1001,-99.00,,PAYMENT\n",
        &[
            ("2026-01-31", "-250.00", "USD", "HOTEL"),
            ("2026-01-02", "99.00", "USD", "PAYMENT - THANK YOU"),
        ],
    ),
    (
        "credit_agricole",
        "Téléchargement du 31/01/2026;\n\nCompte de Dépôt carte n° 123;\nSolde au 31/01/2026 1 234,56 €\n\n\
         Date;Libellé;Débit euros;Crédit euros;\n31/01/2026;\"PAIEMENT CARTE\nBOULANGERIE\";1 003,20;;\n02/01/2026;VIREMENT;;50,00;\n",
        &[
            (
                "2026-01-31",
                "-1003.20",
                "EUR",
                "PAIEMENT CARTE\nBOULANGERIE",
            ),
            ("2026-01-02", "50.00", "EUR", "VIREMENT"),
        ],
    ),
    (
        "ing_nl",
        "\"Datum\",\"Naam / Omschrijving\",\"Rekening\",\"Tegenrekening\",\"Code\",\"Af Bij\",\"Bedrag (EUR)\",\"Mutatiesoort\",\"Mededelingen\"\n\
         \"20260131\",\"Albert Heijn\",\"NL91ABNA0417164300\",\"\",\"BA\",\"Af\",\"12,34\",\"Betaalautomaat\",\"Pas 1\"\n",
        &[("2026-01-31", "-12.34", "EUR", "Albert Heijn")],
    ),
    (
        "ubs",
        "Kontonummer:;0123 00123456.01;\nIBAN:;CH93 0076 2011 6238 5295 7;\nBewertet in:;CHF;\n\n\
         Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1\n\
         2026-01-30;10:00:00;2026-01-31;2026-01-31;CHF;-1'012.50;;;5'000.00;TX1;Migros\n",
        &[("2026-01-31", "-1012.50", "CHF", "Migros")],
    ),
];

pub fn options() -> Options {
    Options {
        currency: Some("USD".to_owned()),
        ..Options::default()
    }
}

fn file(bytes: impl Into<Vec<u8>>) -> Read {
    read_bytes_with("statement.csv", bytes, &options()).unwrap()
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn each_known_layout_gives_its_bookings() {
    for (bank, content, expected) in LAYOUTS {
        let read = file(content);
        let seen: Vec<_> = read
            .records
            .iter()
            .map(|(_, _, fields)| {
                let name = ["counterparty_name", "description"]
                    .into_iter()
                    .map(|name| text(fields, name))
                    .find(|text| !text.is_empty());
                (
                    text(fields, "booked_on"),
                    fields["amount"].to_string(),
                    text(fields, "currency"),
                    name.unwrap_or_default(),
                )
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(day, amount, currency, name)| (*day, (*amount).to_owned(), *currency, *name))
            .collect();
        assert_eq!(seen, expected, "{bank}: {:?}", read.refused);
    }
}

fn layout(name: &str) -> &'static str {
    LAYOUTS.iter().find(|(bank, ..)| *bank == name).unwrap().1
}

#[test]
fn what_is_no_booking_is_refused_by_line_and_column() {
    let refused = |bank: &str| file(layout(bank)).refused;
    assert_eq!(
        refused("comdirect"),
        [(
            "line 6".to_owned(),
            "Buchungstag `offen` is not a date that exists".to_owned()
        )]
    );
    assert_eq!(
        refused("revolut"),
        [(
            "line 3".to_owned(),
            "the bank did not carry it out: State is `DECLINED`".to_owned()
        )]
    );
    let bad = "Date,Amount (EUR),Note\n2026-01-32,1.00,a\n2026-01-31,1x0.00,b\n2026-01-31,2.50,c\n,,\n2026-01-31,3.00,d,e\n";
    let read = file(bad);
    assert_eq!(read.records.len(), 1);
    assert_eq!(
        read.refused,
        [
            ("line 2", "Date `2026-01-32` is not a date that exists"),
            ("line 3", "Amount (EUR) `1x0.00` is not an amount"),
            (
                "line 6",
                "it has 4 cells under 3 titles: a separator stands within a text without quotes"
            ),
        ]
        .map(|(place, reason)| (place.to_owned(), reason.to_owned()))
    );
}

#[test]
fn an_account_is_nested_where_the_file_names_it() {
    for (bank, iban) in [
        ("dkb_old", "DE89370400440532013000"),
        ("sparkasse", "DE89370400440532013000"),
        ("ing_diba", "DE89370400440532013000"),
        ("ing_nl", "NL91ABNA0417164300"),
        ("ubs", "CH9300762011623852957"),
    ] {
        let read = file(layout(bank));
        let account = &read.records[0].2["account"];
        assert_eq!(
            (
                text(account.as_object().unwrap(), "iban"),
                text(account.as_object().unwrap(), "id")
            ),
            (iban, iban),
            "{bank}"
        );
    }
    assert!(!file(layout("n26")).records[0].2.contains_key("account"));
}

#[test]
fn what_a_file_leaves_open_is_asked_for_and_never_guessed() {
    let message = |content: &str, options: &Options| {
        read_bytes_with("a.csv", content, options)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let open = "Date,Amount\n01/02/2026,5.00\n";
    let unsaid = Options::default();
    assert!(message(open, &unsaid).contains("--currency"));
    assert!(message(open, &options()).contains("--date-order dmy or --date-order mdy"));
    for (order, day) in [
        (DateOrder::Dmy, "2026-02-01"),
        (DateOrder::Mdy, "2026-01-02"),
    ] {
        let said = Options {
            date_order: Some(order),
            ..options()
        };
        let read = read_bytes_with("a.csv", open, &said).unwrap();
        assert_eq!(text(&read.records[0].2, "booked_on"), day);
    }
    assert!(
        message(
            "Date,Amount\n13/02/2026,1.50\n14/02/2026,\"1,50\"\n",
            &options()
        )
        .contains("decimal comma")
    );
    assert!(message("name,phone\nAnn,1\n", &options()).contains("no bank statement"));
    assert!(message("", &options()).contains("no bank statement"));
}

#[test]
fn files_in_any_encoding_are_read() {
    let content = "Datum;Empfänger;Betrag (€)\n31.01.2026;Müller;-1,50\n";
    let latin: Vec<u8> = content
        .chars()
        .map(|char| {
            if char == '€' {
                0x80
            } else {
                u32::from(char) as u8
            }
        })
        .collect();
    let wide: Vec<u8> = format!("\u{FEFF}{content}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let marked = format!("\u{FEFF}{content}").into_bytes();
    for bytes in [content.as_bytes().to_vec(), latin, wide, marked] {
        let read = file(bytes);
        assert_eq!(
            (
                text(&read.records[0].2, "counterparty_name"),
                text(&read.records[0].2, "currency")
            ),
            ("Müller", "EUR")
        );
    }
}

#[test]
fn statements_that_overlap_do_not_double() {
    let head = "Date,Description,Amount (EUR)\n";
    let rows = [
        "2026-01-30,Coffee,-3.20\n",
        "2026-01-31,Coffee,-3.20\n",
        "2026-01-31,Coffee,-3.20\n",
        "2026-02-01,Tea,-2.00\n",
    ];
    let january = file(format!("{head}{}{}{}", rows[0], rows[1], rows[2]));
    let february = file(format!("{head}{}{}{}", rows[1], rows[2], rows[3]));
    assert_eq!(january.ids()[1..], february.ids()[..2]);
    let all: std::collections::HashSet<_> =
        january.ids().into_iter().chain(february.ids()).collect();
    assert_eq!(all.len(), 4, "two equal coffees of one day stay two");
    assert_eq!(file(layout("paypal")).ids(), ["9XX"]);
}
