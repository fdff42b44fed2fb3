//! Calendars made of random series: rules of every kind in zones of every kind.
//!
//! The numbers come from a fixed seed, so a failure can be reproduced.

/// How many series there are, spread over the zones.
pub const SERIES: usize = 1_500;

/// Zones with clock changes of one hour, of half an hour and of a whole day, with offsets of 45 minutes, in both
/// hemispheres, and one without changes.
const ZONES: [&str; 15] = [
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Australia/Eucla",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Europe/Dublin",
    "Pacific/Apia",
    "Pacific/Chatham",
    "UTC",
    "",
];

/// One calendar for each zone.
pub fn calendars() -> Vec<String> {
    let mut dice = Dice(0x5E_C7_A2_17);
    let share = SERIES / ZONES.len();
    let calendar = |zone: &&str| -> String {
        let events: String = (0..share)
            .map(|number| event(number, zone, &mut dice))
            .collect();
        format!("BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n")
    };
    ZONES.iter().map(calendar).collect()
}

fn event(number: usize, zone: &str, dice: &mut Dice) -> String {
    let rule = rule(dice);
    let start = Start::any(zone, dice, rule.is_frequent);
    let mut lines = vec![
        format!("UID:{number}"),
        format!("DTSTART{}", start.written(0)),
        format!("RRULE:{}", rule.text(&start, dice)),
    ];
    match dice.below(4) {
        0 if start.is_day => lines.push("DURATION:P2D".to_owned()),
        0 => lines.push("DURATION:P1DT3H".to_owned()),
        1 => lines.push(format!("DTEND{}", start.written(1))),
        _ => {}
    }
    if dice.one_in(3) {
        lines.push(format!("EXDATE{}", start.written(dice.below(60))));
    }
    if dice.one_in(4) {
        lines.push(format!("RDATE{}", start.written(dice.below(90))));
    }
    if dice.one_in(8) {
        lines.push("EXRULE:FREQ=WEEKLY;BYDAY=TU,SA".to_owned());
    }
    format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT\r\n", lines.join("\r\n"))
}

/// The first start, in its parts.
struct Start {
    is_day: bool,
    zone: String,
    date: chrono::NaiveDate,
    time: String,
}

impl Start {
    fn any(zone: &str, dice: &mut Dice, is_frequent: bool) -> Self {
        let (first, days) = if is_frequent {
            ("2026-09-01", 250)
        } else {
            ("2005-01-01", 8_400)
        };
        let first: chrono::NaiveDate = first.parse().unwrap();
        Self {
            is_day: !is_frequent && dice.one_in(6),
            zone: zone.to_owned(),
            date: first + chrono::Days::new(dice.below(days)),
            // Clocks change at night, so many series start then.
            time: format!(
                "{:02}{:02}00",
                *dice.pick(&[0, 1, 2, 2, 3, 9, 23]),
                *dice.pick(&[0, 15, 30, 45])
            ),
        }
    }

    /// The parameters and value of a start this many days later.
    fn written(&self, days: u64) -> String {
        let date = (self.date + chrono::Days::new(days)).format("%Y%m%d");
        match self.zone.as_str() {
            _ if self.is_day => format!(";VALUE=DATE:{date}"),
            "UTC" => format!(":{date}T{}Z", self.time),
            "" => format!(":{date}T{}", self.time),
            zone => format!(";TZID={zone}:{date}T{}", self.time),
        }
    }

    /// An `UNTIL` of any form that is valid for the start.
    fn until(&self, days: u64, dice: &mut Dice) -> String {
        let date = (self.date + chrono::Days::new(days)).format("%Y%m%d");
        match dice.below(3) {
            0 => date.to_string(),
            _ if self.is_day => date.to_string(),
            1 => format!("{date}T120000Z"),
            _ => format!("{date}T{}", self.time),
        }
    }
}

/// A rule without its end.
struct Rule {
    parts: Vec<String>,
    is_frequent: bool,
}

impl Rule {
    fn text(&self, start: &Start, dice: &mut Dice) -> String {
        let mut parts = self.parts.clone();
        match dice.below(3) {
            0 => parts.push(format!("COUNT={}", 1 + dice.below(60))),
            1 => {
                let days = if self.is_frequent { 40 } else { 3_000 };
                parts.push(format!("UNTIL={}", start.until(dice.below(days), dice)));
            }
            _ if self.is_frequent => parts.push("COUNT=200".to_owned()),
            _ => {}
        }
        if start.is_day {
            parts.retain(|part| {
                !["BYHOUR", "BYMINUTE", "BYSECOND"]
                    .iter()
                    .any(|name| part.starts_with(name))
            });
        }
        parts.join(";")
    }
}

