"""Atoms of a line, and the lists of suffixes, schemes and elements that make them spans.

An atom is a run of word characters and the signs that join them, which is read once. Spans are
src/main.cpp, user@example.com, os.path.join, snake_case, std::vector; none are and/or, U.S.,
state-of-the-art.
"""

from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memset

from truecase.kernels._addresses cimport KNOWN_SUFFIXES, ascii_label, bracket, only_words
from truecase.kernels._spans cimport (
    MIN_BASE64, MIN_HASH, SPAN_ADDRESS, SPAN_CODE, SPAN_NONE, SPAN_UNSURE
)
from truecase.kernels._tokens cimport ascii_digit, ascii_letter, bits_at, in_list, word_at
from truecase.kernels._unicode cimport CHAR_SPACE, CHAR_WORD, ascii_bits, ascii_space


cdef extern from *:
    """
    /* Lists are as in _tokens.pxd. Suffixes of files that _addresses.pxd lacks; no common words. */
    static const char truecase_file_suffixes[] =
        " adoc aac apk avif bak bib bz cfg cjs cls crt csproj cts deb dmg dtd dylib eml env eot"
        " eps epub exs fbx flv gemspec gradle graphql hbs hdf hrl htaccess ics iml jpe jsonl jsx"
        " kml lnk lzma m4a mdx mjs mkd mobi mpeg mpg msi mts nupkg ods odp odf otf pcap pem phar"
        " phtml pkl plist po pptm proto psm pyc pyi pyo pyproj rds rpm rtf scss sln so srt ssa"
        " styl swf tgz tif tiff tmpl tmp tsx ttf txz vbs vcf vue wasm webm webmanifest webp whl"
        " wmv wsdl xaml xhtml xlf xliff xpi xsd xsl xslt xul zsh zst ";
    /* Top-level domains that are words or endings: domains only if a path follows. */
    static const char truecase_word_domains[] =
        " am at be cat do gd gl id in is it la me ml my no pm pro sc so st to tk vc ws ";
    static const char truecase_schemes[] =
        " mailto tel urn doi javascript magnet sip xmpp arxiv arn ";
    /* $US, $AU: no variables. */
    static const char truecase_currencies[] =
        " us usd a au aud nz nzd hk hkd s sg sgd c ca cad can cdn nt r mm m k b bn mn tn ";
    /* Words of one and two letters with which a line of dialogue begins: -No. */
    static const char truecase_media_types[] =
        " application audio font image message model multipart text video ";
    static const char truecase_media_subtypes[] =
        " aac alternative avif bmp byteranges calendar css csv event-stream flac form-data gif gzip"
        " heic html javascript jpeg jpg json markdown midi mixed mp3 mp4 mpeg octet-stream ogg opus"
        " otf pdf plain png quicktime related rfc822 rtf svg tiff ttf wav webm webp woff woff2 xml"
        " zip ";
    /* Commands of TeX before a key. */
    static const char truecase_key_commands[] =
        " begin bibitem bibliography bibliographystyle documentclass end include includegraphics"
        " input label url usepackage ";
    /* Commands of TeX before text in braces. */
    static const char truecase_text_commands[] =
        " caption chapter emph footnote paragraph part section subsection subsubsection textbf"
        " textit textrm textsc textsf textsl title underline ";
    static const char truecase_short_words[] =
        " a i o y ah am an as at aw ay be by da de do du eh el em en er es et eu ex go ha he hi"
        " hm ho id if il im in is it ja je ju ka lo ma me mi mm mr ms mu my na ne ni no nu ob of"
        " oh ok on or os ou ow oy pa po qu sa se sh si so su ta te to tu tv uh um un up us wo va"
        " we ya yo zu ";
    /* Elements of HTML, which are no words of a sentence. */
    static const char truecase_elements[] =
        " a abbr acronym address area article aside audio b base bdi bdo big blockquote body"
        " br button c canvas caption center cite code col colgroup data dd del details dfn"
        " dialog div dl dt em embed fieldset figcaption figure font footer form frame"
        " frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label"
        " lang legend li link main map mark menu meta nav noscript object ol optgroup option"
        " output p param picture pre progress q rp rt ruby s samp script section select small"
        " source span strike strong style sub summary sup svg table tbody td template"
        " textarea tfoot th thead time title tr track tt u ul v var video wbr ";
    """
    const char* FILE_SUFFIXES "truecase_file_suffixes"
    const char* WORD_DOMAINS "truecase_word_domains"
    const char* SCHEMES "truecase_schemes"
    const char* CURRENCIES "truecase_currencies"
    const char* MEDIA_TYPES "truecase_media_types"
    const char* MEDIA_SUBTYPES "truecase_media_subtypes"
    const char* KEY_COMMANDS "truecase_key_commands"
    const char* TEXT_COMMANDS "truecase_text_commands"
    const char* SHORT_WORDS "truecase_short_words"
    const char* ELEMENTS "truecase_elements"


