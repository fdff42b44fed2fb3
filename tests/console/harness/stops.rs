//! The page by the keyboard alone: every stop of Tab has a name, and a focus that is seen.

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::eventually::eventually;

/// More than any page here has.
const STOPS_MAX: usize = 80;

/// The name of what has the focus, and whether it, or what it lies in, is seen to have it.
const STOP: &str = "const at = document.activeElement; \
    const hasOutline = (element) => { const style = getComputedStyle(element); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0; }; \
    const around = []; for (let element = at; element; element = element.parentElement) around.push(element); \
    const isSeen = around.some(hasOutline) || getComputedStyle(at).boxShadow !== 'none'; \
    const label = at.getAttribute('aria-label') ?? (at.labels?.length ? at.labels[0].innerText : at.innerText) ?? ''; \
    return { isNothing: at === document.body, isSeen, name: label.replace(/\\s+/g, ' ').trim(), what: at.outerHTML.slice(0, 200) }";

impl Browser {
    /// Presses Tab until what has the focus has a name that begins so.
    pub async fn tab_to(&self, name: &str) {
        for _ in 0..STOPS_MAX {
            self.press(&[Key::Tab]).await;
            let stop = self.stop().await;
            if stop["isNothing"] == true {
                continue;
            }
            let own = stop["name"].as_str().unwrap();
            assert!(!own.is_empty(), "a stop without a name: {stop}");
            assert_eq!(stop["isSeen"], true, "the focus is not seen: {stop}");
            if own.starts_with(name) {
                return;
            }
        }
        panic!("no stop is named {name}");
    }

    /// The same on a page of somebody else, whose stops may be as they are and whose names only contain it.
    pub async fn tab_to_elsewhere(&self, name: &str) {
        for _ in 0..STOPS_MAX {
            self.press(&[Key::Tab]).await;
            let stop = self.stop().await;
            let is_something = stop["isNothing"] == false;
            if is_something && stop["name"].as_str().unwrap().contains(name) {
                return;
            }
        }
        panic!("no stop has {name} in its name");
    }

    /// Waits until what has the focus has a name that begins so, and is seen to have it.
    pub async fn focus_is_on(&self, name: &str) {
        let mut stop = json!({});
        eventually(&format!("{name} has the focus"), async || {
            stop = self.stop().await;
            stop["isNothing"] == false && stop["name"].as_str().unwrap().starts_with(name)
        })
        .await;
        assert_eq!(stop["isSeen"], true, "the focus is not seen: {stop}");
    }

    /// Types where the focus is.
    pub async fn type_here(&self, text: &str) {
        let field = self.client.active_element().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    async fn stop(&self) -> Value {
        self.run(STOP, vec![]).await
    }
}
