//! What is on the screen, by role and name: as a person finds it, and a screen reader says it.

use fantoccini::elements::{Element, ElementRef};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::eventually::eventually;

/// How WebDriver writes an element in JSON (W3C WebDriver, elements).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const FIND: &str = include_str!("find.js");

#[derive(Clone, Copy, Debug)]
pub enum Role {
    Button,
    Link,
    Field,
    Checkbox,
    Radio,
    Switch,
    Dialog,
}

/// What has a role and a name: exactly this one, else one that begins with it, else one that contains it.
pub struct Locator<'a> {
    browser: &'a Browser,
    role: Role,
    name: String,
}

impl<'a> Locator<'a> {
    pub fn new(browser: &'a Browser, role: Role, name: &str) -> Self {
        Self {
            browser,
            role,
            name: name.to_owned(),
        }
    }

    /// Waits until it is there.
    pub async fn found(&self) -> Element {
        let mut found = None;
        eventually(
            &format!("there is {:?} {:?}", self.role, self.name),
            async || {
                found = self.look().await;
                found.is_some()
            },
        )
        .await;
        found.unwrap()
    }

    /// Whether it is there now.
    pub async fn is_there(&self) -> bool {
        self.look().await.is_some()
    }

    /// Waits until it is gone.
    pub async fn is_gone(&self) {
        let what = format!("{:?} {:?} is gone", self.role, self.name);
        eventually(&what, async || !self.is_there().await).await;
    }

    pub async fn click(&self) {
        // The driver scrolls only to what is outside the window, not to what lies below the bar of a narrow page.
        let near = "arguments[0].scrollIntoView({ block: 'nearest', behavior: 'instant' })";
        // What is found may be drawn anew before it is clicked.
        let what = format!("{:?} {:?} is clicked", self.role, self.name);
        eventually(&what, async || match self.look().await {
            Some(element) => {
                let there = vec![reference(&element)];
                self.browser.client.execute(near, there).await.is_ok()
                    && element.click().await.is_ok()
            }
            None => false,
        })
        .await;
    }

    /// Replaces the text of a field.
    pub async fn fill(&self, text: &str) {
        let what = format!("{:?} {:?} is filled", self.role, self.name);
        eventually(&what, async || match self.look().await {
            Some(field) => field.clear().await.is_ok() && field.send_keys(text).await.is_ok(),
            None => false,
        })
        .await;
    }

    /// Types into it, after what is there.
    pub async fn type_text(&self, text: &str) {
        self.found().await.send_keys(text).await.unwrap();
    }

    /// Chooses an option of a `<select>` by its text.
    pub async fn choose(&self, option: &str) {
        let script = "const [select, text] = arguments; \
            const own = [...select.options].find((option) => option.text.trim() === text); \
            if (!own) return [...select.options].map((option) => option.text); \
            select.value = own.value; select.dispatchEvent(new Event('change', { bubbles: true })); return true;";
        let field = self.found().await;
        let chosen = self
            .browser
            .run(script, vec![reference(&field), json!(option)])
            .await;
        assert_eq!(chosen, json!(true), "there is no option {option:?}");
    }

    /// Waits until a switch or a box is on, or off.
    pub async fn becomes(&self, is_on: bool) {
        let what = format!("{:?} {:?} is {is_on}", self.role, self.name);
        eventually(&what, async || match self.look().await {
            Some(element) => element.is_selected().await.is_ok_and(|on| on == is_on),
            None => false,
        })
        .await;
    }

    pub async fn is_enabled(&self) -> bool {
        self.found().await.is_enabled().await.unwrap()
    }

    pub async fn has_focus(&self) -> bool {
        let element = self.found().await;
        let script = "return document.activeElement === arguments[0]";
        self.browser.run(script, vec![reference(&element)]).await == json!(true)
    }

    async fn look(&self) -> Option<Element> {
        let role = format!("{:?}", self.role).to_lowercase();
        let found = self
            .browser
            .run(FIND, vec![json!(role), json!(self.name)])
            .await;
        let id = found.get(ELEMENT)?.as_str()?.to_owned();
        Some(Element::from_element_id(
            self.browser.client.clone(),
            ElementRef::from(id),
        ))
    }
}

fn reference(element: &Element) -> Value {
    json!({ ELEMENT: element.element_id().to_string() })
}
