"""A small file of each format, to begin with."""

from __future__ import annotations

#: By the name of the format, of `truecase.formats.registry.FORMATS`.
SAMPLES: dict[str, list[bytes]] = {
    "tmx": [
        b'<?xml version="1.0"?><tmx version="1.4"><header srclang="fr"/><body><tu tuid="a">'
        b'<tuv xml:lang="fr"><seg>Cliquez OK</seg></tuv><tuv xml:lang="en"><seg>click <bpt i="1">'
        b'&lt;b&gt;</bpt>ok<ept i="1"/> &amp; caf&#233; <ph>%s</ph><hi>b</hi><![CDATA[c]]></seg>'
        b"</tuv></tu></body></tmx>",
        '<tmx version="1.4"><header srclang="*all*"/><body><tu><tuv lang="en"><seg>é</seg></tuv>'
        "</tu></body></tmx>".encode("utf-16"),
    ],
    "xliff": [
        b'<xliff version="1.2"><file source-language="fr" target-language="en"><body><trans-unit '
        b'id="1"><source>A <g id="1">b</g></source><seg-source><mrk mtype="seg" mid="1">a</mrk>'
        b'</seg-source><target state="final"><mrk mtype="seg" mid="1">a <x id="2"/><mrk mtype='
        b'"protected">b</mrk></mrk></target></trans-unit></body></file></xliff>',
        b'<xliff version="2.0" srcLang="a" trgLang="en"><file id="f"><unit id="u"><segment state='
        b'"final"><source>a</source><target>a<sm id="s" translate="no"/>b<em startRef="s"/><pc '
        b'id="1">c</pc><ph id="2"/><cp hex="0001"/></target></segment></unit></file></xliff>',
    ],
    "po": [
        b'msgid "app.title"\nmsgstr "a"\n\nmsgid "btn-b %s"\nmsgstr "b"\n\n'
        b'msgid "Ab"\nmsgstr "ab"\n',
        b'#, fuzzy\nmsgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n"Language: '
        b'en\\n"\n\n#: a.c:1\n#, c-format\nmsgctxt "c"\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "c '
        b'%s &amp; _d"\n"e\\n\\x41\\101"\nmsgstr[1] "\xe9"\n#~ msgid "x"\n#~ msgstr "y"\n',
    ],
    "android": [
        b'<resources xmlns:x="urn:oasis:names:tc:xliff:document:1.2"><string name="a">it\\\'s '
        b'<b>b</b> %1$s <x:g id="i">c</x:g> \\u00e9\\n"d  e"</string><string name="b" translatable='
        b'"false">f</string><plurals name="p"><item quantity="one">g</item></plurals><string-array '
        b'name="c"><item>h</item></string-array></resources>'
    ],
    "resx": [
        b'<root><resheader name="a"><value>b</value></resheader><data name="c" xml:space='
        b'"preserve"><value>click {0} &amp; ok</value><comment>d</comment></data><data name="e" '
        b'type="f"><value>g</value></data></root>'
    ],
    "qt": [
        b'<!DOCTYPE TS><TS version="2.1" language="en_GB" sourcelanguage="fr"><context>'
        b"<name>a</name><message><source>&amp;Fichier</source>"
        b"<translation>&amp;file %n</translation></message>"
        b'<message numerus="yes"><source>b</source><translation type="unfinished"><numerusform>c'
        b"</numerusform></translation></message></context></TS>"
    ],
    "strings": [
        b'/* a */\n"key" = "click \\"ok\\" %@ \\U00e9\\n";\n// b\nkey2 = "c";\n"d" = "e\\\nf";\n',
        '"a" = "é b";\n'.encode("utf-16"),
    ],
    "xcstrings": [
        b'{"sourceLanguage":"fr","strings":{"a":{"localizations":{"en":{"stringUnit":{"state":'
        b'"translated","value":"click ok"}},"fr":{"variations":{"plural":{"one":{"stringUnit":'
        b'{"value":"x"}}}}}}}},"version":"1.0"}'
    ],
    "json": [
        b'{"@@locale":"en","menu":{"open":"open file","n":"{n, plural, one {a file} other {# '
        b'files}}","list":["a b","c \\u00e9\\ud83d\\ude00"],"@menu":{"description":"d"}},"m":1.5}',
        b'{"Le menu":"the menu","n oeufs":["{0} no egg|[1,*] :n eggs","egg|eggs"],"a.b":"c"}',
    ],
    "yaml": [
        b'en:\n  menu: &a\n    open: "open \\"file\\" \\xe9"\n    b: \'it\'\'s new yor'
        b"k'\n    c: a "
        b"plain text # no\n    d: |\n      two\n      lines\n    e: >-\n      folded\n      text\n"
        b"  copy: *a\n  list: [a b, c]\n"
    ],
    "srt": [
        b"\xef\xbb\xbf1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>where is</i> new\r\nyork ?\r\n\r\n"
        b"2\n00:00:03,000 --> 00:00:04,000 X1:1\n- {\\an8}here .\n- MARY: no\n"
    ],
    "sbv": [
        b"0:00:00.599,0:00:04.160\nhe met <i>ann</i>,\nof rome\n\n0:00:04.2,0:00:06.7\nand bo\n"
    ],
    "microdvd": [
        b"{1}{1}25.0\n{25}{50}he met ann|of rome\n{55}{80}{y:i}and bo\n{500}{}no\n",
        b"[1][20]/he met|ann\n[25][]no\n",
        b"00:00:01:he met ann|of rome\n00:00:02,1=and bo\n00:00:03:\n",
    ],
    "timedtext": [
        b'<timedtext format="3"><p t="5" d="1500"><s>he</s> &amp;lt;met</p></timedtext>\n'
    ],
    "youtube": [b'<transcript><text start="0.5" dur="1.5">he met</text></transcript>\n'],
    "lrc": [b"[ar:abba]\n[00:12.00]i have a dream\n[00:15.3][01:15.3]a song <00:16.00>to sing\n"],
    "sami": [
        b"<SAMI><STYLE><!--\n.A { lang: en-GB; }\n.B { lang: fr; }\n--></STYLE><BODY><SYNC "
        b"Start=1><P Class=A>a b<P Class=B>c\n<SYNC Start=9><P Class=A>d</BODY>",
        b"<SAMI><BODY><SYNC Start=1000><P Class=ENCC>he met<br>ann &amp; bo"
        b"<SYNC Start='2000'><P>&nbsp;</BODY></SAMI>",
    ],
    "vtt": [
        b"WEBVTT - a\nKind: b\n\nNOTE c\n\nSTYLE\n::cue {}\n\nid\n00:01.000 --> 00:02.0"
        b"00 align:left"
        b"\n<v Mary>where is <c.x>new</c> <00:01.500>york &amp; co\n"
    ],
    "ass": [
        b"[Script Info]\nTitle: a\n\n[V4+ Styles]\nFormat: Name\nStyle: b\n\n[Events]"
        b"\nFormat: Layer,"
        b" Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:02.00,D,{\\i1}where is{\\p1}m 0 0"
        b"{\\p0}\\Nnew\\hyork\nComment: 0,0,0,D,c\n"
    ],
    "ttml": [
        b'<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><head><metadata>a</metadata></head>'
        b'<body><div><p begin="1s" end="2s">where is <span>new</span><br/>york</p><p>b</p></div>'
        b"</body></tt>"
    ],
    "transcript": [
        b'{"text":" where is new york","language":"en","segments":[{"id":0,"start":0.0,"text":" '
        b'where is new york","words":[{"word":" where","probability":0.5},{"word":" is"},{"word":'
        b'" new"},{"word":" york"}]}]}',
        b'{"transcription":[{"offsets":{"from":0},"text":" a b","tokens":[{"text":" a"}]}]}',
        b'{"results":{"transcripts":[{"transcript":"a b."}],"items":[{"start_time":"0.1","type":'
        b'"pronunciation","alternatives":[{"content":"a"}]},{"alternatives":[{"content":"."}],'
        b'"type":"punctuation"}]},"status":"COMPLETED"}',
        b'{"results":[{"alternatives":[{"transcript":"a b","words":[{"startTime":"0.2s","word":"a"'
        b'}]},{"transcript":"c"}],"languageCode":"en-us"}]}',
        b'{"combinedRecognizedPhrases":[{"display":"A b."}],"recognizedPhrases":[{"offsetInTicks":7'
        b',"durationInTicks":9,"nBest":[{"lexical":"a b","display":"A b."}]}]}',
        b'{"DisplayText":"A.","NBest":[{"Lexical":"a","Display":"A.","Words":[{"Word":"a"}]}]}',
        b'{"result":[{"word":"a","start":0.5}],"text":"a"}\n{"text":"b"}',
        b'{"monologues":[{"speaker":0,"elements":[{"type":"text","value":"a"},{"type":"punct",'
        b'"value":" "}]}]}',
    ],
    "manifest": [
        b'{"audio_filepath":"a.wav","duration":1.5,"text":"where is new york"}\n{"text":"\\u00e9",'
        b'"pred_text":"b"}\n'
    ],
    "ctm": [b";; a\nf 1 0.10 0.20 where 0.9\nf 1 0.30 0.20 is\nf A 1.0 0.2 new 1 lex\n"],
    "stm": [b';; CATEGORY "0"\nf 1 mary 0.0 1.0 <o,f0> where is (uh) new york\nf 1 b 1 2 c\n'],
    "markdown": [
        b"```{note} a b\n---\nc: d\n---\ne\n~~~{tip}\nf\n~~~\n```\n\n:::{code} g\nh\n:::\n",
        b"import A from 'a'\n\n# a <!-- b -->\n\na $x_i =\ny$, `a\nb` [@k:a; -@{b}] :c: "
        b"[[a|b]] [[c]]\n\n$$\na\n$$ {#d}\n\ngoes on\n\n"
        b"\\begin{a}\nb.\n\\end{a}\n\nc \\(x^2\\) \\[ y_1 \\] \\ref{a}\n",
        b'---\ntitle: a b\n---\n\n# where *is* new\n\nyork `Code` [a link](http://b.c "d'
        b'") <b>e</b>\n'
        b"\n> - f\n>   1. g\n\n| h | i |\n|---|---|\n| j | k |\n\n```py\nl\n```\n\n    m"
        b"\n\n[n]: o\n",
    ],
    "html": [
        b"<p>a <button>b</button> c<button>d</button> <button>e</button></p>",
        b'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>a b</title><script>c<'
        b"/script></head><body><p>where is <b>new</b> york<br>caf&eacute; &#233;<!-- d --><img alt="
        b"e><pre>f</pre><textarea>g</textarea><td>h</body></html>",
    ],
    "kaldi": [b"utt_1 where is new york\nutt_2 a b\n"],
    "text": [b"where is new york\n\na line that goes on\nto the next .\n- a list\n"],
}
