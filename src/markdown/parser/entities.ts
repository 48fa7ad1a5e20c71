/**
 * The named character references of HTML 4, of ASCII characters, of the CommonMark examples and of Latin letters. A hexadecimal number
 * is the code point of the following name; each further name has the next code point. A number that would begin with a letter has a
 * leading zero. {@link decodeAccentedLetter} composes accented letters. The full list of HTML 5 (2,125 names) would be as large as the
 * rest of the parser; an unknown name is left unchanged.
 */
const TABLE =
  '9 Tab NewLine 22 quot num 25 percnt amp apos lpar rpar ast plus comma 2e period sol 3a colon semi lt equals gt quest commat ' +
  '5b lsqb bsol rsqb 5f lowbar 7b lcub vert 7c verbar rcub 0a0 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo ' +
  'not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest 0c6 AElig ' +
  '0d0 ETH 0d7 times Oslash 0de THORN szlig 0e6 aelig 0f0 eth 0f7 divide oslash 0fe thorn 110 Dstrok dstrok 126 Hstrok hstrok ' +
  '131 imath IJlig ijlig 138 kgreen 13f Lmidot lmidot Lstrok lstrok 149 napos ENG eng 152 OElig oelig 166 Tstrok tstrok ' +
  '192 fnof 1f5 gacute 2c6 circ 2dc tilde 3b1 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho ' +
  'sigmaf sigma tau upsilon phi chi psi omega 3d1 thetasym upsih 3d6 piv 2002 ensp emsp 2007 numsp puncsp thinsp ' +
  '200c zwnj zwj lrm rlm hyphen 2013 ndash mdash horbar 2018 lsquo rsquo sbquo 201c ldquo rdquo bdquo 2020 dagger Dagger bull ' +
  '2026 hellip 2030 permil 2032 prime Prime 2039 lsaquo rsaquo 203e oline 2044 frasl 20ac euro 210b HilbertSpace 2111 image 2118 weierp 211c real ' +
  '2122 trade 2135 alefsym 2146 DifferentialD 2190 larr uarr rarr darr harr 21b5 crarr 21d0 lArr uArr rArr dArr hArr 2200 forall 2202 part exist ' +
  '2205 empty 2207 nabla isin notin 220b ni 220f prod 2211 sum minus 2217 lowast 221a radic 221d prop infin 2220 ang ' +
  '2227 and or cap cup int 2232 ClockwiseContourIntegral 2234 there4 223c sim 2245 cong 2248 asymp 2260 ne equiv 2264 le ge 2282 sub sup nsub 2286 sube supe ' +
  '2295 oplus 2297 otimes 2299 odot 22a5 perp 22c5 sdot 2308 lceil rceil lfloor rfloor 25ca loz 2605 starf 260e phone 2640 female ' +
  '2642 male 2660 spades 2663 clubs 2665 hearts diams 2713 check 2717 cross 27e8 lang rang';

/** Offsets of combining characters from U+0300, by the name of the diacritic. `&eacute;` is `e` with `acute`. */
const DIACRITICS = {
  grave: 0,
  acute: 1,
  circ: 2,
  tilde: 3,
  macr: 4,
  breve: 6,
  dot: 7,
  uml: 8,
  ring: 10,
  dblac: 11,
  caron: 12,
  cedil: 39,
  ogon: 40,
};

let names: Map<string, string> | null = null;

function readTable(): Map<string, string> {
  // The only name here that maps to two code points.
  const table = new Map([['ngE', '\u2267\u0338']]);
  let code = 0;
  for (const word of TABLE.split(' ')) {
    if (/^\d/.test(word)) {
      code = Number.parseInt(word, 16);
      continue;
    }
    table.set(word, String.fromCodePoint(code));
    const isGreek = code > 0x3b0 && code < 0x3ca && word !== 'sigmaf';
    // Greek capitals precede the small letters by 32 code points.
    if (isGreek) table.set(word.replace(/^./, capital), String.fromCodePoint(code - 32));
    code += 1;
  }
  return table;
}

const capital = (letter: string): string => letter.toUpperCase();

/** Names that match the pattern of accented letters of Latin Extended-A, but that HTML does not define. */
const UNNAMED = /^(?:[eio]breve|[EIO]breve|gcedil)$/;

/** Decodes the name of an accented letter of Latin-1 or Latin Extended-A. */
function decodeAccentedLetter(name: string): string | null {
  for (const [diacritic, offset] of Object.entries(DIACRITICS)) {
    if (name.slice(1) !== diacritic) continue;
    const composed = (name.charAt(0) + String.fromCodePoint(0x300 + offset)).normalize('NFC');
    if (composed.length === 1 && composed < '\u0180' && !UNNAMED.test(name)) return composed;
  }
  return null;
}

function decodeCodePoint(code: number): string {
  const isValid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code >= 0xe000);
  return isValid ? String.fromCodePoint(code) : '\uFFFD';
}

/** A complete character reference at the start of a text. */
export const ENTITY = /^&(?:#([xX][0-9a-fA-F]{1,6}|[0-9]{1,7})|([a-zA-Z][a-zA-Z0-9]{1,31}));/;
/** An incomplete character reference that ends with the text. */
export const PARTIAL_ENTITY =
  /^&(?:#?|#[xX][0-9a-fA-F]{0,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{0,31})$/;

/** Decodes a character reference such as `&amp;` or `&#x22;`; returns it unchanged when its name is unknown. */
export function decodeEntity(reference: string): string {
  const [, number, name = ''] = ENTITY.exec(reference) ?? [];
  if (number === undefined)
    return (names ??= readTable()).get(name) ?? decodeAccentedLetter(name) ?? reference;
  return decodeCodePoint(Number(number.replace(/^x/i, '0x')));
}

/** Resolves backslash escapes and character references in link destinations, titles and info strings. */
export function unescape(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])|&[#\w]{1,33};/g, (whole, escaped: string | undefined) =>
    escaped === undefined ? decodeEntity(whole) : escaped,
  );
}