cdef enum:
    MAX_FENCE = 3                # backquotes on one side
    MAX_GAP = 40                 # bytes from a blank in a Windows path to the next backslash


cdef struct Line:                # the line and the state of its scan
    const uint8_t* text
    uint32_t begin
    uint32_t end
    uint32_t no_fence[MAX_FENCE + 1]   # from here on no run of so many backquotes follows
    bint after_word              # the code point before belongs to a word


cdef inline uint8_t at(const Line* line, uint32_t p) noexcept nogil:
    """The byte at p; a line feed beyond the end."""
    return line.text[p] if p < line.end else 0x0a


cdef inline uint8_t before(const Line* line, uint32_t p) noexcept nogil:
    return line.text[p - 1] if p > line.begin else 0x0a


cdef inline bint word_byte(uint8_t c) noexcept nogil:
    """Whether an ASCII byte is a letter, a digit or an underscore."""
    return c < 0x80 and (ascii_bits[c] & CHAR_WORD or c == c'_')


cdef inline bint is_word(const Line* line, uint32_t p) noexcept nogil:
    return word_at(line.text, p, line.end)


cdef inline bint is_letter(const Line* line, uint32_t p) noexcept nogil:
    """Whether an ASCII letter is at p."""
    return ascii_letter(line.text, p, line.end)


cdef inline bint is_digit(const Line* line, uint32_t p) noexcept nogil:
    return ascii_digit(line.text, p, line.end)


cdef inline uint32_t ascii_run(const Line* line, uint32_t p) noexcept nogil:
    """End of the ASCII letters, digits and underscores from p."""
    while p < line.end and word_byte(line.text[p]):
        p += 1
    return p


cdef inline bint known_suffix(const Line* line, uint32_t p, uint32_t end) noexcept nogil:
    cdef uint32_t n = ascii_label(line.text, p, end)
    return n > 0 and (in_list(KNOWN_SUFFIXES, line.text + p, n)
                      or in_list(FILE_SUFFIXES, line.text + p, n))


cdef inline bint ends_body(const Line* line, uint32_t p, uint32_t* length) noexcept nogil:
    """Whether white space, a quote, an angle bracket, | or ^ is at p; else the length there."""
    cdef uint8_t c = line.text[p]
    length[0] = 1
    if c < 0x80:
        return ascii_space(c) or c in b'"<>`|^'
    if bits_at(line.text, p, line.end, length) & CHAR_SPACE:
        return True
    if c == 0xe2 and at(line, p + 1) == 0x80:                      # curly quotes, dashes
        return True
    return c == 0xc2 and at(line, p + 1) in (0xab, 0xbb)


