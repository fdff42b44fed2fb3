SET ROLE sextant_reader
