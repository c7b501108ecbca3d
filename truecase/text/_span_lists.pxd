"""What spans are known by: suffixes, schemes, elements; and words that look like spans.

Lists are space-separated, ASCII, lower case, for `in_list`.
"""

cdef extern from *:
    """
    /* Suffixes of files beside those of _address.pxd, none of them a common word. */
    static const char truecase_file_suffixes[] =
        " adoc aac apk avif bak bib bz cfg cjs cls crt csproj cts deb dmg dtd dylib eml env eot"
        " eps epub exs fbx flv gemspec gradle graphql hbs hdf hrl htaccess ics iml jpe jsonl jsx"
        " kml lnk lzma m4a mdx mjs mkd mobi mpeg mpg msi mts nupkg ods odp odf otf pcap pem phar"
        " phtml pkl plist po pptm proto psm pyc pyi pyo pyproj rds rpm rtf scss sln so srt ssa"
        " styl swf tgz tif tiff tmpl tmp tsx ttf txz vbs vcf vue wasm webm webmanifest webp whl"
        " wmv wsdl xaml xhtml xlf xliff xpi xsd xsl xslt xul zsh zst ";
    /* Top-level domains that are words, or end them: domains only with a path behind. */
    static const char truecase_word_domains[] =
        " am at be cat do gd gl id in is it la me ml my no pm pro sc so st to tk vc ws ";
    static const char truecase_schemes[] =
        " mailto tel urn doi javascript magnet sip xmpp arxiv ";
    /* $US, $AU: no variables. */
    static const char truecase_currencies[] =
        " us usd a au aud nz nzd hk hkd s sg sgd c ca cad can cdn nt r mm m k b bn mn tn ";
    /* Words of one and two letters with which a line of dialogue begins: -No. */
    static const char truecase_short_words[] =
        " a i o y ah am an as at aw ay be by da de do du eh el em en er es et eu ex go ha he hi"
        " hm ho id if il im in is it ja je ju ka lo ma me mi mm mr ms mu my na ne ni no nu ob of"
        " oh ok on or os ou ow oy pa po qu sa se sh si so su ta te to tu tv uh um un up us wo va"
        " we ya yo zu ";
    /* Elements of HTML: where they stand nothing of the sentence does. */
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
    const char* SHORT_WORDS "truecase_short_words"
    const char* ELEMENTS "truecase_elements"


cdef enum:                       # ASCII
    BLANK = 0x20
    BANG = 0x21
    QUOTE = 0x22
    HASH = 0x23
    DOLLAR = 0x24
    PERCENT = 0x25
    AMPERSAND = 0x26
    APOSTROPHE = 0x27
    ROUND = 0x28
    ROUND_END = 0x29
    STAR = 0x2a
    PLUS = 0x2b
    COMMA = 0x2c
    HYPHEN = 0x2d
    DOT = 0x2e
    SLASH = 0x2f
    COLON = 0x3a
    SEMICOLON = 0x3b
    LESS = 0x3c
    EQUALS = 0x3d
    GREATER = 0x3e
    QUESTION = 0x3f
    AT = 0x40
    SQUARE = 0x5b
    BACKSLASH = 0x5c
    SQUARE_END = 0x5d
    CARET = 0x5e
    UNDERSCORE = 0x5f
    BACKQUOTE = 0x60
    CURLY = 0x7b
    BAR = 0x7c
    CURLY_END = 0x7d
    TILDE = 0x7e
