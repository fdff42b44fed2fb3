CREATE DATABASE sextant OWNER sextant
