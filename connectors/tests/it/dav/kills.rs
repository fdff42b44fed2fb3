//! Rounds that are cut off anywhere, while a server changes, forgets and cuts its lists: in the end the store equals it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::stage::{Stage, answer, bodies, discovery, multistatus, response};
use crate::support::store::Store;

/// Resources at the beginning: several lots.
const RESOURCES: usize = 120;
const STEPS: usize = 12;

/// A calendar that keeps count of its changes.
#[derive(Default)]
struct Counted {
    revision: usize,
    /// By name, the revision of its last change and whether it is there.
    resources: BTreeMap<usize, (usize, bool)>,
    /// How often it forgot its tokens: those of before are none any more.
    age: usize,
    /// Resources in a list.
    listed_max: usize,
}

impl Counted {
    fn change(&mut self, name: usize, is_there: bool) {
        self.revision += 1;
        self.resources.insert(name, (self.revision, is_there));
    }

    fn token(&self, revision: usize) -> String {
        format!("{}-{revision}", self.age)
    }

    /// What changed since a token, the earliest first.
    fn list(&self, token: &str) -> Vec<u8> {
        let from = match token.split_once('-') {
            Some((age, _)) if age != self.age.to_string() => {
                let body = "<e:error xmlns:e='DAV:'><e:valid-sync-token/></e:error>";
                return answer("403 Forbidden", body);
            }
            Some((_, from)) => from.parse().unwrap(),
            None => 0,
        };
        let resources = self.resources.iter();
        // Who asks for everything is told what there is, not what there was.
        let changed = resources
            .filter(|(_, (revision, is_there))| *revision > from && (*is_there || from > 0));
        let mut changed: Vec<_> = changed
            .map(|(name, (revision, is_there))| (*revision, *name, *is_there))
            .collect();
        changed.sort_unstable();
        let is_cut = changed.len() > self.listed_max;
        changed.truncate(self.listed_max);
        let to = match changed.last() {
            Some((revision, ..)) if is_cut => *revision,
            _ => self.revision,
        };
        let to = self.token(to);
        let mut told: String = changed.into_iter().map(told).collect();
        if is_cut {
            told += "<m:response><m:href>/op/cal/</m:href><m:status>HTTP/1.1 507 More</m:status></m:response>";
        }
        multistatus(&format!("{told}<m:sync-token>{to}</m:sync-token>"))
    }

    fn keys(&self) -> Vec<String> {
        let there = self.resources.iter().filter(|(_, (_, is_there))| *is_there);
        there.map(|(name, _)| href(*name)).collect()
    }
}

fn href(name: usize) -> String {
    format!("/op/cal/{name:04}.ics")
}

fn told((revision, name, is_there): (usize, usize, bool)) -> String {
    match is_there {
        true => response(&href(name), &format!("<m:getetag>{revision}</m:getetag>")),
        false => format!(
            "<m:response><m:href>{}</m:href><m:status>HTTP/1.1 404 Gone</m:status></m:response>",
            href(name)
        ),
    }
}

/// Numbers that look like chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

fn answer_as(counted: &Mutex<Counted>, request: &str) -> Vec<u8> {
    let counted = counted.lock().unwrap();
    if let Some(found) = discovery(request, &counted.token(counted.revision)) {
        return found;
    }
    if request.contains("calendar-multiget") {
        return bodies(request, |href| {
            let name = href.trim_start_matches("/op/cal/").trim_end_matches(".ics");
            match counted.resources.get(&name.parse().unwrap()) {
                Some((revision, true)) => Some(revision.to_string()),
                _ => None,
            }
        });
    }
    let token = request.split("<D:sync-token>").nth(1).unwrap();
    counted.list(token.split('<').next().unwrap())
}

async fn run(stage: &Stage, seed: u64) {
    let mut chance = Chance(seed);
    let counted = Arc::new(Mutex::new(Counted::default()));
    // Half of the servers cut their lists and forget their tokens; a pass anew would hide what the others must not lose.
    let is_forgetful = seed % 2 == 1;
    counted.lock().unwrap().listed_max = match is_forgetful {
        true => 20 + chance.below(80),
        false => usize::MAX,
    };
    for name in 0..RESOURCES {
        counted.lock().unwrap().change(name, true);
    }
    let server = Arc::clone(&counted);
    let server = stage
        .serve(move |request| answer_as(&server, request))
        .await;
    let led = [("*.icloud.test", &server)];
    let mut store = Store::default();
    for step in 0..STEPS {
        let pages = 2 + chance.below(2);
        stage.sync_pages(&mut store, &led, pages).await.unwrap();
        let mut counted = counted.lock().unwrap();
        for _ in 0..chance.below(8) {
            let is_there = chance.below(2) == 0;
            counted.change(chance.below(RESOURCES + 20), is_there);
        }
        if is_forgetful && step % 4 == 3 {
            counted.age += 1;
        }
    }
    stage.sync(&mut store, &led).await.unwrap();
    assert_eq!(
        store.keys("/op/cal"),
        counted.lock().unwrap().keys(),
        "{seed}"
    );
    for ((_, key), item) in store
        .items
        .iter()
        .filter(|((scope, _), _)| scope == "/op/cal")
    {
        let name: usize = key[8..12].parse().unwrap();
        let revision = counted.lock().unwrap().resources[&name].0.to_string();
        assert_eq!((key, &item.version), (key, &revision), "{seed}");
    }
    let token = {
        let counted = counted.lock().unwrap();
        counted.token(counted.revision)
    };
    assert_eq!(store.positions["/op/cal"], json!({"token": token}));

    // A pass over everything changes nothing.
    store.positions.clear();
    stage.sync(&mut store, &led).await.unwrap();
    assert_eq!(store.changed, [""; 0], "{seed}");
}

#[tokio::test]
async fn rounds_that_are_cut_off_anywhere_lose_nothing() {
    let Some(stage) = Stage::new("rounds_that_are_cut_off") else {
        return;
    };
    for seed in 0..8 {
        run(&stage, seed).await;
    }
}
