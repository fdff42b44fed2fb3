//! What a person changes in their contacts, and what of it a round changes here.

use super::stage::Stage;

const NONE: [&str; 0] = [];
const DAY: i64 = 86_400;

#[tokio::test]
async fn r120_people_come_change_and_go() {
    let Some(mut stage) = Stage::start("r120_people_come").await else {
        return;
    };
    {
        let mut google = stage.google();
        google.book.page_max = 2;
        for id in ["c1", "c2", "c3", "c4", "c5"] {
            google.book.put(id, id, &[]);
        }
    }
    assert_eq!(stage.sync_contacts().await.unwrap().len(), 5);
    stage.assert_contacts_equal("first");
    let records = stage.contacts.records("contacts.people");
    let fields = &records["people/c1"].fields;
    assert_eq!(fields["uid"], "people/c1");
    assert_eq!(fields["updated_at"], "2026-01-02T03:04:05Z");
    assert_eq!(fields["emails"][0]["is_primary"], true);
    assert_eq!(
        stage.sync_contacts().await.unwrap(),
        NONE,
        "an unchanged round"
    );

    {
        let mut google = stage.google();
        google.book.put("c1", "Ada", &[]);
        google.book.delete("c2");
        google.book.put("c6", "Bob", &[]);
    }
    let changed = stage.sync_contacts().await.unwrap();
    assert_eq!(changed, ["people/c1", "people/c2", "people/c6"]);
    stage.assert_contacts_equal("changes");
    assert!(stage.asked().last().unwrap().contains("syncToken="));
}

#[tokio::test]
async fn merged_people_are_one() {
    let Some(mut stage) = Stage::start("merged_people").await else {
        return;
    };
    for id in ["c1", "c2", "c3"] {
        stage.google().book.put(id, id, &[]);
    }
    stage.sync_contacts().await.unwrap();
    stage.google().book.merge(["c1", "c2"], "c9", "both");
    let changed = stage.sync_contacts().await.unwrap();
    assert_eq!(changed, ["people/c1", "people/c2", "people/c9"]);
    stage.assert_contacts_equal("a new name");
    // One of the two may keep its name.
    stage.google().book.merge(["c3", "c9"], "c3", "all");
    assert_eq!(
        stage.sync_contacts().await.unwrap(),
        ["people/c3", "people/c9"]
    );
    stage.assert_contacts_equal("an old name");
}

#[tokio::test]
async fn a_token_of_people_lasts_seven_days_from_the_list_of_everything() {
    let Some(mut stage) = Stage::start("a_token_of_people").await else {
        return;
    };
    for id in ["c1", "c2"] {
        stage.google().book.put(id, id, &[]);
    }
    stage.sync_contacts().await.unwrap();
    for day in 1..10 {
        stage.google().clock += DAY;
        {
            let mut google = stage.google();
            google.book.put("c1", &format!("day {day}"), &[]);
            google.book.delete("c2");
        }
        stage.asked();
        stage.sync_contacts().await.unwrap();
        stage.assert_contacts_equal("each day");
        let asked = stage.asked();
        let lists = asked.iter().filter(|path| path.contains("/connections"));
        assert_eq!(lists.count(), if day == 8 { 2 } else { 1 }, "day {day}");
    }
}

#[tokio::test]
async fn groups_come_change_and_go() {
    let Some(mut stage) = Stage::start("groups_come").await else {
        return;
    };
    let (near, far) = ("contactGroups/1a", "contactGroups/2b");
    {
        let mut google = stage.google();
        for (group, name) in [(near, "Near"), (far, "Far")] {
            google.book.groups.insert(group.to_owned(), name.to_owned());
        }
        google.book.put("c1", "Ada", &[near]);
        google.book.put("c2", "Bob", &[near, far]);
        google.book.put("c3", "Cyd", &[]);
    }
    stage.sync_contacts().await.unwrap();
    stage.assert_contacts_equal("two groups");

    // Who is in a group is the people's to say, what it is called is its own.
    stage.google().book.put("c3", "Cyd", &[far]);
    let changed = stage.sync_contacts().await.unwrap();
    assert_eq!(changed, [far, "people/c3"]);
    stage.assert_contacts_equal("a member");
    stage
        .google()
        .book
        .groups
        .insert(far.to_owned(), "Abroad".to_owned());
    stage.sync_contacts().await.unwrap();
    stage.assert_contacts_equal("a name");

    stage.google().book.groups.remove(near);
    stage.sync_contacts().await.unwrap();
    stage.assert_contacts_equal("gone");
    assert_eq!(stage.sync_contacts().await.unwrap(), NONE);
}

#[tokio::test]
async fn nobody_at_all_is_an_answer() {
    let Some(mut stage) = Stage::start("nobody_at_all").await else {
        return;
    };
    assert_eq!(stage.sync_contacts().await.unwrap(), NONE);
    stage.google().book.put("c1", "Ada", &[]);
    stage.sync_contacts().await.unwrap();
    stage.google().book.delete("c1");
    assert_eq!(stage.sync_contacts().await.unwrap(), ["people/c1"]);
    stage.assert_contacts_equal("nobody");
}
