//! How large an answer may be: a promise, in tokens of four bytes each.

use super::fault::Fault;

/// Bytes that are counted as one token (docs/asking.md#limits).
pub const TOKEN_BYTES: usize = 4;
const TOKENS_MIN: u64 = 500;
/// The largest budget there is.
pub const TOKENS_MAX: u64 = 25_000;
const TOKENS_DEFAULT: usize = 8000;
/// A text that was asked for by name may take this part of the answer.
const TEXT_SHARE: usize = 8;
/// Characters of a text that came along because nothing was selected.
const UNASKED_TEXT_CHARS_MAX: usize = 300;
/// No text is clipped below this to make a row fit.
pub const TEXT_CHARS_MIN: usize = 40;

/// A checked budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBudget {
    tokens: usize,
}

impl Default for TokenBudget {
    fn default() -> Self {
        Self {
            tokens: TOKENS_DEFAULT,
        }
    }
}

impl TokenBudget {
    /// The budget of `tokens`.
    ///
    /// # Errors
    /// When it is out of bounds.
    pub fn of(tokens: u64) -> Result<Self, Fault> {
        if !(TOKENS_MIN..=TOKENS_MAX).contains(&tokens) {
            let nearest = tokens.clamp(TOKENS_MIN, TOKENS_MAX);
            return Err(Fault::new(format!(
                "`budget` is {TOKENS_MIN} to {TOKENS_MAX} tokens, not {tokens}"
            ))
            .set("budget", nearest));
        }
        Ok(Self {
            tokens: usize::try_from(tokens).unwrap_or(TOKENS_DEFAULT),
        })
    }

    /// The tokens that were promised.
    pub const fn tokens(self) -> usize {
        self.tokens
    }

    /// The bytes that the whole answer may have.
    pub const fn bytes(self) -> usize {
        self.tokens * TOKEN_BYTES
    }

    /// The characters that one text may have; less when it was not asked for by name.
    pub fn text_chars(self, is_selected: bool) -> usize {
        let share = self.bytes() / TEXT_SHARE;
        if is_selected {
            share
        } else {
            share.min(UNASKED_TEXT_CHARS_MAX)
        }
    }
}