cdef inline uint32_t body_end(const Line* line, uint32_t p, uint32_t limit) noexcept nogil:
    """End of a URL's rest from p, with balanced brackets and without final punctuation."""
    cdef uint32_t q = p, length
    cdef int depth[4]
    cdef int kind
    cdef uint8_t c
    memset(depth, 0, sizeof(depth))
    limit = min(limit, line.end)
    while q < limit and not ends_body(line, q, &length):
        kind = bracket(line.text[q])
        if kind > 0:
            depth[kind] += 1
        elif kind < 0:
            if depth[-kind] == 0:
                break
            depth[-kind] -= 1
        q += length
    while q > p:
        c = line.text[q - 1]
        if c not in b".,;:!?'*":
            break
        q -= 1
    return q


cdef struct Atom:
    uint32_t start
    uint32_t end
    uint32_t first_slash         # 0 without one
    uint32_t last_slash          # that the atom goes on after
    uint32_t last_dot
    uint32_t label               # start of the label behind the last dot or slash
    uint32_t shortest            # bytes of the shortest label between dots
    uint32_t n_dots
    uint32_t n_slashes           # that the atom goes on after
    bint closing_slash           # the atom ends with one
    bint at_sign
    bint sign                    # ::, -> or # within, or + or ~ of a version: 1.2+rc1
    bint joined                  # an underscore between letters or digits
    bint letters_first           # each label between dots begins with an ASCII letter
    bint digit


cdef inline void end_label(Atom* atom, uint32_t q) noexcept nogil:
    if q - atom.label < atom.shortest:
        atom.shortest = q - atom.label


cdef inline void begin_label(const Line* line, Atom* atom, uint32_t p) noexcept nogil:
    atom.label = p
    if not is_letter(line, p):
        atom.letters_first = False


cdef inline uint32_t joint(const Line* line, uint32_t q) noexcept nogil:
    """Length of the sign at q that joins a word after it; 0 without one."""
    cdef uint8_t c = at(line, q)
    if c in b".-@#%+~$":
        if is_word(line, q + 1):
            return 1
        return 2 if c == c'-' and at(line, q + 1) == c'>' and is_word(line, q + 2) else 0
    if c == c':' and at(line, q + 1) == c':' and is_word(line, q + 2):
        return 2
    return 0


cdef inline uint32_t path_joint(const Line* line, uint32_t q) noexcept nogil:
    """Length of the slash at q and the signs before a word: /, /., /../; 0 without them."""
    cdef uint32_t p = q + 1
    if at(line, q) != c'/':
        return 0
    while at(line, p) == c'.':
        if at(line, p + 1) == c'/':
            p += 2
        elif at(line, p + 1) == c'.' and at(line, p + 2) == c'/':
            p += 3
        else:
            break
    if at(line, p) in b".~@%$+-":
        p += 1
    return p - q if is_word(line, p) else 0


cdef inline void scan_atom(const Line* line, uint32_t p, Atom* atom) noexcept nogil:
    """Read the atom at p, which begins with a word character or a slash."""
    cdef uint32_t q = p, length, step
    cdef uint8_t c
    cdef bint alphanumeric
    memset(atom, 0, sizeof(Atom))
    atom.start = p
    atom.shortest = 0xffffffff
    atom.letters_first = True
    begin_label(line, atom, p)
    while True:
        alphanumeric = False
        while q < line.end:
            c = line.text[q]
            if c < 0x80:
                if ascii_bits[c] & CHAR_WORD == 0:
                    if c != c'_':
                        break
                    if alphanumeric and at(line, q + 1) != c'_' and is_word(line, q + 1):
                        atom.joined = True
                else:
                    alphanumeric = True
                    if c <= c'9':
                        atom.digit = True
                q += 1
            elif bits_at(line.text, q, line.end, &length) & CHAR_WORD:
                alphanumeric = True
                q += length
            else:
                break
        c = at(line, q)
        step = joint(line, q)
        if step:
            if c == c'.':
                end_label(atom, q)
                atom.last_dot = q
                atom.n_dots += 1
                begin_label(line, atom, q + 1)
            elif c == c'@':
                atom.at_sign = True
            elif c == c':' or step == 2 or (c == c'#' and is_letter(line, q + 1)) or (
                    c in b"+~" and atom.n_dots and is_digit(line, p)):
                atom.sign = True
            q += step
            continue
        if c != c'/':
            break
        step = path_joint(line, q)
        if atom.first_slash == 0:
            atom.first_slash = q
        if step == 0:
            atom.closing_slash = True
            atom.end = q + 1
            return
        atom.n_slashes += 1
        atom.last_slash = q
        q += step
        begin_label(line, atom, q)
    end_label(atom, q)
    atom.end = q


