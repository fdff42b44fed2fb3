//! `.csv` exports of banks, in publicly known layouts, and the records read from them.

/// Bank, file, and of each record: day, amount, currency, name or description.
pub type Layout = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str, &'static str, &'static str)],
);

pub const LAYOUTS: [Layout; 47] = [
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
        "wise_transfers",
        "ID,Status,Direction,\"Created on\",\"Finished on\",\"Source fee amount\",\"Source fee currency\",\"Source name\",\"Source amount (after fees)\",\"Source currency\",\"Target name\",\"Target amount (after fees)\",\"Target currency\",\"Exchange rate\"\n\
         TRANSFER-3,COMPLETED,OUT,2026-01-30 10:00:00,2026-01-31 11:00:00,0.50,EUR,Ann,100.00,EUR,Bob,108.00,USD,1.08\n",
        &[("2026-01-31", "-100.00", "EUR", "Bob")],
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
    (
        "amex_plain",
        "Date,Description,Amount\n01/31/2026,HOTEL,250.00\n01/15/2026,AUTOPAY PAYMENT - THANK YOU,-99.00\n",
        &[
            ("2026-01-31", "-250.00", "USD", "HOTEL"),
            ("2026-01-15", "99.00", "USD", "AUTOPAY PAYMENT - THANK YOU"),
        ],
    ),
    (
        "amex_de",
        "Datum,Beschreibung,Betrag\n31/01/2026,\"HOTEL\",\"1.250,00\"\n15/01/2026,\"ZAHLUNG ERHALTEN. BESTEN DANK.\",\"-99,00\"\n",
        &[
            ("2026-01-31", "-1250.00", "USD", "HOTEL"),
            (
                "2026-01-15",
                "99.00",
                "USD",
                "ZAHLUNG ERHALTEN. BESTEN DANK.",
            ),
        ],
    ),
    (
        "chase_card",
        "Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n01/30/2026,01/31/2026,CAFE,Food & Drink,Sale,-4.50,\n01/15/2026,01/15/2026,Payment Thank You-Mobile,,Payment,99.00,\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE"),
            ("2026-01-15", "99.00", "USD", "Payment Thank You-Mobile"),
        ],
    ),
    (
        "bank_of_america_card",
        "Posted Date,Reference Number,Payee,Address,Amount\n01/31/2026,24692160003,\"CAFE\",\"BOSTON MA\",-4.50\n01/15/2026,24692160001,\"PAYMENT - THANK YOU\",\"\",99.00\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE"),
            ("2026-01-15", "99.00", "USD", "PAYMENT - THANK YOU"),
        ],
    ),
    (
        "apple_card",
        "Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By\n01/30/2026,01/31/2026,CAFE 12 BOSTON,Cafe,Restaurants,Purchase,4.50,Ann\n01/15/2026,01/15/2026,ACH DEPOSIT,Ach Deposit,Payment,Payment,-99.00,Ann\n",
        &[
            ("2026-01-31", "-4.50", "USD", "Cafe"),
            ("2026-01-15", "99.00", "USD", "Ach Deposit"),
        ],
    ),
    (
        "discover",
        "Trans. Date,Post Date,Description,Amount,Category\n01/30/2026,01/31/2026,CAFE,4.50,Restaurants\n01/15/2026,01/15/2026,INTERNET PAYMENT - THANK YOU,-99.00,Payments and Credits\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE"),
            ("2026-01-15", "99.00", "USD", "INTERNET PAYMENT - THANK YOU"),
        ],
    ),
    (
        "capital_one_card",
        "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n2026-01-30,2026-01-31,1234,CAFE,Dining,4.50,\n2026-01-15,2026-01-15,1234,CAPITAL ONE MOBILE PYMT,Payment/Credit,,99.00\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE"),
            ("2026-01-15", "99.00", "USD", "CAPITAL ONE MOBILE PYMT"),
        ],
    ),
    (
        "capital_one_360",
        "Account Number,Transaction Description,Transaction Date,Transaction Type,Transaction Amount,Balance\n1234,Cafe,01/31/26,Debit,4.50,95.50\n1234,Payroll,01/15/26,Credit,100.00,100.00\n",
        &[
            ("2026-01-31", "-4.50", "USD", "Cafe"),
            ("2026-01-15", "100.00", "USD", "Payroll"),
        ],
    ),
    (
        "wells_fargo",
        "\"01/31/2026\",\"-4.50\",\"*\",\"\",\"CAFE\"\n\"01/15/2026\",\"-99.00\",\"*\",\"101\",\"CHECK\"\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE"),
            ("2026-01-15", "-99.00", "USD", "CHECK"),
        ],
    ),
    (
        "schwab",
        "\"Date\",\"Status\",\"Type\",\"CheckNumber\",\"Description\",\"Withdrawal\",\"Deposit\",\"RunningBalance\"\n\"01/31/2026\",\"Posted\",\"VISA\",\"\",\"CAFE\",\"$4.50\",\"\",\"$1,095.50\"\n",
        &[("2026-01-31", "-4.50", "USD", "CAFE")],
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
        "barclays",
        "Number,Date,Account,Amount,Subcategory,Memo\n ,31/01/2026,20-00-00 12345678,-4.50,PAYMENT,CAFE      ON 30 JAN\n ,15/01/2026,20-00-00 12345678,100.00,DIRECTDEP,PAYROLL\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE      ON 30 JAN"),
            ("2026-01-15", "100.00", "USD", "PAYROLL"),
        ],
    ),
    (
        "natwest",
        "Date, Type, Description, Value, Balance, Account Name, Account Number\n\n31/01/2026,POS,\"'CAFE\",-4.50,95.50,\"'ANN\",\"'500000-12345678\"\n",
        &[("2026-01-31", "-4.50", "USD", "'CAFE")],
    ),
    (
        "lloyds",
        "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance\n31/01/2026,DEB,'30-00-00,12345678,CAFE,4.50,,95.50\n15/01/2026,FPI,'30-00-00,12345678,PAYROLL,,100.00,100.00\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE"),
            ("2026-01-15", "100.00", "USD", "PAYROLL"),
        ],
    ),
    (
        "nationwide",
        "\"Account Name:\",\"FlexAccount ****12345\"\n\"Account Balance:\",\"£95.50\"\n\n\"Date\",\"Transaction type\",\"Description\",\"Paid out\",\"Paid in\",\"Balance\"\n\"31 Jan 2026\",\"Visa purchase\",\"CAFE\",\"£4.50\",\"\",\"£95.50\"\n",
        &[("2026-01-31", "-4.50", "GBP", "CAFE")],
    ),
    (
        "starling",
        "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes\n31/01/2026,Cafe,CAFE 12,CONTACTLESS,-4.50,95.50,EATING_OUT,\n",
        &[("2026-01-31", "-4.50", "GBP", "Cafe")],
    ),
    (
        "hsbc_uk",
        "31/01/2026,CAFE LONDON,-4.50\n15/01/2026,CHEQUE 101,\"-1,099.00\"\n",
        &[
            ("2026-01-31", "-4.50", "USD", "CAFE LONDON"),
            ("2026-01-15", "-1099.00", "USD", "CHEQUE 101"),
        ],
    ),
    (
        "n26_old",
        "\"Date\",\"Payee\",\"Account number\",\"Transaction type\",\"Payment reference\",\"Amount (EUR)\",\"Amount (Foreign Currency)\",\"Type Foreign Currency\",\"Exchange Rate\"\n\"2026-01-31\",\"Acme\",\"DE02120300000000202051\",\"Income\",\"Salary\",\"2500.0\",\"\",\"\",\"\"\n",
        &[("2026-01-31", "2500.0", "EUR", "Acme")],
    ),
    (
        "commerzbank",
        "Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;IBAN Auftraggeberkonto;Kategorie\n31.01.2026;31.01.2026;Lastschrift;Stadtwerke;-80,50;EUR;DE89370400440532013000;Wohnen\n",
        &[("2026-01-31", "-80.50", "EUR", "Stadtwerke")],
    ),
    (
        "deutsche_bank",
        "Umsätze Girokonto;;;Kundennummer: 100 1234567\n1.1.2026 - 31.1.2026\nLetzter Kontostand;;;;1.234,56;EUR\nVorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.\n\
         Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Mandatsreferenz ;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung\n\
         31.1.2026;30.1.2026;SEPA-Lastschrift;Stadtwerke;Abschlag;DE02120300000000202051;BYLADEM1001;;;;;;;;;-1.080,50;;EUR\n\
         15.1.2026;15.1.2026;SEPA-Gutschrift;Acme;Lohn;DE02120300000000202051;BYLADEM1001;;;;;;;;;;2.000,00;EUR\n\
         Kontostand;31.1.2026;;;1.234,56;EUR\n",
        &[
            ("2026-01-31", "-1080.50", "EUR", "Stadtwerke"),
            ("2026-01-15", "2000.00", "EUR", "Acme"),
        ],
    ),
    (
        "boursorama",
        "dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance\n2026-01-31;2026-01-30;\"CARTE 30/01/26 CAFE\";Restaurants;Loisirs;cafe;-4,50;;00012345678;BoursoBank;95.50\n",
        &[("2026-01-31", "-4.50", "USD", "cafe")],
    ),
    (
        "societe_generale",
        "=\"0123400012345678\";01/01/2026;31/01/2026;\nDate de l'opération;Libellé;Détail de l'écriture;Montant de l'opération;Devise\n31/01/2026;CARTE X1234;CARTE X1234 30/01 CAFE;-4,50;EUR\n15/01/2026;VIR RECU;VIR RECU ACME;2000,00;EUR\n",
        &[
            ("2026-01-31", "-4.50", "EUR", "CARTE X1234"),
            ("2026-01-15", "2000.00", "EUR", "VIR RECU"),
        ],
    ),
    (
        "banque_postale",
        "Numéro Compte   ;1234567A033\nType         ;CCP\nDate         ;31/01/2026\nSolde (EUROS);95,50\n\nDate;Libellé;Montant(EUROS)\n31/01/2026;\"ACHAT CB CAFE\";-4,50\n",
        &[("2026-01-31", "-4.50", "EUR", "ACHAT CB CAFE")],
    ),
    (
        "rabobank",
        "\"IBAN/BBAN\",\"Munt\",\"BIC\",\"Volgnr\",\"Datum\",\"Rentedatum\",\"Bedrag\",\"Saldo na trn\",\"Tegenrekening IBAN/BBAN\",\"Naam tegenpartij\",\"Omschrijving-1\"\n\"NL44RABO0123456789\",\"EUR\",\"RABONL2U\",\"000000000000012345\",\"2026-01-31\",\"2026-01-31\",\"-4,50\",\"+95,50\",\"\",\"Cafe\",\"Pas 1\"\n",
        &[("2026-01-31", "-4.50", "EUR", "Cafe")],
    ),
    (
        "bbva",
        "Fecha;F.Valor;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones\n31/01/2026;31/01/2026;Cafe;Pago con tarjeta;-4,50;EUR;95,50;EUR;\n",
        &[("2026-01-31", "-4.50", "EUR", "Cafe")],
    ),
    (
        "intesa",
        "Data contabile;Data valuta;Descrizione;Accrediti;Addebiti\n31/01/2026;31/01/2026;Bar;;-4,50\n15/01/2026;15/01/2026;Stipendio;2.000,00;\n",
        &[
            ("2026-01-31", "-4.50", "USD", "Bar"),
            ("2026-01-15", "2000.00", "USD", "Stipendio"),
        ],
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
];
