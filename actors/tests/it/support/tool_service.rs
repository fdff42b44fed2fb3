use std::future::pending;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use sextant_actors::domain::{
    AnswerHold, Call, Caller, Decision, EscapedText, Outcome, Reply, Sector, Served,
};
use sextant_actors::ports::{PortFuture, ToolCalls};

use super::faults::{Bomb, Fact};

type Hook = Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>;

/// A tool service that serves by the arguments:
/// `{"do": "hang" | "panic" | "panic when called" | "panic when dropped" | "deny" | "fail"}`, else an answer that names the caller's sectors.
#[derive(Clone, Default)]
pub struct FakeToolService {
    /// A call has reached the tool service.
    pub begun: Fact,
    /// A hanging call has been abandoned.
    pub abandoned: Fact,
    before_answer: Arc<Mutex<Option<Hook>>>,
}

struct Abandoned(Fact);

impl Drop for Abandoned {
    fn drop(&mut self) {
        self.0.happened();
    }
}

impl FakeToolService {
    /// Runs just before the next answer is given.
    pub fn before_answer(&self, hook: impl FnOnce() -> BoxFuture<'static, ()> + Send + 'static) {
        *self.before_answer.lock().unwrap() = Some(Box::new(hook));
    }
}

impl ToolCalls for FakeToolService {
    fn sector_of(&self, call: &Call) -> Option<Sector> {
        let target = call.arguments.get("target")?.as_str()?;
        assert_ne!(target, "panic", "the tool service panics over the target");
        target.split('.').next()?.parse().ok()
    }

    fn serve(&self, caller: Caller, call: Call) -> PortFuture<Served> {
        assert_ne!(
            call.arguments.get("do").and_then(|word| word.as_str()),
            Some("panic when called"),
            "the tool service panics when called"
        );
        let tool_service = self.clone();
        Box::pin(async move {
            tool_service.begun.happened();
            let sector = tool_service.sector_of(&call);
            let what = call.arguments.get("do").and_then(|word| word.as_str());
            let served = match what {
                Some("hang") => {
                    let _abandoned = Abandoned(tool_service.abandoned.clone());
                    pending().await
                }
                Some("panic") => panic!("the tool service panics"),
                Some("panic when dropped") => {
                    let _bomb = Bomb;
                    pending().await
                }
                Some("deny") => Served {
                    decision: Decision::Deny("access denied: mail".into()),
                    outcome: None,
                    sector,
                    count: None,
                    reply: Reply::Fault("access denied: mail".to_owned()),
                    hold: AnswerHold::default(),
                },
                Some("fail") => Served {
                    decision: Decision::Allow,
                    outcome: Some(Outcome::Error),
                    sector,
                    count: None,
                    reply: Reply::Fault("no such column".to_owned()),
                    hold: AnswerHold::default(),
                },
                _ => Served {
                    decision: Decision::Allow,
                    outcome: Some(Outcome::Ok),
                    sector,
                    count: Some(2),
                    reply: Reply::Answer(EscapedText::of(&names(&caller))),
                    hold: AnswerHold::default(),
                },
            };
            let hook = tool_service.before_answer.lock().unwrap().take();
            if let Some(hook) = hook {
                hook().await;
            }
            served
        })
    }
}

/// The caller's sectors, as the answer names them.
fn names(caller: &Caller) -> String {
    let names: Vec<&str> = caller.sectors.iter().map(Sector::name).collect();
    names.join(",")
}