cdef inline uint32_t windows_path_end(const Line* line, uint32_t p) noexcept nogil:
    """End of a path with backslashes, from p; names of folders may have blanks."""
    cdef uint32_t q = p, length, gap
    cdef uint8_t c
    while q < line.end:
        c = line.text[q]
        if c in b"\\/._-~%+@#$":
            q += 1
        elif c == c' ' and word_byte(line.text[q - 1]):
            gap = q + 1
            while gap - q < MAX_GAP and (word_byte(at(line, gap)) or at(line, gap) in b" ()"):
                gap += 1
            if at(line, gap) != c'\\' or line.text[gap - 1] == c' ':
                break
            q = gap
        elif bits_at(line.text, q, line.end, &length) & CHAR_WORD:
            q += length
        else:
            break
    while q > p and not word_byte(line.text[q - 1]) and line.text[q - 1] < 0x80 and (
            line.text[q - 1] not in b"\\/"):
        q -= 1
    return q


cdef inline bint is_base64(const Line* line, uint32_t start, uint32_t end) noexcept nogil:
    """Whether there are letters of both cases and digits, well mixed."""
    cdef uint32_t p, n_changes = 0
    cdef uint8_t c
    cdef int kind, last = 0
    cdef bint seen[4]
    memset(seen, 0, sizeof(seen))
    for p in range(start, end):
        c = line.text[p]
        if c == c'/' or c == c'+':
            kind = 0
        elif c >= 0x80 or c == c'_' or not ascii_bits[c] & CHAR_WORD:
            return False
        else:
            kind = 1 if c <= c'9' else 2 if c < c'`' else 3
            seen[kind] = True
        if kind != last and p > start:
            n_changes += 1
        last = kind
    return seen[1] and seen[2] and seen[3] and n_changes >= 6


cdef inline bint is_hash(const Line* line, uint32_t start, uint32_t end) noexcept nogil:
    """Whether it is hexadecimal, with letters and digits mixed more than once, or a UUID."""
    cdef uint32_t p, n_changes = 0
    cdef uint8_t c
    cdef bint figure, last = False, uuid = end - start == 36
    for p in range(start, end):
        c = line.text[p]
        if uuid and p - start in (8, 13, 18, 23):
            if c != c'-':
                return False
            continue
        figure = c'0' <= c <= c'9'
        if not figure and not c'a' <= c | 0x20 <= c'f':
            return False
        if p > start and figure != last:
            n_changes += 1
        last = figure
    return uuid or n_changes >= 2


cdef inline bint is_domain(const Line* line, uint32_t p, uint32_t end) noexcept nogil:
    """Whether text[p:end], before a slash, is a domain: youtu.be/x, 18f.gov/y."""
    cdef uint32_t q = end, n
    while q > p and line.text[q - 1] != c'.':
        q -= 1
    if q < p + 2:
        return False
    n = ascii_label(line.text, q, end)
    return known_suffix(line, q, end) or in_list(WORD_DOMAINS, line.text + q, n)


