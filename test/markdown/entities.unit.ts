import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEntity, unescape } from '../../src/markdown/parser/entities.js';

test('decodeEntity decodes names of the table and accented letters', () => {
  const names =
    'amp nbsp ngE AElig eacute Dcaron scaron Zdot ccedil eogon frac34 alpha Omega sigmaf Sigma hellip rarr sdot odot rang';
  const decoded = names.split(' ').map((name) => decodeEntity(`&${name};`));
  assert.equal(decoded.join(' '), '& \u00a0 \u2267\u0338 Æ é Ď š Ż ç ę ¾ α Ω ς Σ … → ⋅ ⊙ ⟩');
});

test('decodeEntity keeps unknown names and replaces invalid code points by U+FFFD', () => {
  const references = [
    '&nothing;',
    '&Ogon;',
    '&Sigmaf;',
    '&xcaron;',
    '&#0;',
    '&#xd800;',
    '&#9999999;',
  ];
  const decoded = references.map(decodeEntity).join(' ');
  assert.equal(decoded, '&nothing; &Ogon; &Sigmaf; &xcaron; \uFFFD \uFFFD \uFFFD');
});

test('unescape resolves backslash escapes and character references', () => {
  assert.equal(unescape('a\\*b &auml;&#x22;&#35; \\q &unknown;'), 'a*b ä"# \\q &unknown;');
});

test('decodeEntity decodes the first and the last code point of each valid range, and none beyond', () => {
  const references = ['&#1;', '&#xd7ff;', '&#xdfff;', '&#xe000;', '&#x10ffff;', '&#x110000;'];
  assert.deepEqual(references.map(decodeEntity), [
    '\u0001',
    '\ud7ff',
    '\ufffd',
    '\ue000',
    '\u{10ffff}',
    '\ufffd',
  ]);
});
