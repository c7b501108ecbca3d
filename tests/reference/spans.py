"""Addresses, code and markup with regular expressions, over text in which bytes may be broken."""

# One condition a line, as the kernel has them.
# ruff: noqa: SIM102

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from reference.casing import is_letter, is_mark
from reference.segment import SPACES, SUFFIXES, patterns, to_bytes

if TYPE_CHECKING:
    from truecase_testing import SegmentedToken


FILE_SUFFIXES = {
    *SUFFIXES,
    *"""adoc aac apk avif bak bib bz cfg cjs cls crt csproj cts deb dmg dtd dylib eml env eot eps
    epub exs fbx flv gemspec gradle graphql hbs hdf hrl htaccess ics iml jpe jsonl jsx kml lnk lzma
    mjs mkd mdx mobi mpeg mpg msi mts nupkg ods odp odf otf pcap pem phar phtml pkl plist po pptm
    proto psm pyc pyi pyo pyproj rds rpm rtf scss sln so srt ssa styl swf tgz tif tiff tmpl tmp tsx
    ttf txz vbs vcf vue wasm webm webmanifest webp whl wmv wsdl xaml xhtml xlf xliff xpi xsd xsl
    xslt xul zsh zst""".split(),
}  # fmt: skip
WORD_DOMAINS = (
    "am at be cat do gd gl id in is it la me ml my no pm pro sc so st to tk vc ws".split()
)
SCHEMES = "mailto tel urn doi javascript magnet sip xmpp arxiv arn".split()
CURRENCIES = (
    "us usd a au aud nz nzd hk hkd s sg sgd c ca cad can cdn nt r mm m k b bn mn tn".split()
)
MEDIA_TYPES = "application audio font image message model multipart text video".split()
MEDIA_SUBTYPES = """aac alternative avif bmp byteranges calendar css csv event-stream flac form-data
gif gzip heic html javascript jpeg jpg json markdown midi mixed mp3 mp4 mpeg octet-stream ogg opus
otf pdf plain png quicktime related rfc822 rtf svg tiff ttf wav webm webp woff woff2 xml
zip""".split()
KEY_COMMANDS = """begin bibitem bibliography bibliographystyle documentclass end include
includegraphics input label url usepackage""".split()
TEXT_COMMANDS = """caption chapter emph footnote paragraph part section subsection subsubsection
textbf textit textrm textsc textsf textsl title underline""".split()
SHORT_WORDS = """a i o y ah am an as at aw ay be by da de do du eh el em en er es et eu ex go ha he
    hi hm ho id if il im in is it ja je ju ka lo ma me mi mm mr ms mu my na ne ni no nu ob of oh ok
    on or os ou ow oy pa po qu sa se sh si so su ta te to tu tv uh um un up us wo va we ya yo
    zu""".split()
ELEMENTS = """a abbr acronym address area article aside audio b base bdi bdo big blockquote body br
    button c canvas caption center cite code col colgroup data dd del details dfn dialog div dl dt
    em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head
    header hr html i iframe img input ins kbd label lang legend li link main map mark menu meta nav
    noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp
    script section select small source span strike strong style sub summary sup svg table tbody td
    template textarea tfoot th thead time title tr track tt u ul v var video wbr""".split()


class Found(NamedTuple):
    """Bytes of a line; `unsure` where prose may look like that."""

    start: int
    end: int
    kind: str
    unsure: bool