cdef inline bint is_media_type(const Line* line, const Atom* atom) noexcept nogil:
    """text/html, image/svg+xml, application/x-tar, application/vnd.ms-word; not text/video"""
    cdef uint32_t p = atom.first_slash + 1, q = p
    if not in_list(MEDIA_TYPES, line.text + atom.start, atom.first_slash - atom.start):
        return False
    while q < atom.end and line.text[q] != c'+' and line.text[q] != c'.':
        q += 1
    return q < atom.end or (
        p + 1 < q and line.text[p] | 0x20 == c'x' and line.text[p + 1] == c'-'
    ) or in_list(MEDIA_SUBTYPES, line.text + p, q - p)


cdef inline bint is_issue(const Line* line, const Atom* atom) noexcept nogil:
    # owner/project#12; the slash ends the search at the latest
    cdef uint32_t p = atom.end
    while is_digit(line, p - 1):
        p -= 1
    return p < atom.end and line.text[p - 1] == c'#'


cdef inline int path_kind(const Line* line, Atom* atom) noexcept nogil:
    """Kind of an atom with slashes, whose end moves behind a domain's path."""
    if is_domain(line, atom.start, atom.first_slash) and (
            atom.n_slashes or known_suffix(line, atom.label, atom.first_slash)):
        atom.end = max(atom.end, body_end(line, atom.first_slash, line.end))
        return SPAN_ADDRESS
    if atom.n_slashes and atom.last_dot > atom.last_slash + 1 and known_suffix(
            line, atom.last_dot + 1, atom.end):
        if at(line, atom.end) == c'?':
            atom.end = body_end(line, atom.end, line.end)
        return SPAN_ADDRESS
    if atom.joined or (atom.n_slashes == 1 and not atom.closing_slash
                       and (is_media_type(line, atom) or is_issue(line, atom))):
        return SPAN_ADDRESS
    if atom.n_slashes >= 2 and not only_words(line.text, atom.start, atom.end):
        atom.end -= atom.closing_slash
        return SPAN_ADDRESS
    return SPAN_ADDRESS | SPAN_UNSURE if atom.closing_slash else SPAN_NONE


cdef inline int dotted_kind(const Line* line, Atom* atom) noexcept nogil:
    """Kind of an atom with periods and no slash."""
    cdef uint32_t n = atom.end - atom.label
    if known_suffix(line, atom.label, atom.end):
        if (at(line, atom.end) == c'?' and is_word(line, atom.end + 1)) or (
                at(line, atom.end) == c':' and is_digit(line, atom.end + 1)):
            atom.end = body_end(line, atom.end, line.end)
        return SPAN_ADDRESS
    if n == 1 and atom.n_dots == 1 and atom.shortest == 1 and atom.label - atom.start > 2 and (
            line.text[atom.label] | 0x20 == c'c' or line.text[atom.label] | 0x20 == c'h'):
        return SPAN_ADDRESS                                        # main.c, main.h
    if atom.joined or atom.sign:
        return SPAN_CODE
    if atom.shortest < 2 or not atom.letters_first:
        return SPAN_NONE
    return SPAN_CODE if atom.n_dots >= 2 else SPAN_CODE | SPAN_UNSURE


cdef inline uint32_t digits_end(const Line* line, uint32_t p) noexcept nogil:
    while is_digit(line, p):
        p += 1
    return p


cdef inline bint has_port(const Line* line, const Atom* atom) noexcept nogil:
    """Whether the atom is a host before a port: localhost:80/, 10.0.0.1:80/."""
    cdef uint32_t p = atom.start
    cdef uint32_t end = digits_end(line, atom.end + 1)
    if end == atom.end + 1 or at(line, end) != c'/':
        return False
    if in_list(b" localhost ", line.text + p, ascii_label(line.text, p, atom.end)):
        return True
    while p < atom.end and (line.text[p] == c'.' or is_digit(line, p)):
        p += 1
    return p == atom.end and atom.n_dots == 3


