mod occurrences;