class SpanPatterns:
    def __init__(self) -> None:
        word = patterns().word.pattern
        run = f"{word}+"

        def ascii_pattern(source: str) -> re.Pattern[str]:
            return re.compile(source, re.DOTALL | re.IGNORECASE | re.ASCII)

        self.word = re.compile(word)
        self.run = re.compile(f"{word}*")
        self.joined = re.compile(f"(?!_){word}_+(?!_){word}")
        self.joint = re.compile(f"[.@#%+~$-](?={word})|->(?={word})|::(?={word})")
        self.slash = re.compile(rf"/(?:\.{{1,2}}/)*[.~@%$+-]?(?={word})")
        self.windows_path = ascii_pattern(
            rf"(?:[\\/._~%+@#$-]|{word}|(?<=[a-z0-9_]) [a-z0-9_ ()]{{0,39}}(?<! )(?=\\))*"
        )
        self.option = re.compile(f"{run}(?:[-.:]{run})*")
        self.tagged = re.compile(f"[@#]{run}")
        self.tag = ascii_pattern(r"<(?P<extra>[/!?]?)(?P<name>[a-z][a-z0-9]*)(?P<after>[^<>]*)>")
        self.entity = ascii_pattern(r"&(?:[a-z][a-z0-9]{1,31}|#[a-z0-9]{1,32});")
        self.markup_braces = ascii_pattern(r"\{((?:\\|[a-z]:)[^{}]*)\}")
        self.double_braces = ascii_pattern(r"\{\{([^{}]+)\}\}")
        self.block_braces = ascii_pattern(r"\{(%[^{}]*)\}")
        self.braces = ascii_pattern(r"\{(?![{%\\]|[a-z]:)([^{}\s]+)\}")
        self.link = ascii_pattern(r"\[\[([^\[\]]+)\]\]")
        self.argument = ascii_pattern(r"%(?:\([\w.]{1,59}\)|[0-9]{1,4}\$)?")
        self.variable = ascii_pattern(r"%(?=[a-z_])\w{1,60}%")
        self.conversion = ascii_pattern(r"[-+#0']{0,3}[0-9]{0,4}(?:\.[0-9]{1,4})?")
        self.length = re.compile(r"hh|HH|ll|LL|[hlqjztHLQJZT]")
        self.dollar = ascii_pattern(r"\$(?=[a-z_])(?P<letters>[a-z]*)(?P<rest>\w*)")
        self.dollars = ascii_pattern(
            r"\$\$([^$]+)\$\$|\$(?=[a-z`<&{\[\]\\/_~])([^$]+)(?<!\s)\$(?!\$)"
        )
        self.formula = ascii_pattern(r"\\\((.*?)\\\)|\\\[(.*?)\\\]")
        self.options = ascii_pattern(r"\*?(?:\[[^\[\]]{1,199}\])*")
        self.group = ascii_pattern(r"\{([^{}]+)\}")
        self.emoji = ascii_pattern(r"(?<!:):[a-z][a-z0-9_+-]*:(?!:)")
        self.uuid = ascii_pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
        self.body_stop = re.compile(
            f'[{SPACES}"<>`|^\u2000-\u203f«»]|\udce2\udc80|\udcc2[\udcab\udcbb]'
        )


@lru_cache(maxsize=1)
def span_patterns() -> SpanPatterns:
    return SpanPatterns()


def n_bytes(text: str) -> int:
    return len(to_bytes(text))


def is_ascii_letter(text: str) -> bool:
    return re.match("[A-Za-z]", text) is not None


def is_blank(c: str) -> bool:
    return c in " \t\n\v\f\r"  # also the empty string: a line's end


def known_suffix(label: str) -> bool:
    return label.isascii() and label.lower() in FILE_SUFFIXES


class Atom:
    """A run of words and what joins them, from a word or a slash on."""

    def __init__(self, text: str, start: int) -> None:
        r = span_patterns()
        self.text, self.start = text, start
        self.dots: list[int] = []
        self.slashes: list[int] = []
        self.closing_slash = False
        self.joints: list[str] = []
        end = start
        while True:
            end = r.run.match(text, end).end()
            joint = r.joint.match(text, end)
            if joint:
                self.joints.append(joint[0] + text[joint.end()])
                if joint[0] == ".":
                    self.dots.append(end)
                end = joint.end()
                continue
            slash = r.slash.match(text, end)
            if slash:
                self.slashes.append(end)
                end = slash.end()
                continue
            self.closing_slash = text.startswith("/", end)
            self.end = end + self.closing_slash
            break
        self.surface = text[start : self.end]
        self.joined = r.joined.search(self.surface) is not None
        self.sign = any(joint[:2] in ("::", "->") or re.match("#[A-Za-z]", joint)
                        for joint in self.joints)  # fmt: skip
        signs = "".join(joint[0] for joint in self.joints)
        is_version = re.match("[0-9]", self.surface) and re.search(r"\..*[+~]", signs)
        self.sign = self.sign or is_version is not None
        self.has_at = any(joint[0] == "@" for joint in self.joints)


