//! occurrences
