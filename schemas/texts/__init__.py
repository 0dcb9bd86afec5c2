"""What a person is told when the table says no: a sentence for each refusal code, by language.

`fa.json`, `ar.json`, `en.json`: plain text, keys in the order of the codes. The words are those of
the two guides at the table: short, polite (Persian says shoma), and with what to do where there is
something to do. `stickers/` has the words of stickers in the same form, and `reasons/` those of the
master's look (H21), by its codes: `{cards}` stands for a reason's cards, with a space between two,
in an isolate that runs from left to right. Where there are none, leave out the colon before it too.
"""
