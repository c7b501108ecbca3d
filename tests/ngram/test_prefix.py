"""The first words of texts, which a learning curve is made of."""

from learning_curves import script


def test_whole_lines_up_to_so_many_words(tmp_path):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_bytes(b"one two\r\nthree\rfour\n\nfive six seven\n")
    b.write_bytes(b"eight nine\nten")
    paths = [str(a), str(b)]
    curve = script()
    assert curve.count_words(paths) == 10
    expected = ((1, 2, 1), (2, 2, 1), (3, 4, 2), (5, 7, 4), (8, 9, 5), (99, 10, 6))
    for wanted, words, lines in expected:
        prefix = curve.Prefix(paths, wanted)
        data = b"".join(prefix)
        assert (prefix.n_words, prefix.n_lines) == (words, lines)
        assert len(data.split()) == words
        assert b"".join(prefix) == data
    assert b"".join(curve.Prefix(paths, 3)) == b"one two\r\nthree\rfour\n"
