use super::*;

fn booking(id: u128, place: usize, day: u32) -> Booking {
    Booking {
        id: Uuid::from_u128(id),
        place,
        booked_on: date(day),
        value_on: None,
        made_on: None,
        text: None,
        is_pending: false,
        filled: 0,
    }
}

fn date(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, day).unwrap()
}

fn told(id: u128, place: usize, day: u32, text: &str) -> Booking {
    Booking {
        text: Some(text.to_owned()),
        ..booking(id, place, day)
    }
}

/// The ids that are hidden, each beside the one that is served.
fn hides(bucket: &[Booking]) -> Vec<(u128, u128)> {
    let mut reversed = bucket.to_vec();
    reversed.reverse();
    let found = hidden(bucket.to_vec());
    assert_eq!(found, hidden(reversed), "the order of rows tells nothing");
    let pairs = found.into_iter();
    pairs
        .map(|(own, by)| (own.as_u128(), by.as_u128()))
        .collect()
}

#[test]
fn r124_among_equal_ones_the_larger_sources_count_is_served() {
    let two = [booking(1, 0, 1), booking(2, 0, 1)];
    let three = [booking(3, 1, 1), booking(4, 1, 1), booking(5, 1, 1)];
    assert_eq!(hides(&[two.as_slice(), &three].concat()), [(3, 1), (4, 2)]);
    let fuller = three.map(|own| Booking { filled: 9, ..own });
    assert_eq!(hides(&[two.as_slice(), &fuller].concat()), [(1, 3), (2, 4)]);
    assert_eq!(hides(&two), [], "one account tells two payments apart");
}

#[test]
fn r124_two_coffees_on_two_days_are_two() {
    assert_eq!(
        hides(&[told(1, 0, 1, "coffee"), told(2, 1, 2, "coffee")]),
        []
    );
    let mut late = told(2, 1, 3, "coffee");
    late.made_on = Some(date(1));
    assert_eq!(hides(&[told(1, 0, 1, "coffee"), late.clone()]), [(2, 1)]);
    assert_eq!(
        hides(&[told(1, 0, 1, "tea"), late.clone()]),
        [],
        "another text"
    );
    assert_eq!(hides(&[booking(1, 0, 1), late.clone()]), [], "no text");
    let mut next = told(1, 0, 1, "coffee");
    next.made_on = Some(date(2));
    assert_eq!(
        hides(&[next, late.clone()]),
        [],
        "each was made on a day of its own"
    );
    late.booked_on = date(5);
    assert_eq!(hides(&[told(1, 0, 1, "coffee"), late]), [], "too far apart");
}

#[test]
fn one_text_is_matched_before_one_day() {
    let own = [told(1, 0, 1, "book"), told(2, 0, 1, "coffee")];
    assert_eq!(
        hides(&[&own[..], &[told(3, 1, 1, "coffee")]].concat()),
        [(3, 2)]
    );
    assert_eq!(
        hides(&[&own[..], &[told(3, 1, 1, "tea")]].concat()),
        [(3, 1)]
    );
}

#[test]
fn a_posted_one_is_served_before_a_pending_one_then_fields_count() {
    let pending = Booking {
        is_pending: true,
        filled: 9,
        ..booking(1, 0, 1)
    };
    assert_eq!(hides(&[pending, booking(2, 1, 1)]), [(1, 2)]);
    let fuller = Booking {
        filled: 1,
        ..booking(2, 1, 1)
    };
    assert_eq!(hides(&[booking(1, 0, 1), fuller]), [(1, 2)]);
    assert_eq!(hides(&[booking(9, 0, 1), booking(2, 1, 1)]), [(2, 9)]);
}

#[test]
fn three_sources_are_one_count_too() {
    let all = [
        booking(1, 0, 1),
        booking(2, 1, 1),
        booking(3, 1, 1),
        booking(4, 2, 1),
        booking(5, 2, 1),
        booking(6, 2, 1),
    ];
    assert_eq!(hides(&all).len(), 3, "three of six are served");
}

/// Random buckets: of each day the largest count of a source is served where nothing but the day is told; each booking stands for itself
/// or for one that is served; and of one source no two are one.
#[test]
fn r124_each_booking_is_served_once_and_none_is_lost() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..2_000 {
        let mut bucket = Vec::new();
        for id in 0..next(12) {
            let mut own = booking(u128::from(id) + 1, usize::try_from(next(3)).unwrap(), 1);
            own.booked_on = date(u32::try_from(next(5)).unwrap() + 1);
            own.filled = i32::try_from(next(3)).unwrap();
            own.is_pending = next(4) == 0;
            if next(2) == 0 {
                own.text = Some(["tea", "coffee"][usize::from(next(2) == 0)].to_owned());
                own.value_on = Some(date(u32::try_from(next(5)).unwrap() + 1));
            }
            bucket.push(own);
        }
        let found = hidden(bucket.clone());
        let by_id: BTreeMap<Uuid, &Booking> = bucket.iter().map(|own| (own.id, own)).collect();
        let mut stands_for: BTreeMap<(Uuid, usize), usize> = BTreeMap::new();
        for own in &bucket {
            let served = found.get(&own.id).copied().unwrap_or(own.id);
            assert!(!found.contains_key(&served), "a served one is not hidden");
            *stands_for.entry((served, own.place)).or_default() += 1;
            let (own, served) = (by_id[&own.id], by_id[&served]);
            assert!((own.booked_on - served.booked_on).abs() <= APART_MAX * 2);
        }
        assert!(stands_for.values().all(|count| *count == 1));
        for day in 1..=5 {
            let of = |place| {
                let on_day = bucket.iter().filter(|own| own.booked_on == date(day));
                on_day.filter(|own| own.place == place).count()
            };
            let largest = (0..3).map(of).max().unwrap();
            let served: std::collections::BTreeSet<Uuid> = bucket
                .iter()
                .filter(|own| own.booked_on == date(day))
                .map(|own| found.get(&own.id).copied().unwrap_or(own.id))
                .collect();
            assert!(served.len() >= largest);
        }
    }
}
