//! Whose sign-in it is, by what the sign-in may see.

use serde_json::{Value, json};
use sextant_connectors::failure::FailureKind;
use sextant_connectors::microsoft::{GraphAccount, account_of};

use super::message;
use super::stage::{Sector, World};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire::raw;

fn account(identity: &str, address: Option<&str>) -> Option<GraphAccount> {
    Some(GraphAccount {
        identity: identity.to_owned(),
        address: address.map(str::to_owned),
    })
}

#[tokio::test]
async fn an_account_is_known_by_what_the_sign_in_may_see() {
    let Some(world) = World::start("account", Sector::Contacts).await else {
        return;
    };
    let bearer = world.bearer();
    let see = |path: &str, object: Value| {
        world.graph().singles.insert(path.to_owned(), object);
    };
    assert_eq!(account_of(&bearer).await, Ok(None));
    see("contactFolders/contacts", json!({"id": "co-1"}));
    assert_eq!(account_of(&bearer).await, Ok(account("co-1", None)));
    see("mailFolders/inbox", json!({"id": "in-1"}));
    assert_eq!(account_of(&bearer).await, Ok(account("in-1", None)));
    let owner = json!({"id": "c", "owner": {"name": "Ann", "address": "Ann@Example.com"}});
    see("calendar", owner);
    let ann = account("ann@example.com", Some("ann@example.com"));
    assert_eq!(account_of(&bearer).await, Ok(ann));

    world.graph().scopes = vec!["Mail.Read", "Contacts.Read"];
    assert_eq!(account_of(&bearer).await, Ok(account("in-1", None)));
    // A server that fails is no other account.
    let away = |_: &str| raw(503, "", "");
    world.graph().faults.once("/calendar", Law::Broken, away);
    assert_eq!(
        account_of(&bearer).await.unwrap_err().kind,
        FailureKind::Unavailable
    );
}

#[tokio::test]
async fn with_mail_alone_the_address_is_the_one_that_the_persons_own_mail_is_from() {
    let Some(world) = World::start("own_address", Sector::Mail).await else {
        return;
    };
    let bearer = world.bearer();
    world.graph().scopes = vec!["Mail.Read"];
    let inbox = json!({"id": "in-1"});
    world
        .graph()
        .singles
        .insert("mailFolders/inbox".to_owned(), inbox);
    let sent = |id: &str, from: &str, sender: &str| {
        let mut sent = message(id, "Hello");
        for (field, address) in [("from", from), ("sender", sender)] {
            sent[field] = json!({"emailAddress": {"name": "Ann", "address": address}});
        }
        world.graph().put("mailFolders/sentitems/messages", sent);
    };
    // Sent for somebody else, or by somebody else.
    sent("a", "boss@example.com", "ann@example.com");
    assert_eq!(account_of(&bearer).await, Ok(account("in-1", None)));
    sent("b", "Ann@Example.com", "Ann@Example.com");
    let ann = account("in-1", Some("ann@example.com"));
    assert_eq!(account_of(&bearer).await, Ok(ann));
    // With contacts alone nobody may look there.
    world.graph().scopes = vec!["Contacts.Read"];
    let contacts = json!({"id": "co-1"});
    let at = "contactFolders/contacts".to_owned();
    world.graph().singles.insert(at, contacts);
    assert_eq!(account_of(&bearer).await, Ok(account("co-1", None)));
}
