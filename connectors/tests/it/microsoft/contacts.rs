//! Contacts: folders and what lies in them, by their changes.

use serde_json::json;

use super::contact;
use super::stage::{Sector, World};

const OWN: &str = "contacts";

#[tokio::test]
async fn contacts_are_read_changed_and_removed() {
    let Some(mut world) = World::start("contacts", Sector::Contacts).await else {
        return;
    };
    for number in 0..7 {
        world
            .graph()
            .put(OWN, contact(&format!("c{number}"), "Ann"));
    }
    world.graph().put(
        "contactFolders",
        json!({"id": "f1", "displayName": "Work", "parentFolderId": "root"}),
    );
    world
        .graph()
        .put("contactFolders/f1/contacts", contact("w1", "Bob"));
    world.sync().await.unwrap();
    world.assert_equal("contacts", OWN);
    world.assert_equal("f1", "contactFolders/f1/contacts");
    let people = world.store.records("contacts.people");
    assert_eq!(people.len(), 8);
    assert_eq!(people["contacts/c0"].fields["full_name"], "Ann");
    assert_eq!(people["f1/w1"].fields["raw"]["displayName"], "Bob");

    world.graph().put(OWN, contact("c1", "Carol"));
    world.graph().remove(OWN, "c2");
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, ["c1", "c2"]);
    world.assert_equal("contacts", OWN);

    world.graph().remove("contactFolders", "f1");
    world.sync().await.unwrap();
    assert_eq!(world.store.records("contacts.people").len(), 6);
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, [""; 0]);
}

#[tokio::test]
async fn a_contact_that_moves_is_kept() {
    let Some(mut world) = World::start("a_contact_that_moves", Sector::Contacts).await else {
        return;
    };
    world
        .graph()
        .put("contactFolders", json!({"id": "f1", "displayName": "Work"}));
    world
        .graph()
        .put("contactFolders/f1/contacts", contact("a", "Ann"));
    world.graph().put(OWN, contact("b", "Bob"));
    world.sync().await.unwrap();
    // Each way: the own folder is told first.
    world.graph().remove("contactFolders/f1/contacts", "a");
    world.graph().put(OWN, contact("a", "Ann"));
    world.graph().remove(OWN, "b");
    world
        .graph()
        .put("contactFolders/f1/contacts", contact("b", "Bob"));
    world.sync().await.unwrap();
    let people = world.store.records("contacts.people");
    assert_eq!(
        people.keys().copied().collect::<Vec<_>>(),
        ["contacts/a", "f1/b"]
    );
}

#[tokio::test]
async fn a_folder_that_graph_lists_twice_is_read_once() {
    let Some(mut world) = World::start("listed_twice", Sector::Contacts).await else {
        return;
    };
    world.graph().put(OWN, contact("a", "Ann"));
    world.graph().put(
        "contactFolders",
        json!({"id": "own", "displayName": "Contacts"}),
    );
    world
        .graph()
        .singles
        .insert("contactFolders/contacts".to_owned(), json!({"id": "own"}));
    world.sync().await.unwrap();
    assert_eq!(world.store.records("contacts.people").len(), 1);
    assert_eq!(world.store.keys(""), ["contacts"]);
}

#[tokio::test]
async fn nobody_is_left_out_with_a_reason() {
    let Some(mut world) = World::start("nobody", Sector::Contacts).await else {
        return;
    };
    world.graph().put(
        OWN,
        json!({"id": "n", "displayName": null, "emailAddresses": []}),
    );
    world.graph().put(OWN, contact("a", "Ann"));
    world.sync().await.unwrap();
    assert_eq!(world.store.keys("contacts"), ["a"]);
    assert_eq!(world.store.skipped[0].key, "n");
}
