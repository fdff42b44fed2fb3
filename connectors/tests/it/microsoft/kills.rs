//! Rounds that are cut off anywhere, while an account changes and Graph forgets its tokens: in the end the store equals it.

use super::stage::{Sector, World};
use super::trouble::object;
use crate::support::chance::Chance;

const SECTORS: [(Sector, &str, &str); 3] = [
    (Sector::Contacts, "contacts", "contacts"),
    (Sector::Mail, "in", "mailFolders/in/messages"),
    (Sector::Calendar, "cal", "calendars/cal/calendarView"),
];
const ITEMS: usize = 30;
const STEPS: usize = 12;

async fn run(world: &mut World, scope: &str, collection: &str, seed: u64) {
    let (mut chance, sector) = (Chance(seed), world.sector);
    world.graph().page_items = 4 + chance.below(8);
    for item in 0..ITEMS {
        let item = object(sector, &format!("i{item}"), "Ann");
        world.graph().put(collection, item);
    }
    for step in 0..STEPS {
        let pages = 1 + chance.below(4);
        world.sync_pages(pages).await.unwrap();
        for _ in 0..chance.below(8) {
            let id = format!("i{}", chance.below(ITEMS + 10));
            let mut graph = world.graph();
            match (chance.below(3), sector) {
                (0, _) => graph.remove(collection, &id),
                (1, Sector::Mail) => graph.mark(collection, &id, "isRead", (step % 2 == 0).into()),
                _ => graph.put(collection, object(sector, &id, &format!("Bob {step}"))),
            }
        }
        // Half of them keep their tokens; a pass anew would hide what the others must not lose.
        if seed % 2 == 1 && step % 4 == 3 {
            world.graph().age += 1;
        }
    }
    world.sync().await.unwrap();
    world.assert_equal(scope, collection);

    // A pass over everything changes nothing.
    world.store.positions.clear();
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, [""; 0], "{seed}");
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    for (sector, scope, collection) in SECTORS {
        for seed in 0..6 {
            let Some(mut world) = World::start("cut_off", sector).await else {
                return;
            };
            world.graph().put(
                "mailFolders",
                serde_json::json!({"id": "in", "displayName": "Inbox"}),
            );
            world.graph().put(
                "calendars",
                serde_json::json!({"id": "cal", "name": "Calendar"}),
            );
            run(&mut world, scope, collection, seed).await;
        }
    }
}
