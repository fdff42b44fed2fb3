//! Colours that the system forces: what is on, chosen, focused or in a state is told apart without the page's own colours.

use serde_json::json;

use crate::harness::in_browser;

/// What of the screen cannot be told apart.
const LOST: &str = "\
    const lost = []; \
    const style = (element) => getComputedStyle(element); \
    if (!matchMedia('(forced-colors: active)').matches) lost.push('colours are not forced'); \
    const hasOutline = (element) => style(element).outlineStyle !== 'none' && parseFloat(style(element).outlineWidth) > 0; \
    const places = [...document.querySelectorAll('nav[aria-label=Places] a')]; \
    for (const place of places) if (hasOutline(place) !== (place.getAttribute('aria-current') === 'page')) lost.push(`place ${place.innerText}`); \
    for (const mark of document.querySelectorAll('.state svg')) if (style(mark).stroke === style(document.body).backgroundColor) lost.push('state'); \
    const hasBorder = (element) => style(element).borderTopStyle !== 'none' && parseFloat(style(element).borderTopWidth) > 0; \
    for (const framed of document.querySelectorAll('.switch, .badge')) if (!hasBorder(framed)) lost.push(framed.outerHTML.slice(0, 80)); \
    const switches = [...document.querySelectorAll('input[role=switch]')]; \
    const [on, off] = [switches.find((own) => own.checked), switches.find((own) => !own.checked)]; \
    if (on && off && style(on).backgroundColor === style(off).backgroundColor) lost.push('switches'); \
    return lost";

#[test]
fn what_is_on_chosen_focused_or_in_a_state_is_told_apart_in_forced_colours() {
    in_browser("forced_colours", async |console| {
        console.load_sample().await;
        console.service.key("claude", &["mail"]).await;
        let page = &console.browser;
        page.force_colours().await;
        for screen in [
            "/connections",
            "/agents",
            "/activity",
            "/data",
            "/settings/system",
        ] {
            page.open(screen).await;
            assert_eq!(page.run(LOST, vec![]).await, json!([]), "{screen}");
            page.press(&[fantoccini::key::Key::Tab]).await;
            let ring = "const style = getComputedStyle(document.activeElement); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1";
            assert_eq!(page.run(ring, vec![]).await, json!(true), "{screen}");
        }
    });
}
