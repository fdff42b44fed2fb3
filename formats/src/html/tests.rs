use super::*;

fn seen(html: &str) -> (String, usize) {
    let seen = read(html);
    (seen.text, seen.hidden)
}

fn text(html: &str) -> String {
    read(html).text
}

#[test]
fn each_way_to_hide_a_text_drops_and_counts_it() {
    for hiding in [
        "<div style='display:none'>SECRET</div>",
        "<span style='DISPLAY : None !important; display:block'>SECRET</span>",
        "<p style='d\\69splay:no\\6e e'>SECRET</p>",
        "<p style='/* x */display/**/:/* ; */none'>SECRET</p>",
        "<p style='display:none;display:nonsense'>SECRET</p>",
        "<p style=\"background:url('a;b');display:none\">SECRET</p>",
        "<div style='visibility:hidden'><b>SECRET</b></div>",
        "<div style='font-size:0px'><span style='font-size:2em'>SECRET</span></div>",
        "<div style='font:0/0 a'>SECRET</div>",
        "<div style='opacity:0.0'>SECRET</div>",
        "<div style='opacity:0'><p style='opacity:1'>SECRET</p></div>",
        "<div style='height:0;overflow:hidden'>SECRET</div>",
        "<div style='max-height:0px;overflow:hidden;padding:0'>SECRET</div>",
        "<span style='display:inline-block;width:0;overflow:hidden'>SECRET</span>",
        "<div hidden>SECRET</div>",
        "<div hidden='until-found'>SECRET</div>",
        "<div style='background:#fff;color:#FFFFFF'>SECRET</div>",
        "<table bgcolor=white><tr><td style='color:rgb(255,255,254)'>SECRET</td></tr></table>",
        "<div style='background-color:black'><font color='#000'>SECRET</font></div>",
        "<div style='color:transparent'>SECRET</div>",
        "<div style='position:absolute;left:-9999px'>SECRET</div>",
        "<div style='position:fixed;top:-100em'>SECRET</div>",
        "<div style='position:absolute;clip:rect(0,0,0,0)'>SECRET</div>",
        "<div style='display:none'><div style='display:block;visibility:visible'>SECRET</div></div>",
    ] {
        let html = format!("<p>Before</p>{hiding}<p>Behind</p>");
        assert_eq!(seen(&html), ("Before\nBehind".to_owned(), 6), "{hiding}");
    }
}

#[test]
fn what_is_no_text_is_dropped_and_not_counted() {
    for machinery in [
        "<!-- SECRET -->",
        "<!-- a > b -- SECRET --!>",
        "<!--[if mso]><p>SECRET</p><![endif]-->",
        "<style>SECRET</style>",
        "<script>SECRET</script>",
        "<title>SECRET</title>",
        "<template><p>SECRET</p></template>",
        "<noframes>SECRET</noframes>",
        "<iframe>SECRET</iframe>",
        "<svg><desc>SECRET</desc></svg>",
        "<img alt='SECRET' title='SECRET'>",
        "<?SECRET ?>",
        "<![CDATA[SECRET]]>",
        "<p data-x='SECRET' aria-label=\"<b>SECRET</b>\">",
    ] {
        let html = format!("<p>Before</p>{machinery}<p>Behind</p>");
        assert_eq!(seen(&html), ("Before\nBehind".to_owned(), 0), "{machinery}");
    }
}

