"""Damage to HDF5 files that knows where their structures are, and mends the checksums that would give it away."""

import re

from checksum import checked_length, checksum

SIGNATURES = re.compile(
    rb"\x89HDF|OHDR|OCHK|TREE|HEAP|GCOL|SNOD|FRHP|FHDB|FHIB|BTHD|BTIN|BTLF|FSHD|FSSE|FAHD|FADB|EAHD|EAIB|EASB|EADB|SMTB|SMLI"
    # object headers of the older format have none: version, a few messages, a count of one link
    rb"|\x01\x00[\x00-\x20]\x00[\x01-\x04]\x00\x00\x00"
)
BYTES = (0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 129, 200, 254, 255)
POWERS = [2**n for n in (7, 8, 12, 15, 16, 20, 24, 28, 29, 30, 31, 32, 33, 40, 48, 60, 61, 62, 63)]
WIDE = sorted({n + d for n in POWERS for d in (-1, 0, 1, 3)} | {0, 1, 2, 3, 4, 8, 60, 480, 2**64 - 1, 2**64 - 2, 2**64 - 8})
REACH = 1600  # bytes behind a signature in which a checksum is looked for


class Seed:
    """A whole file and where its structures are."""

    def __init__(self, name, data):
        self.name = name
        self.data = data
        self.structures = []  # (start, bytes that have a checksum behind them, or 0)
        for match in SIGNATURES.finditer(data):
            start = match.start()
            if match[0][0] == 1 and start % 8 != 0:
                continue
            # Those of the older format, and blocks of heaps as a rule, have none; a superblock has it in one place.
            checked = match[0][:1] in b"OFEBS\x89" and match[0] not in (b"SNOD", b"FHDB")
            reach = 52 if match[0][0] == 0x89 else REACH
            length = checked_length(bytes(data[start : start + reach]), reach - 4) if checked else 0
            self.structures.append((start, length))


class Mutator:
    """Makes damaged files from whole ones; the same with the same random numbers."""

    def __init__(self, seeds, random):
        self.seeds = seeds
        self.random = random
        self.steps = (
            [self.structure_bytes] * 8 + [self.structure_number] * 6 + [self.pointer] * 5 + [self.number] * 3
            + [self.flip] * 2 + [self.copy] * 2 + [self.fill, self.cut, self.splice, self.shift, self.text]
        )

    def make(self):
        """A whole file, and what came of it."""
        seed = self.random.choice(self.seeds)
        self.seed = seed
        self.data = bytearray(seed.data)
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 5))):
            if self.data:
                self.random.choice(self.steps)()
        if len(self.data) == len(seed.data) and self.random.random() < 0.9:
            self.mend()
        return seed.name, bytes(self.data)

    def mend(self):
        # Inner structures first: headers may hold checksums of what they point to, never the other way round.
        for start, length in reversed(self.seed.structures):
            if length and self.data[start : start + length] != self.seed.data[start : start + length]:
                sum_of = checksum(bytes(self.data[start : start + length]))
                self.data[start + length : start + length + 4] = sum_of.to_bytes(4, "little")

    def place(self):
        """Somewhere in a structure, the beginning rather than the end."""
        if not self.seed.structures:
            return self.random.randrange(len(self.data))
        start, length = self.random.choice(self.seed.structures)
        reach = length or 256
        at = start + int(reach * self.random.random() ** 2)
        return min(at, len(self.data) - 1)

    def put(self, at, number, size):
        at = min(at, max(0, len(self.data) - size))
        self.data[at : at + size] = (number % (1 << 8 * size)).to_bytes(size, "little")

    def structure_bytes(self):
        at = self.place()
        old = self.data[at]
        self.data[at] = self.random.choice(
            (self.random.choice(BYTES), (old + 1) % 256, (old - 1) % 256, old ^ (1 << self.random.randrange(8)))
        )

    def structure_number(self):
        size = self.random.choice((2, 4, 8, 8))
        self.put(self.place(), self.random.choice(WIDE), size)

    def pointer(self):
        """An address that leads elsewhere: to itself, to another structure, to the end, beyond."""
        addresses = [
            at for at in range(0, len(self.data) - 8, 1 if self.random.random() < 0.3 else 8)
            if 0 < int.from_bytes(self.data[at : at + 8], "little") < len(self.data)
        ]
        if not addresses:
            return
        at = self.random.choice(addresses)
        targets = [start for start, _ in self.seed.structures] or [0]
        target = self.random.choice(
            (self.random.choice(targets), self.random.choice(targets) + self.random.choice((-8, 1, 4, 8, 16)), at,
             len(self.data), len(self.data) - 8, 2**64 - 1, 2**63, self.random.randrange(len(self.data)))
        )
        self.put(at, target, 8)

    def number(self):
        size = self.random.choice((1, 2, 4, 8))
        self.put(self.random.randrange(len(self.data)), self.random.choice(WIDE), size)

    def flip(self):
        for _ in range(self.random.choice((1, 1, 2, 8))):
            self.data[self.random.randrange(len(self.data))] ^= 1 << self.random.randrange(8)

    def copy(self):
        """One structure over another."""
        length = self.random.choice((8, 16, 24, 32, 64, 128, 512))
        source = self.place()
        at = self.place()
        piece = self.data[source : source + length][: len(self.data) - at]
        self.data[at : at + len(piece)] = piece

    def fill(self):
        at = self.random.randrange(len(self.data))
        length = min(self.random.choice((4, 8, 16, 64, 512)), len(self.data) - at)
        self.data[at : at + length] = bytes([self.random.choice((0, 255))]) * length

    def cut(self):
        del self.data[self.random.randrange(len(self.data)) :]

    def splice(self):
        """The first part of this file, the rest of another."""
        other = self.random.choice(self.seeds).data
        at = self.random.randrange(min(len(self.data), len(other)))
        self.data[at:] = other[at:]

    def shift(self):
        at = self.random.randrange(len(self.data))
        length = self.random.choice((1, 4, 8, 64))
        if self.random.random() < 0.5:
            del self.data[at : at + length]
        else:
            self.data[at:at] = bytes(length)

    def text(self):
        """Names and words: control characters, no end, other names."""
        words = list(re.finditer(rb"[a-z_.]{3,}", self.data))
        if not words:
            return
        word = self.random.choice(words)
        new = self.random.choice((b"\x1b[31m", b"\xff\xfe", b"../", b"/", b"\n", b"rhs", b"neumann", b"periodic", b"inf", b""))
        self.data[word.start() : word.start() + len(new)] = new
        if self.random.random() < 0.3:
            self.data[word.end()] = self.random.choice(BYTES)
