//! Tables of text in aligned columns.

/// Spaces between columns.
const GAP: usize = 2;

/// Rows with padded cells; the columns in `right` are aligned to the right, as numbers are.
pub(super) fn align_columns(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, &width))| match right.contains(&column) {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        let padded: Vec<String> = padded.collect();
        padded.join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_characters() {
        let rows = [["Größe", "1"], ["x", "200"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(align_columns(&rows, &[1]), ["Größe    1", "x      200"]);
    }
}