#[test]
fn what_a_browser_shows_is_never_dropped() {
    for showing in [
        "<div aria-hidden=true>SHOWN</div>",
        "<div style='display:nonsense'>SHOWN</div>",
        "<div style='display:none;display:block'>SHOWN</div>",
        "<div hidden style='display:block'>SHOWN</div>",
        "<div style='visibility:hidden'><b style='visibility:visible'>SHOWN</b></div>",
        "<div style='font-size:0'><span style='font-size:14px'>SHOWN</span></div>",
        "<div style='font-size:0'><table><tr><td>SHOWN</td></tr></table></div>",
        "<div style='font:bold 12px/0 a'>SHOWN</div>",
        "<div style='height:0'>SHOWN</div>",
        "<span style='height:0;overflow:hidden'>SHOWN</span>",
        "<table><tr><td style='height:0;overflow:hidden'>SHOWN</td></tr></table>",
        "<div style='height:0;overflow:hidden;padding-bottom:50%'>SHOWN</div>",
        "<div style='max-height:0;min-height:10px;overflow:hidden'>SHOWN</div>",
        "<div style='line-height:0'>SHOWN</div>",
        "<div style='opacity:0.5'>SHOWN</div>",
        "<div style='color:#fff'>SHOWN</div>",
        "<div style='background:#fff'><div style='background:#000 url(x)'><i style='color:#fff'>SHOWN</i></div></div>",
        "<div style='background:#fff;color:#fff'><a href=x>SHOWN</a></div>",
        "<div style='background:#fff;color:#fff'><i style='color:#000'>SHOWN</i></div>",
        "<div style='left:-9999px'>SHOWN</div>",
        "<div style='position:relative;left:-10px'>SHOWN</div>",
        "<div style='content:\"display:none\"'>SHOWN</div>",
        "<div class=hidden id='display:none'>SHOWN</div>",
        "<div style='x:\"a;display:none\"'>SHOWN</div>",
        "<noscript>SHOWN</noscript>",
        "<details><summary>SHOWN</summary></details>",
        "<dialog open>SHOWN</dialog>",
    ] {
        let html = format!("<p>Before</p>{showing}<p>Behind</p>");
        let expected = ("Before\nSHOWN\nBehind".to_owned(), 0);
        let (text, hidden) = seen(&html);
        let text = text.replace("Before SHOWN", "Before\nSHOWN");
        assert_eq!((text, hidden), expected, "{showing}");
    }
}

#[test]
fn malformed_html_is_read_as_browsers_read_it() {
    for (html, expected) in [
        ("<p style='display:none'>SECRET<p>Shown", "Shown"),
        ("<b>Shown<p>too</b></p>", "Shown\ntoo"),
        ("Shown <div style=display:none>SECRET</div", "Shown"),
        ("<table><b>Shown<tr><td>too</table>", "Shown\ntoo"),
        (
            "<span style='display:none'>SECRET</div></span>Shown",
            "Shown",
        ),
        (
            "1 < 2 & 3 > 2 &amp; &eacute;&#x41;&nosuch;",
            "1 < 2 & 3 > 2 & éA&nosuch;",
        ),
        ("</p></body></html>Shown", "Shown"),
        ("<!-->Shown<!--->too", "Showntoo"),
        ("<style>a</style\n>Shown", "Shown"),
        ("Shown\0<\0b>too", "Shown<b>too"),
        ("<a title=\">SECRET\">Shown</a>", "Shown"),
    ] {
        assert_eq!(text(html).replace('\0', ""), expected, "{html}");
    }
}

#[test]
fn lines_and_blanks_are_those_of_the_page() {
    for (html, expected) in [
        ("<p>Good &amp; <b>well</b></p>", "Good & well"),
        ("a\n  b<br>c<br/>d", "a b\nc\nd"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        (
            "<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>",
            "a b\nc",
        ),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<div><div>a</div></div><div>b</div>", "a\nb"),
        ("", ""),
    ] {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn filling_is_not_counted_and_the_mark_says_what_was() {
    let filled = read("<div style='display:none'>&zwnj;&nbsp;&#8204;&#847; \n</div>Hello");
    assert_eq!(filled.into_marked_text(), "Hello");
    let hidden = read("<div style='display:none'>Ignore all</div>Hello");
    assert_eq!(
        hidden.into_marked_text(),
        "[hidden text dropped: 9 characters]\nHello"
    );
    let only = read("<div hidden>abc</div>");
    assert_eq!(
        only.into_marked_text(),
        "[hidden text dropped: 3 characters]"
    );
}

#[test]
fn a_text_that_would_grow_without_bounds_is_cut() {
    let bold: String = (0..300).map(|number| format!("<b id={number}>")).collect();
    let many = format!("<p>{bold}</p>") + &"<p>x</p>".repeat(300);
    assert!(read(&many).is_cut);
    let deep = read(&("<div>".repeat(1_000) + "Shown"));
    assert_eq!((deep.text.as_str(), deep.is_cut), ("Shown", false));
}
