//! A client that nobody here wrote claims a token at the stand-in and reads it: what it is told is what the stand-in keeps.

use serde_json::Value;
use tokio::process::Command;

use super::{World, day};
use crate::support::skipped;
use crate::support::stand_ins::contracts::{peers, root};
use crate::support::stand_ins::simplefin::{Bridge, Version};

#[tokio::test]
async fn what_an_independent_client_is_told_is_what_the_stand_in_keeps() {
    let test = "simplefin_what_an_independent_client_is_told";
    let python = peers().join("simplefin/bin/python");
    if !python.exists() {
        let missing = "the client of SimpleFIN is missing; run tests/peers/install.sh";
        skipped::for_want_of(test, missing);
        return;
    }
    let Some(world) = World::new(test).await else {
        return;
    };
    {
        let mut bridge = world.bridge();
        bridge.version = Version::One;
        let account = bridge.open("a", "giro", "Checking 1234");
        account.book("1", "-33.29", day(-1));
        account.book("2", "1200.00", day(-40));
        account.hold("3", "-4.50", day(0));
        bridge.open("b", "save", "Savings").balance = "-12.34";
        bridge.banks.get_mut("save").unwrap().trouble = Some(("con.auth", "sign in again"));
    }
    let plain = world.bridge.serve(test, None).await;
    let output = Command::new(python)
        .arg(root().join("tests/peers/bridge.py"))
        .arg(format!("http://{}", plain.address))
        .arg(Bridge::setup_token())
        .args([day(-60), day(1)].map(|at| at.timestamp().to_string()))
        .output()
        .await
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["errors"].as_array().map(Vec::len), Some(1), "{told}");
    let accounts = told["accounts"].as_array().unwrap();
    let names: Vec<_> = accounts.iter().map(|own| &own["name"]).collect();
    assert_eq!(names, ["Checking 1234", "Savings"]);
    assert_eq!(accounts[1]["balance"], "-12.34");
    let payments = accounts[0]["transactions"].as_array().unwrap();
    let amounts: Vec<_> = payments
        .iter()
        .map(|own| own["amount"].as_str().unwrap())
        .collect();
    assert_eq!(amounts, ["-33.29", "1200.00", "-4.50"]);
    assert_eq!(told["claimed again"], "SimpleFinClaimError", "{told}");
}
