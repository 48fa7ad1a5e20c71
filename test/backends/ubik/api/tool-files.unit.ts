import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findToolFiles, parseToolFilePath } from '../../../../src/backends/ubik/api/tool-files.js';
import { FORGED_FILES } from '../../../hostile/attacks.js';

const BASE = 'https://app.example/api';
const IDS = {
  type: 'media_reference',
  tool_id: 't',
  execution_id: 'e1',
  asset_filename: 'a b.png',
};

test('parseToolFilePath accepts every spelling of a file route', () => {
  for (const [address, path] of [
    ['/api/assets/tools/t/e1/a.png', '/assets/tools/t/e1/a.png'],
    ['https://app.example/api/assets/tools/t/e1/a.png', '/assets/tools/t/e1/a.png'],
    ['https://api.ubik-agent.com/v1/assets/tools/t/e1/a.png', '/assets/tools/t/e1/a.png'],
    ['https://app.ubik-agent.com/api/v1/assets/tools/t/e1/a.png', '/assets/tools/t/e1/a.png'],
    [
      '/api/assets/tools/t/e1/R\u00e9sum\u00e9 1.pdf',
      '/assets/tools/t/e1/R%C3%A9sum%C3%A9%201.pdf',
    ],
    ['/api/assets/tools/t/e1/100%25.png', '/assets/tools/t/e1/100%25.png'],
    ['/api/assets/tools/t/e1/..a.png', '/assets/tools/t/e1/..a.png'],
  ] as const) {
    assert.equal(parseToolFilePath(address, BASE), path, address);
  }
  assert.equal(
    parseToolFilePath('/assets/tools/t/e1/a.png', 'https://app.example'),
    '/assets/tools/t/e1/a.png',
  );
});

test('parseToolFilePath returns null for any other address', () => {
  const others = [
    '/assets/tools/t/e1/a.png',
    'https://app.example/assets/tools/t/e1/a.png',
    'https://app.example.evil.test/api/assets/tools/t/e1/a.png',
    'http://app.example/api/assets/tools/t/e1/a.png',
    'https://api.ubik-agent.com.evil.test/v1/assets/tools/t/e1/a.png',
    'https://api.ubik-agent.com@evil.test/v1/assets/tools/t/e1/a.png',
    '/api/assets/tools/..;/..;/logout.png',
    '/api/assets/tools/t/e1/a%00.png',
    '/api/assets/tools/t/e1/a%zz.png',
    '/api/assets/tools/t/e1/gnp.\u202eexe',
    '/api/assets/tools/t/e1/a.png%3fx',
    '/api/assets/tools/t/e1/',
    '/api/assets/tools/t/e1',
    ' /api/assets/tools/t/e1/a.png',
  ];
  for (const address of [...FORGED_FILES, ...others]) {
    assert.equal(parseToolFilePath(address, BASE), null, address);
  }
});

test('findToolFiles finds the files anywhere in a result, by ids before addresses', () => {
  const elsewhere = { type: 'media_reference', url: 'https://elsewhere.test/b.png' };
  const climbing = { ...IDS, tool_id: '..', url: '/logout?x.png' };
  const named = { type: 'media_reference', url: '/api/assets/tools/t/e1/c%20d.png' };
  const result = {
    images: [{ ...IDS, url: 'https://elsewhere.test/a.png' }],
    deep: { elsewhere, climbing, named },
  };
  assert.deepEqual(findToolFiles(JSON.stringify(result), BASE), [
    { name: 'a b.png', address: `${BASE}/assets/tools/t/e1/a%20b.png`, stored: true },
    { name: '', address: 'https://elsewhere.test/b.png', stored: false },
    { name: 'a b.png', address: '/logout?x.png', stored: false },
    { name: 'c d.png', address: `${BASE}/assets/tools/t/e1/c%20d.png`, stored: true },
  ]);
});

test('findToolFiles removes invisible characters from names', () => {
  const nameOf = (fields: object): string | undefined =>
    findToolFiles(JSON.stringify({ type: 'media_reference', ...fields }), BASE)[0]?.name;
  const url = 'https://other.test/ok.exe';
  for (const hidden of '\u202e\u061c\u180e\u2028\u2066\ufeff') {
    assert.equal(nameOf({ asset_filename: `ok${hidden}fdp.exe`, url }), 'okfdp.exe');
  }
  const kept = { tool_id: 't', execution_id: 'e', asset_filename: 'ok\u180e\u2028.pdf' };
  assert.equal(nameOf(kept), 'ok.pdf');
});

test('findToolFiles returns an empty list for a result without files', () => {
  for (const result of [
    '',
    'media_reference',
    '{"type":"media_reference"}',
    '["media_reference"]',
    '[null, {"type":"media_reference","url":7}]',
  ]) {
    assert.deepEqual(findToolFiles(result, BASE), [], result);
  }
});
