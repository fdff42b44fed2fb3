//! The words of headers in English, German, French, Spanish, Italian, Dutch and their neighbours, as banks write them.

use super::role::Role;

/// Titles in lower case, between bars. Of several columns for one role, the title that stands first here wins.
pub(super) const TITLES: [(Role, &str); 21] = [
    (
        Role::Booked,
        "buchungstag|buchungsdatum|booking date|booked on|posting date|post date|posted date\
         |completed date|date completed|finished on|date comptable|date opération\
         |date de l'opération|date operation|date de comptabilisation|fecha operación\
         |fecha de operación|fecha contable|data contabile|data operazione|boekdatum\
         |boekingsdatum|dateop|clearing date|transaction date|trade date|abschlussdatum|buchung|date|datum|fecha|data\
         |started date|created on|datetime|bogføringsdato|bokføringsdato|bokföringsdag\
         |bokföringsdatum|transaktionsdatum|dato|data operacji|data księgowania|data do movimento",
    ),
    (
        Role::Valued,
        "wertstellung|wertstellung (valuta)|valutadatum|rentedato|valutadag|valuta|value date|date valeur\
         |date de valeur|fecha valor|data valuta|rentedatum|wertstellungstag|wertstellungsdatum|dateval|wert",
    ),
    (
        Role::Amount,
        "net|netto|amount|betrag|umsatz|montant|importe|importo|bedrag|transaction amount|gross\
         |brutto|source amount (after fees)|einzelbetrag|money|montant operation\
         |montant de l'opération|amount (total)|value|beløb|beløp|belopp\
         |kwota|kwota operacji|valor|montante",
    ),
    (
        Role::Debit,
        "debit|soll|débit|cargo|dare|addebiti|uscite|belastung|debit amount|money out|paid out\
         |lastschrift|withdrawals|withdrawal|ausgaben|af|débit euros",
    ),
    (
        Role::Credit,
        "credit|haben|crédit|abono|avere|accrediti|entrate|gutschrift|credit amount|money in\
         |paid in|deposits|deposit|einnahmen|bij|crédit euros",
    ),
    (
        Role::Direction,
        "direction|debit/credit|credit/debit|soll/haben|s/h|af bij|dr/cr|cr/dr|umsatztyp\
         |credit debit indicator",
    ),
    (
        Role::Currency,
        "currency|währung|waehrung|devise|divisa|moneda|munt|valuta code|whrg.|source currency|target currency\
         |whg|ccy|waluta|moeda|valuta",
    ),
    (
        Role::Name,
        "beguenstigter/zahlungspflichtiger|begünstigter/zahlungspflichtiger\
         |auftraggeber/empfänger|auftraggeber/empfaenger|auftraggeber / begünstigter\
         |name zahlungsbeteiligter|zahlungsempfänger|zahlungsempfänger*in|partner name|payee\
         |counterparty|counterparty name|name|empfänger|naam / omschrijving\
         |naam tegenpartij|bénéficiaire|beneficiario|merchant|name des zahlungspartners\
         |target name|counter party|begünstigter / auftraggeber|supplierfound|payee name|navn|namn",
    ),
    (Role::Payer, "zahlungspflichtige*r|payer name|payer"),
    (
        Role::Account,
        "kontonummer/iban|iban zahlungsbeteiligter|partner iban|iban|kontonummer|tegenrekening\
         |tegenrekening iban/bban|counterparty account|from email address|payee account\
         |compte bénéficiaire|iban / kontonummer",
    ),
    (
        Role::Description,
        "verwendungszweck|buchungstext|beschreibung|description|memo|payment reference|libellé\
         |libelle|concepto|descripción|descrizione|causale|mededelingen|omschrijving\
         |omschrijving-1|details|notes and #tags|subject|beschreibung1|description1\
         |payer/payee|nature de l'opération|transaction description|libelle operation\
         |libellé opération|libellé de l'opération|libelle simplifie|libellé simplifié\
         |avisierungstext|notification text|texte de notification|beskrivelse|rubrik|tekst|text\
         |descrição|opis operacji|label|note|type|transaktionstyp",
    ),
    (
        Role::Key,
        "transaction id|transactionid|transaktionscode|transaktions-nr.|transaction no.|id\
         |transferwise id|fitid|volgnr",
    ),
    (
        Role::Reference,
        "kundenreferenz|kundenreferenz (end-to-end)|referenz|reference|référence|referencia\
         |check number|checknumber|check or slip #|reference number|betalingskenmerk|checknummer",
    ),
    (
        Role::Balance,
        "saldo|saldo nach buchung|balance|running balance|running bal.|kontostand|solde\
         |saldo na mutatie|saldo na trn|runningbalance|accountbalance",
    ),
    (
        Role::Category,
        "category|kategorie|catégorie|categoría|categoria|categorie|spending category",
    ),
    (
        Role::Own,
        "auftragskonto|iban auftragskonto|rekening|iban/bban|own account|numéro de compte\
         |iban auftraggeberkonto|auftraggeberkonto|accountnum",
    ),
    (Role::Status, "status|state|info|statut|estado|stato"),
    (
        Role::Fee,
        "fee|fees|total fees|fee amount|source fee amount|gebühr|gebühren|entgelt|frais|comisión\
         |comisiones|commissione|commissioni|kosten|avgift",
    ),
    (
        Role::Started,
        "started date|created on|datetime|transaction date",
    ),
    (
        Role::Time,
        "time|uhrzeit|zeit|abschlusszeit|heure|hora|ora|tijd|tid|transaction time",
    ),
    (
        Role::Zone,
        "timezone|time zone|zeitzone|fuseau horaire|zona horaria|huso horario|fuso orario|tijdzone",
    ),
];
