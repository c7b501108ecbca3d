"""Small DOCX files."""

import io
import zipfile

TYPES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="xml" ContentType="application/xml"/>
<Default Extension="png" ContentType="image/png"/>{overrides}</Types>"""
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
KINDS = {
    "document": "document.main",
    "header1": "header",
    "footer1": "footer",
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "comments": "comments",
    "styles": "styles",
    "settings": "settings",
}
ROOTS = {"header1": "hdr", "footer1": "ftr"}
STYLES = """<w:style w:type="paragraph" w:styleId="P1"><w:name w:val="Source Code"/></w:style>
<w:style w:type="character" w:styleId="C1"><w:name w:val="Verbatim Char"/></w:style>
<w:style w:type="character" w:styleId="C2">
<w:name w:val="Keyword"/><w:basedOn w:val="C1"/></w:style>
<w:style w:type="paragraph" w:styleId="C3"><w:name w:val="Code Caption"/></w:style>
<w:style w:type="character" w:styleId="L1"><w:name w:val="a"/><w:basedOn w:val="L2"/></w:style>
<w:style w:type="character" w:styleId="L2"><w:name w:val="b"/><w:basedOn w:val="L1"/></w:style>"""


def part(name, content, encoding="UTF-8"):
    root = ROOTS.get(name, name)
    text = f'<?xml version="1.0" encoding="{encoding}"?>\r\n<w:{root} {NAMESPACES}>'
    text += f"{content}</w:{root}>"
    return text.encode(encoding)


def docx(body, *, types=None, members=(), n_stored=1, encoding="UTF-8", **parts):
    """A file with a body, and other parts by name."""
    contents = {"document": f"<w:body>{body}</w:body>", "styles": STYLES, **parts}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{WORD}.{KINDS[name]}+xml"/>'
        for name in contents
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml", TYPES.format(overrides=overrides) if types is None else types
        )
        for i, (name, content) in enumerate(contents.items()):
            info = zipfile.ZipInfo(f"word/{name}.xml", (1980 + i, 2, 3, 4, 5, 6))
            info.compress_type = zipfile.ZIP_STORED if i < n_stored else zipfile.ZIP_DEFLATED
            info.external_attr = 0 if i else 0o600 << 16
            archive.writestr(info, part(name, content, encoding))
        for name, data in members:
            archive.writestr(name, data)
        archive.comment = b"a comment"
    return file.getvalue()


def paragraph(*runs, style=None):
    start = "" if style is None else f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
    return f"<w:p>{start}{''.join(runs)}</w:p>"


def run(text, style=None):
    looks = "<w:b/>" if style is None else f'<w:rStyle w:val="{style}"/>'
    return f'<w:r><w:rPr>{looks}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def field_sign(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def field(instruction, *shown):
    return "".join(
        [
            field_sign("begin"),
            f"<w:r><w:instrText>{instruction}</w:instrText></w:r>",
            field_sign("separate"),
            *shown,
            field_sign("end"),
        ]
    )


def members_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}
