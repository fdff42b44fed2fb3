#!/usr/bin/env python3
"""Writes a mailbox of a given size to standard output: the same bytes each time.

usage: large_mbox.py MEGABYTES

Four of five messages are short texts, one has an attachment of 200 KB, and one in a hundred one of 8 MB: by
bytes mostly attachments, by number mostly text, as mailboxes are.
"""

import base64
import random
import sys

WORDS = "the a mail of about tomorrow meeting invoice train holiday please thanks attached see you later".split()
BLOCK = 57 * 1024


def text(chance):
    lines = (" ".join(chance.choices(WORDS, k=12)) for _ in range(chance.randint(3, 40)))
    return "\n".join(lines)


def attachment(block, size):
    return (block * (size // BLOCK + 1)).decode("ascii")


def message(number, chance, block):
    size = 8_000_000 if number % 100 == 99 else 200_000 if number % 5 == 4 else 0
    day, minute = number // 100, number % 60
    head = (
        f"From person{number % 50}@example.com Thu Jan  1 06:{minute:02}:00 2015\n"
        f"Received: from a.example.com by b.example.com; Thu, 1 Jan 2015 06:{minute:02}:00 +0000\n"
        f"Message-ID: <{number}@example.com>\nFrom: Person {number % 50} <person{number % 50}@example.com>\n"
        f"To: Ann <ann@example.com>\nSubject: Message {number} of day {day}\nDate: Thu, 1 Jan 2015 06:{minute:02}:00 +0000\n"
    )
    if number % 3 and number:
        head += f"References: <{number - number % 3}@example.com>\n"
    if not size:
        return f"{head}\n{text(chance)}\n\n"
    return (
        f'{head}Content-Type: multipart/mixed; boundary="part"\n\n--part\nContent-Type: text/plain\n\n{text(chance)}\n'
        f'--part\nContent-Type: application/pdf; name="{number}.pdf"\nContent-Transfer-Encoding: base64\n\n'
        f"{attachment(block, size)}--part--\n\n"
    )


def main():
    wanted = int(sys.argv[1]) * 1_000_000
    chance = random.Random(1)
    block = base64.encodebytes(chance.randbytes(BLOCK))
    written = number = 0
    while written < wanted:
        bytes_of = message(number, chance, block).encode("ascii")
        sys.stdout.buffer.write(bytes_of)
        written += len(bytes_of)
        number += 1


main()