class Scan:
    """One line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.after_word = False

    def at(self, p: int) -> str:
        return self.text[p] if 0 <= p < len(self.text) else ""

    def is_word(self, p: int) -> bool:
        return span_patterns().word.match(self.text, p) is not None

    def opens_path(self, p: int) -> bool:
        c = self.at(p - 1)
        return is_blank(c) or c in "([{<>\"'`=:,|*" or (c > "\x7f" and not self.after_word)

    def body_end(self, p: int, limit: int | None = None) -> int:
        stop = span_patterns().body_stop.search(self.text, p)
        body = self.text[p : stop.start() if stop else len(self.text)]
        if limit is not None:
            while n_bytes(body) > limit:
                body = body[:-1]
        depth = dict.fromkeys("([{", 0)
        for i, c in enumerate(body):
            if c in depth:
                depth[c] += 1
            elif c in ")]}":
                opening = {")": "(", "]": "[", "}": "{"}[c]
                if depth[opening] == 0:
                    body = body[:i]
                    break
                depth[opening] -= 1
        return p + len(body.rstrip(".,;:!?'*"))

    # Each returns where to go on, and the span that it found: start, kind and whether it is unsure.

    def code(self, p: int):
        opening = re.compile("`+").match(self.text, p)
        q, n = opening.end(), len(opening[0])
        closing = re.compile(f"(?<!`)`{{{n}}}(?!`)").search(self.text, q)
        if n > 3 or self.after_word or is_blank(self.at(q)) or not closing:
            return q, None
        if is_blank(self.text[closing.start() - 1]):
            return q, None
        end = closing.end()
        if self.is_word(end) and not (self.at(end) in "sS" and not self.is_word(end + 1)):
            return q, None
        return end, (p, "code", False)

    def tag(self, p: int):
        match = span_patterns().tag.match(self.text, p)
        if not match or n_bytes(match[0]) > 2000:
            return p + 1, None
        after = match["after"][:1]
        element = match["name"].lower() in ELEMENTS and (after == "/" or is_blank(after))
        namespace = re.match(":[A-Za-z]", match["after"])
        markup = match["extra"] or element or namespace
        return match.end(), (p, "markup" if markup else "code", False)

    def entity(self, p: int):
        match = span_patterns().entity.match(self.text, p)
        return (match.end(), (p, "markup", False)) if match else (p + 1, None)

    def braces(self, p: int):
        r = span_patterns()
        kinds = [(r.double_braces, "code"), (r.block_braces, "code"), (r.markup_braces, "markup")]
        if not self.after_word:
            kinds.append((r.braces, "code"))
        for pattern, kind in kinds:
            match = pattern.match(self.text, p)
            if match and n_bytes(match[1]) < 200:
                return match.end(), (p, kind, False)
        return p + 1, None

    def link(self, p: int):
        if self.text[p] == "[":
            alert = re.compile(r"\[![A-Za-z]+\]").match(self.text, p)
            if alert:
                return alert.end(), (p, "markup", False)
            match = span_patterns().link.match(self.text, p)
            if match and n_bytes(match[1]) < 200:
                return match.end(), (p, "code", False)
        elif self.at(p + 1) == "(":
            end = self.body_end(p + 2, 1998)
            if end > p + 2 and re.compile("\\)| [\"']").match(self.text, end):
                return end, (p, "address", False)
        return p + 1, None

    def percent(self, p: int):
        r = span_patterns()
        if self.after_word or self.at(p - 1) == "%":
            return p + 1, None
        variable = r.variable.match(self.text, p)
        if variable:
            return variable.end(), (p, "code", False)
        q = r.argument.match(self.text, p).end()
        if q == p + 1 and self.at(q) == "(":
            return p + 1, None
        q = r.conversion.match(self.text, q).end()
        length = r.length.match(self.text, q)
        if length and is_ascii_letter(self.at(length.end())):
            q = length.end()
        if re.match("[A-Za-z@]", self.at(q)) and not self.is_word(q + 1):
            return q + 1, (p, "code", False)
        return p + 1, None

    def backslash(self, p: int):
        if self.at(p + 1) == "\\" and self.is_word(p + 2) and self.opens_path(p):
            return self.windows_path_end(p + 2), (p, "address", False)
        formula = span_patterns().formula.match(self.text, p)
        if formula and n_bytes(formula[1] or formula[2] or "") < 199:
            return formula.end(), (p, "code", False)
        end = re.compile("[A-Za-z]*").match(self.text, p + 1).end()
        kind = "markup" if end == p + 2 else "code"
        if end > p + 1:
            end, kind = self.command(p, end, kind)
        return end, (p, kind, False) if end > p + 1 else None

    def is_maths(self, text: str) -> bool:
        has_word = re.search(r"[^\0-\x7f]|[A-Za-z]{2}", text)
        return bool(re.search(r"[\\^_{=<>]", text)) or not has_word

    def command(self, p: int, end: int, kind: str):
        """The end of a command of TeX with its key, and its kind."""
        name = self.text[p + 1 : end].lower()
        r = span_patterns()
        brace = end + (self.at(end) == "*")
        if name in TEXT_COMMANDS and self.at(brace) == "{":
            return brace + 1, "markup"
        options = r.options.match(self.text, end).end()
        is_key = name in KEY_COMMANDS or name.endswith("ref") or "cite" in name
        group = r.group.match(self.text, options)
        if not group or n_bytes(group[1]) >= 200:
            return end, kind
        if not is_key and (len(name) == 1 or any(space in group[1] for space in " \t\v\f\r")):
            return end, kind
        return group.end(), kind

    def emoji(self, p: int):
        match = span_patterns().emoji.match(self.text, p)
        if self.after_word or not match:
            return p + 1, None
        end = match.end()
        while self.is_word(end):
            end += 1
        return end, (p, "markup" if end == match.end() else "code", False)

    def windows_path_end(self, p: int) -> int:
        end = span_patterns().windows_path.match(self.text, p).end()
        while end > p and self.text[end - 1] in ".~%+@#$-":
            end -= 1
        return end

    def variable(self, p: int):
        maths = span_patterns().dollars.match(self.text, p)
        if maths and not self.after_word:
            text = maths[1] or maths[2]
            if n_bytes(text) < 200 and self.is_maths(text):
                if maths[1] or not self.is_word(maths.end()):
                    return maths.end(), (p, "code", False)
        match = span_patterns().dollar.match(self.text, p)
        if self.after_word or not match:
            return p + 1, None
        currency = match["letters"].lower() in CURRENCIES and not match["rest"].startswith("_")
        return match.end(), None if currency else (p, "code", False)

    def tagged(self, p: int):
        match = span_patterns().tagged.match(self.text, p)
        if not match:
            return p + 1, None
        end = match.end()
        if self.after_word or self.at(p - 1) == self.text[p]:
            return end, None
        if not any(c > "\x7f" or is_ascii_letter(c) for c in match[0]):
            return end, None
        if is_ascii_letter(self.at(p + 1)):
            while self.at(end) and self.at(end) in ("-./" if self.text[p] == "@" else "-"):
                if not self.is_word(end + 1):
                    break
                end = span_patterns().run.match(self.text, end + 1).end()
        return end, (p, "address", False)

    def begins_sentence(self, p: int) -> bool:
        before = self.text[:p].rstrip(" \t\n\v\f\r")[-1:]
        return before == "" or before in ".!?:\">'" or before > "\x7f"

    def option(self, p: int):
        hyphens = re.compile("-+").match(self.text, p)
        name = hyphens.end()
        if len(hyphens[0]) > 2 or not is_ascii_letter(self.at(name)) or not self.opens_path(p):
            return name, None
        match = span_patterns().option.match(self.text, name)
        end = match.end()
        if self.at(end) == "-":
            if len(hyphens[0]) == 2 and re.compile(r"--[ \t\n\v\f\r]*\Z").match(self.text, end):
                return end + 2, (p, "code", False)
            return name, None
        given = self.at(end) == "="
        if given:
            end = self.body_end(end + 1)
        letters = re.fullmatch("[A-Za-z]+", match[0]) is not None
        sure = True
        if len(hyphens[0]) == 1 and not given:
            if not self.begins_sentence(p):
                sure = not letters or len(match[0]) <= 3
            elif not letters:
                sure = False
            elif len(match[0]) > 2 or match[0].lower() in SHORT_WORDS:
                return name, None
        return end, (p, "code", not sure)

    def rooted(self, p: int):
        if not self.opens_path(p) and self.text[p - 1 : p + 1] != "}/":
            return p + 1, None
        q = p + 1 if self.text[p] == "~" else re.compile(r"\.{0,2}").match(self.text, p).end()
        if self.at(q) == "/":
            atom = Atom(self.text, q)
            return atom.end, (p, "address", False) if atom.slashes else None
        if q == p + 1 and self.text[p] == ".":
            if self.at(q) == "\\" and self.is_word(q + 1):
                return self.windows_path_end(q), (p, "address", False)
            if is_ascii_letter(self.at(q)) and self.is_word(q + 1):
                return Atom(self.text, q).end, (p, "address", False)
        return q, None

    # Atoms.

    def atom(self, p: int):
        atom = Atom(self.text, p)
        kind = self.atom_kind(atom)
        return atom.end, (atom.start, kind.rstrip("?"), kind.endswith("?")) if kind else None

    def extended(self, atom: Atom, p: int) -> str:
        atom.end = max(atom.end, self.body_end(p))
        return "address"

    def atom_kind(self, atom: Atom) -> str:
        surface, after = atom.surface, self.text[atom.end : atom.end + 3]
        if after == "://":
            scheme = re.search(r"[A-Za-z0-9+-]{1,16}\Z", surface)
            if scheme and is_ascii_letter(scheme[0]):
                atom.start += scheme.start()
                atom.end += 3
                return self.extended(atom, atom.end)
            return ""
        if re.fullmatch("[A-Za-z]", surface) and re.match(r":[\\/]", after):
            if self.is_word(atom.end + 2):
                atom.end = self.windows_path_end(atom.end + 1)
                return "address"
        if surface.isascii() and surface.lower() in SCHEMES and after.startswith(":"):
            if self.is_word(atom.end + 1):
                return self.extended(atom, atom.end)
        if re.fullmatch(r"(?i:localhost)|(?=(?:[^.]*\.){3}[^.]*\Z)[0-9.]+", surface):
            if re.compile(":[0-9]+/").match(self.text, atom.end):
                return self.extended(atom, atom.end)
        if re.match(r"[Ww]{3}\.[A-Za-z0-9]", surface):
            atom.end = self.body_end(atom.start)
            return "address"
        if atom.has_at:
            if after[:1] in (":", "?") and self.is_word(atom.end + 1):
                return self.extended(atom, atom.end)
            return "address"
        if after.startswith("()"):
            atom.end += 2
            return "code"
        if self.is_base64(surface):
            atom.end = re.compile("=*").match(self.text, atom.end).end()
            return "code"
        doi = re.match(r"10\.[0-9]{4,}/", surface)
        if doi and self.is_word(atom.start + doi.end()) and n_bytes(surface) >= 9:
            return self.extended(atom, atom.start)
        if atom.slashes or atom.closing_slash:
            return self.path_kind(atom)
        if atom.dots:
            return self.dotted_kind(atom)
        if atom.joined or atom.sign:
            return "code"
        if len(surface) >= 7 and re.search("[0-9]", surface) and self.is_hash(surface):
            return "code"
        if len(surface) >= 7 and re.fullmatch("0[xX][0-9A-Fa-f]+", surface):
            return "code"
        return ""

    def is_base64(self, surface: str) -> bool:
        if len(surface) < 16 or not re.fullmatch("[A-Za-z0-9+/]*", surface):
            return False
        kinds = re.sub("[+/]", "/", re.sub("[0-9]", "0", re.sub("[a-z]", "a", surface)))
        kinds = re.sub("[A-Z]", "A", kinds)
        changes = sum(a != b for a, b in zip(kinds, kinds[1:], strict=False))
        return {"0", "a", "A"} <= set(kinds) and changes >= 6

    def is_hash(self, surface: str) -> bool:
        if len(surface) == 36:
            return span_patterns().uuid.match(surface) is not None
        figures = re.sub("[A-Fa-f]", "a", re.sub("[0-9]", "0", surface))
        changes = sum(a != b for a, b in zip(figures, figures[1:], strict=False))
        return set(figures) <= {"0", "a"} and changes >= 2

    def path_kind(self, atom: Atom) -> str:
        first_slash = (atom.slashes or [atom.end - 1])[0]
        domain, dot, top = self.text[atom.start : first_slash].rpartition(".")
        if dot and domain:
            known = known_suffix(top)
            if known or (atom.slashes and top.isascii() and top.lower() in WORD_DOMAINS):
                return self.extended(atom, first_slash)
        if atom.slashes and atom.dots and atom.dots[-1] > atom.slashes[-1] + 1:
            if known_suffix(self.text[atom.dots[-1] + 1 : atom.end]):
                if self.at(atom.end) == "?":
                    atom.end = self.body_end(atom.end)
                return "address"
        subtype, *more = re.split("[+.]", self.text[first_slash + 1 : atom.end])
        if (
            len(atom.slashes) == 1
            and not atom.closing_slash
            and self.text[atom.start : first_slash].lower() in MEDIA_TYPES
            and (more or subtype[:2] in ("x-", "X-") or subtype.lower() in MEDIA_SUBTYPES)
        ):
            return "address"
        is_issue = len(atom.slashes) == 1 and re.search("#[0-9]+\\Z", atom.surface)
        if atom.joined or is_issue:
            return "address"
        if len(atom.slashes) >= 2:
            if not all(is_letter(c) or is_mark(c) or c in "/-" for c in atom.surface):
                atom.end -= atom.closing_slash
                return "address"
        return "address?" if atom.closing_slash else ""

    def dotted_kind(self, atom: Atom) -> str:
        labels = atom.surface.split(".")
        if known_suffix(labels[-1]):
            after = self.text[atom.end : atom.end + 2]
            if (after[:1] == "?" and self.is_word(atom.end + 1)) or re.match(":[0-9]", after):
                atom.end = self.body_end(atom.end)
            return "address"
        if len(labels) == 2 and n_bytes(labels[0]) >= 2 and labels[1] in ("c", "C", "h", "H"):
            return "address"
        if atom.joined or atom.sign:
            return "code"
        if not all(is_ascii_letter(label) and n_bytes(label) >= 2 for label in labels):
            return ""
        return "code" if len(labels) > 2 else "code?"

    def spans(self) -> list[Found]:
        handlers = {
            "`": self.code, "<": self.tag, "&": self.entity, "{": self.braces, "[": self.link,
            "]": self.link, "%": self.percent, "\\": self.backslash, "$": self.variable,
            ":": self.emoji, "@": self.tagged, "#": self.tagged, "-": self.option, "/": self.rooted,
            "~": self.rooted, ".": self.rooted,
        }  # fmt: skip
        found = []
        p = 0
        while p < len(self.text):
            if self.is_word(p):
                if self.after_word:
                    q, span = span_patterns().run.match(self.text, p).end(), None
                else:
                    q, span = self.atom(p)
            else:
                q, span = handlers.get(self.text[p], lambda p: (p + 1, None))(p)
            if span:
                start, end = n_bytes(self.text[: span[0]]), n_bytes(self.text[:q])
                found.append(Found(start, end, span[1], span[2]))
            self.after_word = self.is_word(q - 1)
            p = q
        return found


def find_spans(line: bytes) -> list[Found]:
    return Scan(line.decode("utf-8", "surrogateescape")).spans()


def held(line: bytes, tokens: Sequence[SegmentedToken]) -> list[tuple[str, bool]]:
    """What becomes of each token: "keeps", "lowers" or nothing, and whether it is markup."""
    touching = [
        [s for s in find_spans(line) if s.start < token.end and token.start < s.end]
        for token in tokens
    ]
    sure = [
        [s for s in spans if not s.unsure or (s.start, s.end) == (0, len(line))]
        for spans in touching
    ]
    upper = any(token.tag in ("IU", "AU", "MX") for token in tokens)
    lower = any(
        token.tag in ("AL", "MX") or (token.tag == "IU" and token.case_room & 2) for token in tokens
    )
    says_capitals = any(t.tag == "AU" and not s for t, s in zip(tokens, sure, strict=True))
    result = []
    for token, spans, sure_spans in zip(tokens, touching, sure, strict=True):
        address = any(span.kind == "address" for span in sure_spans)
        markup = any(
            span.kind == "markup" and span.start <= token.start and token.end <= span.end
            for span in spans
        )
        state = ""
        if upper and lower and spans:
            state = "keeps"
        elif sure_spans:
            state = "lowers" if lower or says_capitals or address else "keeps"
        result.append((state, markup))
    return result
