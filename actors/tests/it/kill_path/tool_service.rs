use futures_util::FutureExt as _;
use sextant_actors::domain::{
    AnswerHold, Call, Caller, Decision, EscapedText, Outcome, Reply, Sector, Served,
};
use sextant_actors::ports::{PortFuture, ToolCalls};

use super::clock::StagedClock;
use super::history::Log;
use super::stage::{Fate, Stage, crash};

/// A tool service that waits before it begins and before it answers, and names the grant under which it served.
pub struct StagedToolService {
    pub stage: Stage,
    pub log: Log,
    pub clock: StagedClock,
}

/// Work that panics when it is abandoned.
struct PanickingDrop {
    call: String,
    log: Log,
}

impl Drop for PanickingDrop {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.log.with(|history| history.session_crashed(&self.call));
            crash("the work panics as it is abandoned");
        }
    }
}

impl ToolCalls for StagedToolService {
    fn sector_of(&self, _: &Call) -> Option<Sector> {
        Some(Sector::Mail)
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        let (stage, log, clock) = (self.stage.clone(), self.log.clone(), self.clock.clone());
        Box::pin(async move {
            let id = call.request_id.clone().unwrap();
            let kind = call.arguments["do"].as_str().unwrap().to_owned();
            let panicking = (kind == "thorny").then(|| PanickingDrop {
                call: id.clone(),
                log: log.clone(),
            });
            log.with(|history| history.call_mut(&id).reached_desk = true);
            let begun = stage.point(format!("{id} begins"), &[Fate::Panic]);
            crash_on_panic(begun.await, &id, &log);
            let served = stage.point(format!("{id} is served"), &[Fate::Panic, Fate::Steal]);
            match served.await {
                Fate::Steal => end_as_it_returns(&id, &log, &clock),
                fate => crash_on_panic(fate, &id, &log),
            }
            std::mem::forget(panicking);
            answer(&kind, &caller)
        })
    }
}

fn crash_on_panic(fate: Fate, id: &str, log: &Log) {
    if fate == Fate::Panic {
        log.with(|history| history.session_crashed(id));
        crash("the tool service panics");
    }
}

/// Ends the session between the arrival of the answer and its return, as a DELETE on another thread may.
fn end_as_it_returns(id: &str, log: &Log, clock: &StagedClock) {
    let (client, lease) = log.with(|history| {
        history.ends_by_client(id);
        let call = history.call_mut(id);
        (call.client, call.lease)
    });
    let (log, lease) = (log.clone(), log.with(|history| history.lease(lease)));
    clock.steal(client, move || {
        log.with(|history| history.tally.note("a session ends as its call returns"));
        // The first poll closes the gate and sends the kill; nobody waits for the rest.
        let _ = lease.end().now_or_never();
    });
}

fn answer(kind: &str, caller: &Caller) -> Served {
    let sector = Some(Sector::Mail);
    let fault = |decision: Decision, outcome| Served {
        decision,
        outcome,
        sector,
        count: None,
        reply: Reply::Fault("refused".to_owned()),
        hold: AnswerHold::default(),
    };
    match kind {
        "deny" => fault(Decision::Deny("access denied: mail".into()), None),
        "fail" => fault(Decision::Allow, Some(Outcome::Error)),
        _ => Served {
            decision: Decision::Allow,
            outcome: Some(Outcome::Ok),
            sector,
            count: Some(1),
            reply: Reply::Answer(EscapedText::of(&names(caller.sectors))),
            hold: AnswerHold::default(),
        },
    }
}

/// The sectors of a grant, as an answer names them.
pub fn names(sectors: sextant_actors::domain::SectorSet) -> String {
    let names: Vec<&str> = sectors.iter().map(Sector::name).collect();
    names.join(",")
}
