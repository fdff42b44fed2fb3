//! The most that an answer may take, in tokens of four bytes each.

use super::fault::CallFault;

/// The bytes that count as one token (docs/asking.md#limits).
pub(crate) const TOKEN_BYTES: usize = 4;
const TOKENS_MIN: u64 = 500;
/// The largest budget.
pub(crate) const TOKENS_MAX: u64 = 25_000;
const TOKENS_DEFAULT: usize = 8000;
/// A text in a selected column may take one part in so many of an answer.
const TEXT_SHARE: usize = 8;
/// The most characters of a text when the request has no `select`.
const UNASKED_TEXT_CHARS_MAX: usize = 300;
/// No text is clipped below this to make a row fit.
pub(crate) const TEXT_CHARS_MIN: usize = 40;

/// A budget within its bounds, in tokens.
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
    pub fn of(tokens: u64) -> Result<Self, CallFault> {
        if !(TOKENS_MIN..=TOKENS_MAX).contains(&tokens) {
            let nearest = tokens.clamp(TOKENS_MIN, TOKENS_MAX);
            return Err(CallFault::new(format!(
                "`budget` is {TOKENS_MIN} to {TOKENS_MAX} tokens, not {tokens}"
            ))
            .set("budget", nearest));
        }
        Ok(Self {
            tokens: usize::try_from(tokens).unwrap_or(TOKENS_DEFAULT),
        })
    }

    /// The budget in tokens.
    pub const fn tokens(self) -> usize {
        self.tokens
    }

    /// The most bytes of the whole answer.
    pub const fn bytes(self) -> usize {
        self.tokens * TOKEN_BYTES
    }

    /// The most characters of one text; fewer when the request has no `select`.
    pub fn text_chars(self, is_selected: bool) -> usize {
        let share = self.bytes() / TEXT_SHARE;
        if is_selected {
            share
        } else {
            share.min(UNASKED_TEXT_CHARS_MAX)
        }
    }
}