cdef inline bint is_doi(const Line* line, const Atom* atom) noexcept nogil:
    """Whether it is like 10.1000/Xyz, with four or more digits before the slash."""
    cdef const uint8_t* name = line.text + atom.start
    cdef uint32_t end
    if atom.end - atom.start < 9 or name[0] != c'1' or name[1] != c'0' or name[2] != c'.':
        return False
    end = digits_end(line, atom.start + 3)
    return end >= atom.start + 7 and at(line, end) == c'/' and is_word(line, end + 1)


cdef inline bint is_hexadecimal(const Line* line, uint32_t p, uint32_t end) noexcept nogil:
    """0xDEADBEEF"""
    cdef uint8_t c
    if line.text[p] != c'0' or (line.text[p + 1] | 0x20) != c'x':
        return False
    for p in range(p + 2, end):
        c = line.text[p] | 0x20
        if not (is_digit(line, p) or (c'a' <= c <= c'f')):
            return False
    return True


cdef inline int url_kind(const Line* line, Atom* atom) noexcept nogil:
    """Kind of an atom before ://, whose last letters may be a scheme."""
    cdef uint32_t q = atom.end, end = body_end(line, atom.end + 3, line.end)
    while q > atom.start and atom.end - q < 16 and (
            is_letter(line, q - 1) or is_digit(line, q - 1)
            or line.text[q - 1] in b"+-"):
        q -= 1
    if not is_letter(line, q):
        return SPAN_NONE
    atom.start = q
    atom.end = end
    return SPAN_ADDRESS


cdef inline int code_kind(const Line* line, Atom* atom) noexcept nogil:
    """Kind of the span of an atom without a scheme, a port, ``www`` and an at sign."""
    cdef uint32_t p = atom.start, q = atom.end, n = atom.end - atom.start
    if at(line, q) == c'(' and at(line, q + 1) == c')':
        atom.end = q + 2
        return SPAN_CODE
    if atom.digit and n >= MIN_BASE64 and is_base64(line, p, q):
        while at(line, atom.end) == c'=':
            atom.end += 1
        return SPAN_CODE
    if atom.n_slashes or atom.closing_slash:
        if is_doi(line, atom):
            atom.end = max(atom.end, body_end(line, p, line.end))
            return SPAN_ADDRESS
        return path_kind(line, atom)
    if atom.n_dots:
        return dotted_kind(line, atom)
    if atom.joined or atom.sign:
        return SPAN_CODE
    if atom.digit and n >= MIN_HASH and (is_hash(line, p, q) or is_hexadecimal(line, p, q)):
        return SPAN_CODE
    return SPAN_NONE


cdef inline int atom_kind(const Line* line, Atom* atom) noexcept nogil:
    """Kind of the span that an atom begins, or SPAN_NONE; sets the atom's bounds to the span's."""
    cdef const uint8_t* text = line.text
    cdef uint32_t p = atom.start, q = atom.end, n = atom.end - atom.start
    cdef uint8_t c = at(line, q)
    if c == c':':
        if at(line, q + 1) == c'/' and at(line, q + 2) == c'/':
            return url_kind(line, atom)
        if n == 1 and is_letter(line, p) and at(line, q + 1) in b"\\/" and is_word(line, q + 2):
            atom.end = windows_path_end(line, q + 1)
            return SPAN_ADDRESS
        if has_port(line, atom) or (is_word(line, q + 1) and in_list(
                SCHEMES, text + p, ascii_label(text, p, q))):
            atom.end = body_end(line, q, line.end)
            return SPAN_ADDRESS
    if n > 4 and text[p + 3] == c'.' and in_list(b" www ", text + p, ascii_label(text, p, p + 3)):
        if is_letter(line, p + 4) or is_digit(line, p + 4):
            atom.end = body_end(line, p, line.end)
            return SPAN_ADDRESS
    if atom.at_sign:
        if c in b":?" and is_word(line, q + 1):
            atom.end = body_end(line, q, line.end)
        return SPAN_ADDRESS
    return code_kind(line, atom)
