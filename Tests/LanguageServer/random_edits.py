"""Random edits of scripts, most of which leave text that parses."""

import re

WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

FRAGMENTS = [
    "print(unheardOf)\n", 'bind "fruit.name -> title.text"\n', "local extra = 1\n", "-- ä😀\n",
    'model "extra" { one = 1 }\n', "models.extra.one = 2\n", 'print(require("app"))\n',
    "print(views.title)\n", "\n", "\r\n", " ", '"', "'", "{", "}", "(", ")", ",", ".", ":", "[[",
    "--", " end ", "function f() ", "local ", "😀", "= ", "| shout", "-> ", "@count", "#",
]


class RandomEdits:
    """Makes random changes; each is a start, an end and the new text."""

    def __init__(self, generator, texts):
        self.generator = generator
        self.words = sorted({word for text in texts for word in WORD.findall(text)})

    def change(self, text):
        """One change of a text, in characters."""
        kind = self.generator.choices(
            [self.other_word, self.slip, self.drop_line, self.copy_line, self.insert, self.delete],
            weights=[5, 4, 2, 2, 3, 1],
        )[0]
        return kind(text) if text else (0, 0, self.generator.choice(FRAGMENTS))

    def other_word(self, text):
        start, end = self.word(text)
        return start, end, self.generator.choice(self.words)

    def slip(self, text):
        """Drops a letter of a word, or swaps two."""
        start, end = self.word(text)
        word = text[start:end]
        index = self.generator.randrange(max(1, len(word)))
        if self.generator.random() < 0.5:
            return start, end, word[:index] + word[index + 1 :]
        return start, end, word[:index] + word[index + 1 : index + 2] + word[index : index + 1] + (
            word[index + 2 :])

    def drop_line(self, text):
        start, end = self.line(text)
        return start, end, ""

    def copy_line(self, text):
        start, end = self.line(text)
        place = self.line(text)[0]
        return place, place, text[start:end]

    def insert(self, text):
        place = self.generator.choice([self.line(text)[0], self.generator.randrange(len(text))])
        return place, place, self.generator.choice(FRAGMENTS)

    def delete(self, text):
        start = self.generator.randrange(len(text))
        return start, min(len(text), start + self.generator.randrange(1, 12)), ""

    def word(self, text):
        found = [match.span() for match in WORD.finditer(text)]
        return self.generator.choice(found) if found else (0, 0)

    def line(self, text):
        starts = [0] + [match.end() for match in re.finditer("\n", text)]
        index = self.generator.randrange(len(starts))
        return starts[index], starts[index + 1] if index + 1 < len(starts) else len(text)
