//! A row as PostgreSQL sent it, to be read when it is written.

/// The cells of one row one behind the other, each as in PostgreSQL's own message: its length in four bytes, −1 for NULL, then
/// its bytes.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct RawRow(Vec<u8>);

/// The cells of a [`RawRow`], from the first to the last; `None` is NULL.
pub(crate) struct RawCells<'a>(&'a [u8]);

impl RawRow {
    /// A row without cells, with room for `bytes`.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// How many bytes its cells take.
    pub(crate) const fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Appends a cell. One of 2 GiB or more, which PostgreSQL does not have, becomes NULL.
    pub(crate) fn push(&mut self, cell: Option<&[u8]>) {
        let sized = cell.and_then(|bytes| Some((i32::try_from(bytes.len()).ok()?, bytes)));
        let (length, bytes) = sized.unwrap_or((-1, &[]));
        self.0.extend(length.to_be_bytes());
        self.0.extend(bytes);
    }

    pub(crate) fn cells(&self) -> RawCells<'_> {
        RawCells(&self.0)
    }
}

impl<'a> FromIterator<Option<&'a [u8]>> for RawRow {
    fn from_iter<T: IntoIterator<Item = Option<&'a [u8]>>>(cells: T) -> Self {
        let mut row = Self::default();
        cells.into_iter().for_each(|cell| row.push(cell));
        row
    }
}

impl<'a> Iterator for RawCells<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let (length, rest) = self.0.split_first_chunk()?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            self.0 = rest;
            return Some(None);
        };
        let (bytes, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_in_their_order_and_null_is_not_empty() {
        let cells = [Some(&b"one"[..]), None, Some(&b""[..]), Some(&[0, 255][..])];
        let row: RawRow = cells.into_iter().collect();
        assert_eq!(row.cells().collect::<Vec<_>>(), cells);
        assert_eq!(RawRow::default().cells().next(), None);
    }
}
