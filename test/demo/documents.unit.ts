import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32Of } from '../../demo/agent/tools/crc32.js';
import { DemoApiClient, shareTestServer } from './test-server.js';

const getServer = shareTestServer();

interface ApiDocument {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly error_message: string | null;
  readonly markdown_content: string | null;
}

/** A PDF file of one page with one line of text, written by hand. */
function makePdf(line: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${String(stream.length)} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${String(text.length)}\n%%EOF`;
}

/** A ZIP archive whose files are stored without compression. */
function makeZip(files: readonly (readonly [name: string, text: string])[]): Buffer<ArrayBuffer> {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of files) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    // From the version needed to extract to the length of the extra field; the directory repeats these 26 bytes.
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt32LE(crc32Of(data), 10);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt16LE(path.length, 22);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), header, path, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), header, tail, path);
    entries.push(entry);
    offset += entry.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...entries, listing, Buffer.from('PK\x05\x06'), end]);
}

/** A Word document with a heading and a paragraph. */
function makeDocx(heading: string, line: string): Buffer<ArrayBuffer> {
  const types = 'http://schemas.openxmlformats.org/package/2006';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return makeZip([
    [
      '[Content_Types].xml',
      `<Types xmlns="${types}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${types}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ],
    [
      'word/document.xml',
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${heading}</w:t></w:r></w:p><w:p><w:r><w:t>${line}</w:t></w:r></w:p></w:body></w:document>`,
    ],
  ]);
}

async function upload(
  client: DemoApiClient,
  session: string,
  name: string,
  content: BlobPart,
): Promise<ApiDocument> {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  form.set('api_metadata', '{"from":"a test"}');
  const reply = await client.request('POST', `/agent-sessions/${session}/upload`, form);
  assert.equal(reply.status, 200, reply.text);
  return reply.json as ApiDocument;
}

const FILES: readonly (readonly [name: string, content: BlobPart])[] = [
  ['notes.txt', 'The plover is a small wading bird that nests on open ground near water.'],
  [
    'notes.md',
    '# Birds\n\nThe plover is a *small* wading bird that nests on open ground near water.',
  ],
  [
    'birds.csv',
    'name,habit\nplover,"The plover is a small wading bird, nesting on open ground near water"\n',
  ],
  [
    'birds.json',
    '{"plover": "The plover is a small wading bird that nests on open ground near water."}',
  ],
  [
    'page.html',
    '<html><head><style>p{}</style><script>evil()</script></head><body><h1>Birds</h1><p>The plover is a small &amp; wading bird that nests on open ground near water.</p></body></html>',
  ],
  [
    'letter.docx',
    makeDocx('Birds', 'The plover is a small wading bird that nests on open ground near water.'),
  ],
  ['paper.pdf', makePdf('The plover is a small wading bird that nests on open ground near water.')],
];

for (const [name, content] of FILES) {
  test(`UBIK agent answers from ${name} with a citation`, async () => {
    const server = getServer();
    const client = await DemoApiClient.create(server.url);
    const session = await client.createSession();
    const document = await upload(client, session, name, content);
    assert.equal(document.status, 'pending');
    await server.agent?.whenDocumentsIndexed();
    const read = (await client.request('GET', `/documents/${document.id}`)).json as ApiDocument;
    assert.equal(read.status, 'completed', read.error_message ?? '');
    assert.doesNotMatch(read.markdown_content ?? '', /evil|<p>/u);
    const events = await client.send(session, 'Where does the plover nest?');
    const answer = String(events.at(-1)?.['content']);
    assert.match(
      answer,
      /> .*plover is a small.*<citation id="([0-9a-f-]{36})">\[1\]<\/citation>/u,
    );
    const id = /<citation id="([0-9a-f-]{36})">/u.exec(answer)?.[1] ?? '';
    const chunk = (await client.request('GET', `/chunks/${id}`)).json as Record<string, unknown>;
    assert.equal(chunk['document_id'], document.id);
    assert.match(String(chunk['text']), /plover/u);
    assert.equal(chunk['page_number'], name.endsWith('.pdf') ? 1 : null);
    const owner = (await client.request('GET', `/chunks/${id}/document`)).json as ApiDocument;
    assert.equal(owner.id, document.id);
  });
}

for (const [name, content, reason] of [
  ['empty.txt', '', /empty/u],
  ['broken.json', '{"a": ', /not valid JSON/u],
  ['photo.png', '\x89PNG\r\n\x1a\n\0\0\0\r', /cannot be read/u],
  ['broken.pdf', '%PDF-1.7 and then nothing', /damaged/u],
  ['broken.docx', 'PK\u0003\u0004 and then nothing', /damaged/u],
  ['blank.html', '<script>only()</script>', /No text/u],
] as const) {
  test(`UBIK agent reports why ${name} cannot be processed`, async () => {
    const server = getServer();
    const client = await DemoApiClient.create(server.url);
    const document = await upload(client, await client.createSession(), name, content);
    await server.agent?.whenDocumentsIndexed();
    const read = (await client.request('GET', `/documents/${document.id}`)).json as ApiDocument;
    assert.equal(read.status, 'failed');
    assert.match(read.error_message ?? '', reason);
  });
}

test('documents API removes folders and control characters from the file name of an upload', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  for (const [given, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\folder\\file.txt', 'file.txt'],
    ['a\u202Etxt.exe', 'atxt.exe'],
    ['..', 'file'],
  ] as const) {
    assert.equal((await upload(client, session, given, 'text')).name, kept);
  }
});

test('documents API links, stars, lists in pages and unlinks documents', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const [one, other] = [await client.createSession(), await client.createSession()];
  const document = await upload(client, one, 'notes.txt', 'A note about nothing in particular.');
  const base = `/agent-sessions/${other}/documents`;
  assert.equal((await client.request('POST', base, { document_ids: [document.id] })).status, 200);
  assert.equal(
    (await client.request('PUT', `${base}/${document.id}/star`, { is_starred: true })).status,
    200,
  );
  const list = (await client.request('GET', `${base}?limit=100`)).json as {
    items: (ApiDocument & { is_starred: boolean })[];
    total: number;
  };
  assert.equal(list.items.at(-1)?.id, document.id);
  assert.equal(list.items.at(-1)?.is_starred, true);
  assert.equal(list.total, list.items.length);
  assert.equal((await client.request('DELETE', `${base}/${document.id}`)).status, 204);
  assert.equal((await client.request('DELETE', `${base}/${document.id}`)).status, 404);
  assert.equal((await client.request('GET', `/documents/${document.id}`)).status, 200);
});

test('UBIK agent searches only the attached documents of a message', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const document = await upload(
    client,
    session,
    'network.txt',
    'A network of rivers is called a drainage pattern by those who study it.',
  );
  await server.agent?.whenDocumentsIndexed();
  const events = await client.send(
    session,
    'What is said about the network?',
    {},
    { attachment_document_ids: [document.id] },
  );
  const answer = String(events.at(-1)?.['content']);
  assert.match(answer, /what \*\*network\.txt\*\* says/u);
});

test('documents API rejects a file that is too large', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(26 * 1024 * 1024)]), 'large.bin');
  const refused = await client.request('POST', `/agent-sessions/${session}/upload`, form);
  assert.equal(refused.status, 413);
  assert.equal((await client.request('GET', '/health')).status, 200);
});
