//! The files in `static/`: in the binary of a release build, read from the sources' directory by a debug build, so that an edit shows
//! at the next load.

use std::borrow::Cow;
use std::path::Path;

use actix_web::http::header::{self, ETag, EntityTag, Header as _, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse};
use rust_embed::{Embed, EmbeddedFile};

use crate::http::problem::{Code, Problem};

#[derive(Embed)]
#[folder = "static/"]
struct PageFiles;

/// Media types by the ending of a name; text, where it has none.
const MEDIA: [(&str, &str); 6] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("woff2", "font/woff2"),
];

/// Answers a file, or that the browser has it already (RFC 9110 §13.1.2). It is asked for at every load, so that a page never mixes
/// the files of two versions.
///
/// # Errors
/// `not_found` for any other name.
pub(super) fn answer(request: &HttpRequest, name: &str) -> Result<HttpResponse, Problem> {
    let file = PageFiles::get(name)
        .ok_or_else(|| Problem::new(Code::NotFound, "the page has no such file"))?;
    let tag = entity_tag(&file);
    let is_known = is_known(request, &tag);
    let mut response = if is_known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::Ok()
    };
    response
        .insert_header(ETag(tag))
        .insert_header((header::CACHE_CONTROL, "no-cache"));
    if is_known {
        return Ok(response.finish());
    }
    let response = response.content_type(media(name));
    Ok(match file.data {
        Cow::Borrowed(bytes) => response.body(bytes),
        Cow::Owned(bytes) => response.body(bytes),
    })
}

/// The digest of the bytes.
fn entity_tag(file: &EmbeddedFile) -> EntityTag {
    let digest = file.metadata.sha256_hash();
    EntityTag::new_strong(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether the request names this tag.
fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(tag)),
        Ok(IfNoneMatch::Any) | Err(_) => false,
    }
}

fn media(name: &str) -> &'static str {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    let known = MEDIA.iter().find(|(known, _)| Some(*known) == ending);
    known.map_or("text/plain; charset=utf-8", |(_, media)| media)
}
