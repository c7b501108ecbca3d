"""The paper's worked example as an ARPA file and a mapping file of SRILM's disambig."""

ARPA = """\\data\\
ngram 1=8
ngram 2=3

\\1-grams:
-1 <unk>
-99 <s> 0
-1 </s>
-1 Akakpo -0.1
-1 Agbago
-1 AGBAGO
-1 so
-1 So

\\2-grams:
-0.7 Akakpo Agbago
-0.4 Akakpo AGBAGO
-0.3 <s> so

\\end\\
"""
MAP = "akakpo Akakpo\nagbago Agbago 0.714 AGBAGO 0.286\n<s> <s>\n"