fn rule(dice: &mut Dice) -> Rule {
    let kind = dice.below(10);
    let (mut parts, is_frequent) = match kind {
        0 | 1 => (yearly(dice), false),
        2 | 3 => (monthly(dice), false),
        4 | 5 => (weekly(dice), false),
        6 | 7 => (daily(dice), false),
        _ => (frequent(dice), true),
    };
    if dice.one_in(3) {
        parts.push(format!("WKST={}", dice.pick(&["SU", "MO", "WE", "SA"])));
    }
    Rule { parts, is_frequent }
}

fn yearly(dice: &mut Dice) -> Vec<String> {
    let days = [
        "",
        "BYMONTH=2;BYMONTHDAY=29",
        "BYMONTH=3,11;BYDAY=1SU,-1SU",
        "BYDAY=20MO,-1FR,53WE",
        "BYWEEKNO=1,20,53;BYDAY=MO,SU",
        "BYWEEKNO=-1,10",
        "BYYEARDAY=1,100,-1",
        "BYMONTHDAY=13;BYDAY=FR",
        "BYMONTH=1,6;BYDAY=MO,2TU",
        "BYMONTH=10",
        "BYDAY=TU,TH;BYMONTH=3;BYSETPOS=1,-2",
        "BYYEARDAY=366,60",
    ];
    with(dice, "YEARLY", 3, &days)
}

fn monthly(dice: &mut Dice) -> Vec<String> {
    let days = [
        "",
        "BYMONTHDAY=31",
        "BYMONTHDAY=-1,15",
        "BYDAY=2TU",
        "BYDAY=-1SU,5FR",
        "BYDAY=SA;BYMONTHDAY=7,8,9",
        "BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        "BYDAY=SU,1MO",
        "BYMONTH=3,10,11",
        "BYMONTHDAY=-31,30",
    ];
    with(dice, "MONTHLY", 14, &days)
}

fn weekly(dice: &mut Dice) -> Vec<String> {
    let days = [
        "",
        "BYDAY=SU",
        "BYDAY=MO,WE,FR",
        "BYDAY=SA,SU;BYSETPOS=1",
        "BYMONTH=3,4,10",
        "BYDAY=SU,MO",
    ];
    with(dice, "WEEKLY", 5, &days)
}

fn daily(dice: &mut Dice) -> Vec<String> {
    let days = [
        "",
        "BYDAY=SA,SU",
        "BYMONTH=3,10,11",
        "BYMONTHDAY=1,-1",
        "BYMONTH=3;BYDAY=SU",
        "BYMONTHDAY=13;BYDAY=FR",
    ];
    with(dice, "DAILY", 9, &days)
}

fn frequent(dice: &mut Dice) -> Vec<String> {
    match dice.below(3) {
        0 => with(
            dice,
            "HOURLY",
            30,
            &[
                "",
                "BYMINUTE=0,20,40;BYSETPOS=-1",
                "BYDAY=SU",
                "BYMINUTE=10,50",
            ],
        ),
        1 => with(dice, "MINUTELY", 200, &["", "BYSECOND=0,30", "BYDAY=SA,SU"]),
        _ => with(dice, "SECONDLY", 9_000, &["", "BYMONTH=10,11"]),
    }
}

fn with(dice: &mut Dice, frequency: &str, interval_max: u64, days: &[&str]) -> Vec<String> {
    let mut parts = vec![format!("FREQ={frequency}")];
    if dice.one_in(2) {
        parts.push(format!("INTERVAL={}", 1 + dice.below(interval_max)));
    }
    parts.extend(Some(dice.pick(days).to_string()).filter(|days| !days.is_empty()));
    if frequency.ends_with("LY")
        && !["HOURLY", "MINUTELY", "SECONDLY"].contains(&frequency)
        && dice.one_in(4)
    {
        parts.push("BYHOUR=1,2,3;BYMINUTE=30".to_owned());
    }
    parts
}

/// Random numbers by a linear congruential generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }
}
