"""How a word that no dictionary lists is probably pronounced, by English spelling rules.

Drug names and clinical words come from Latin and Greek parts and follow rules better than everyday words do;
everyday words are in the dictionary. The result only has to be near: it is compared by distance.
"""

import re

_RULES = r"""
^hydro:hYdrO  ^hyper:hYpR  ^hypo:hYpO  ^pneu:nu  ^psy:sY  ^py(?=r):pY  ^pn:n  ^ps:s  ^gn:n  ^kn:n  ^wr:r  ^x:z
^bio:bYO  ^di(?=[aeo]):dY  ^cy:sY  cycl:sYkl  ^y:y  thyr:TYr  gyn:gYn
itis$:Yt@s  osis$:Os@s  [ao]?emia$:ImI@  aemia$:ImI@  ology$:al@jI  ologist$:al@jist  oscopy$:ask@pI  ectomy$:ekt@mI
tion:S@n  ssion:S@n  sion:Z@n  [tc]ious:S@s  [tc]ial:S@l  [tc]ian:S@n  ture$:cR  tures$:cRz  sure$:ZR
(?<=[td])ed$:id  (?<=[pkfxsch])ed$:t  (?<=[bdglmnrvwzy])ed$:d  (?<=[aeiouy])ed$:d
ines?$:In  enes?$:In  ones?$:On  ides?$:Yd  ases?$:Es  oses?$:Os  ates?$:Et  ites?$:Yt
oles?$:Ol  iles?$:Yl  ames?$:Em  anes?$:En  aches?$:Ek  orr:or  arr:Ar  err:er
ives?$:iv  ables?$:@b@l  (?<=[bcdfgkpstz])le$:@l  ium$:I@m  ia$:I@  us$:@s  ous$:@s  is$:is  ics?$:ik  al$:@l  ol$:ol
um$:@m  en$:@n  an$:@n  on$:an  [oe]r$:R  ar$:R  a$:@  o$:O  i$:I  y$:I  ey$:I  ies$:Iz  es$:z  e$:
sch:sk  tch:c  chr:kr  chl:kl  ^cho:kO  ch:c  sh:S  ph:f  th:T  igh:Y  gh$:  gh:g  ck:k  cq:k  qu:kw  q:k  wh:w
dg(?=e):j  ng$:N  ng(?=[eiy]):nj  ng:Ng  nk:Nk  gg:g  g(?=[eiy]):j  g:g  cc(?=[eiy]):ks  cc:k  sc(?=[eiy]):s
c(?=[eiy]|ae|oe):s  c:k  x:ks  zz:z  ss:s  s:s  bb:b  dd:d  ff:f  ll:l  mm:m  nn:n  pp:p  rr:r  tt:t  rh:r
air:er  ear:ir  eer:ir  er:R  ir(?=[^aeiouy]|$):R  ur(?=[^aeiouy]|$):R  ar(?=[^aeiouy]|$):ar  or:or
oea:I@  eae:I  ae:I  oe:I  eau:O  eu:u  oo:u  ou:W  ow:O  oa:O  oi:J  oy:J  au:o  aw:o  ai:E  ay:E  ee:I  ea:I  ei:I
ie:I  ey:I  ue$:u  ui:u  io:IO  ia:I@
a(?=[^aeiouy]e$):E  i(?=[^aeiouy]e$):Y  o(?=[^aeiouy]e$):O  u(?=[^aeiouy]e$):u
o(?=[^aeiouy](?:[aeiouy]|$)):O  o(?=[^aeiouy]):a  u(?=[^aeiouy](?:[^aeiouy]|$)):@  (?<=[bcfmphtv])u:yu
a:A  e:e  i:i  o:O  u:u  y(?=[aeiou]):y  y:i  h(?=[aeiouy]):h  h:
b:b  d:d  f:f  j:j  k:k  l:l  m:m  n:n  p:p  r:r  t:t  v:v  w:w  z:z
"""

_LETTER_NAMES = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        "E bI sI dI I ef jI Ec Y jE kE el em en O pI kyu ar es tI yu vI d@b@lyu eks wY zI".split(),
        strict=True,
    )
)
_PATTERNS, _SOUNDS = zip(*(rule.rsplit(":", 1) for rule in _RULES.split()), strict=True)
_ONE_RULE = re.compile("|".join(f"({pattern})" for pattern in _PATTERNS))
# The table writes the compound sounds of `phonemes.py` as one letter each.
_COMPOUND = str.maketrans({"c": "tS", "j": "dZ", "R": "@r"})
_LONGEST_WORD = 40


def sounds_of_letters(word: str) -> str:
    """The sounds of a lower-case word; one that has no vowel, such as "ecg", is spelled out.

    Only the letters a to z sound, and of a very long word only its beginning is read.
    """
    letters = "".join(letter for letter in word[:_LONGEST_WORD] if letter in _LETTER_NAMES)
    if not re.search("[aeiouy]", letters) or (len(letters) < 4 and not re.search("[aeiouy].?$", letters)):
        said = "".join(_LETTER_NAMES[letter] for letter in letters)
    else:
        said = "".join(_SOUNDS[(match.lastindex or 1) - 1] for match in _ONE_RULE.finditer(letters))
    return said.translate(_COMPOUND)
