import { expect } from '@open-wc/testing';
import { decodeEntity } from '../../src/markdown/parser/entities.js';
import { loadExamples } from './commonmark-examples.js';

/** Character entity references of HTML 4.01, section 24. */
const HTML_4 = `
nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil
sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc
atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide
oslash ugrave uacute ucirc uuml yacute thorn yuml
fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha
beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega thetasym
upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym larr uarr rarr darr harr crarr lArr uArr rArr dArr hArr
forall part exist empty nabla isin notin ni prod sum minus lowast radic prop infin ang and or cap cup int there4 sim cong asymp ne
equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams
quot amp lt gt OElig oelig Scaron scaron Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo
bdquo dagger Dagger permil lsaquo rsaquo euro`
  .trim()
  .split(/\s+/);

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIACRITICS = 'grave acute circ tilde macr breve dot uml ring dblac caron cedil ogon'.split(
  ' ',
);
const OTHER_LATIN =
  'Dstrok dstrok Hstrok hstrok imath IJlig ijlig kgreen Lmidot lmidot Lstrok lstrok napos ENG eng Tstrok tstrok gacute'.split(
    ' ',
  );

/**
 * Decodes a reference with the HTML parser of the browser, which leaves an unknown name unchanged. Uses an attribute, because in text the
 * parser also decodes legacy names without a semicolon, such as `&gt` in `&gtilde;`.
 */
function decodeByBrowser(reference: string): string {
  const { body } = new DOMParser().parseFromString(`<i title="${reference}">`, 'text/html');
  return body.firstElementChild?.getAttribute('title') ?? '';
}

describe('decodeEntity', () => {
  it('decodes all 252 names of HTML 4, and other Latin letters', () => {
    expect(HTML_4).to.have.length(252);
    for (const name of [...HTML_4, ...OTHER_LATIN]) {
      const reference = `&${name};`;
      expect(decodeEntity(reference), name).to.equal(decodeByBrowser(reference));
      expect(decodeEntity(reference), name).not.to.equal(reference);
    }
  });

  it('decodes all names in the examples of CommonMark', async () => {
    const text = (await loadExamples()).map(({ markdown }) => markdown).join('\n');
    const references = [...new Set(text.match(/&[a-z][a-z0-9]*;/gi))];
    expect(references).to.include.members(['&ngE;', '&HilbertSpace;', '&MadeUpEntity;']);
    for (const reference of references) {
      expect(decodeEntity(reference)).to.equal(decodeByBrowser(reference));
    }
  });

  it('decodes accented letters, and keeps names that HTML does not have', () => {
    for (const letter of LETTERS) {
      for (const diacritic of DIACRITICS) {
        const reference = `&${letter}${diacritic};`;
        const decoded = decodeEntity(reference);
        const isKnown = decoded !== reference;
        if (isKnown) expect(decoded).to.equal(decodeByBrowser(reference));
        // In HTML, names such as `&xcirc;` and `&tdot;` are symbols instead of accented letters.
        else if (!/[xt](?:circ|dot)/.test(reference)) {
          expect(decodeByBrowser(reference)).to.equal(reference);
        }
      }
    }
  });
});
