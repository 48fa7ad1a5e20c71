import assert from 'node:assert/strict';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { searchThreads } from '../../src/elements/documents/document-picker.js';
import type { Key } from '../../src/model/json.js';
import type { FaultyPage } from './faulty-page.js';
import { GREET, lastMessage, PAGE, SEARCH, createWord, type ActionCase } from './action-case.js';
import { FAULTS } from './faults.js';

/** Uploads a document and waits until it is indexed. */
const uploadDocument = async ({ controller, world }: FaultyPage): Promise<DocumentInfo> => {
  const name = createWord();
  const made = await controller.uploadDocument(new File([`The word is ${name}.`], `${name}.txt`));
  await world.service.whenDocumentsIndexed();
  return made;
};
const documents = ({ controller }: FaultyPage): DocumentInfo[] =>
  [...(controller.thread?.list('documents').values() ?? [])] as unknown as DocumentInfo[];
const firstDocument = (page: FaultyPage): DocumentInfo =>
  documents(page)[0] ?? assert.fail('a document is listed');
/** Asserts that the service lists a document of the current thread, or that it does not. */
const assertListed = async (
  { controller }: FaultyPage,
  id: string | undefined,
  isListed: boolean,
) => {
  const { items } = await controller.listDocuments(PAGE);
  assert.equal(
    items.some((item) => item.id === id),
    isListed,
  );
};
/** The document that the preparation of a case has uploaded last, by page. */
const prepared = new WeakMap<FaultyPage, DocumentInfo>();
const file = () => new File(['Some words.'], `${createWord()}.txt`);
const lastTask = ({ uploads }: FaultyPage) => uploads.tasks.at(-1)?.key ?? '';
const assertFailedUpload = ({ uploads }: FaultyPage) =>
  assert.equal(uploads.tasks.at(-1)?.state, 'failed', 'the file is still listed');
const assertNoUploads = ({ uploads }: FaultyPage) => assert.deepEqual(uploads.tasks, []);
/** Makes an upload fail. */
const failUpload = async (page: FaultyPage) => {
  const upload = /\/upload$/u;
  const broken = FAULTS.find(({ name }) => name === '500');
  page.injectFault(broken ?? null, upload);
  await page.settleAction(() => page.uploads.add(file()));
  page.injectFault(null, upload);
  assertFailedUpload(page);
};
/** Searches the documents of the user's other threads. */
const findElsewhere = async ({ controller }: FaultyPage) => {
  const finding = { page: 0, threads: 0, hasMore: true, found: new Map<Key, DocumentInfo>() };
  for await (const _found of searchThreads(controller, finding, noSignal()));
  return [...finding.found.keys()];
};

/** Actions on documents. */
export const DOCUMENT_CASES: readonly ActionCase[] = [
  {
    name: 'upload',
    request: /^POST .*\/upload$/u,
    networkError: 'upload-failed',
    setUp: (page) => page.send(GREET),
    execute: ({ uploads }) => uploads.add(file()),
    checkFailed: assertFailedUpload,
    retry: (page) => page.uploads.retry(lastTask(page)),
    checkDone: assertNoUploads,
  },
  {
    name: 'retried upload',
    request: /^POST .*\/upload$/u,
    networkError: 'upload-failed',
    setUp: (page) => page.send(GREET),
    prepare: failUpload,
    execute: (page) => page.uploads.retry(lastTask(page)),
    checkFailed: assertFailedUpload,
    checkDone: assertNoUploads,
  },
  {
    name: 'upload after a failed one was removed',
    request: /^POST .*\/upload$/u,
    networkError: 'upload-failed',
    setUp: (page) => page.send(GREET),
    execute: ({ uploads }) => uploads.add(file()),
    checkFailed: assertFailedUpload,
    retry: (page) => {
      page.uploads.cancel(lastTask(page));
      assertNoUploads(page);
      return page.uploads.add(file());
    },
    checkDone: assertNoUploads,
  },
  {
    name: 'cancelled upload',
    request: /^POST .*\/upload$/u,
    fixedOutcome: 'aborted',
    setUp: (page) => page.send(GREET),
    execute: (page) => {
      const adding = page.uploads.add(file());
      page.uploads.cancel(lastTask(page));
      return adding;
    },
    checkFailed: assertNoUploads,
    retry: ({ uploads }) => uploads.add(file()),
    checkDone: assertNoUploads,
  },
  {
    name: 'link',
    request: /^POST .*\/documents$/u,
    ignoredFaults: ['invalid JSON'],
    prepare: async (page) => {
      prepared.set(page, await uploadDocument(page));
      page.controller.switchToNewThread();
      await page.send(GREET);
    },
    execute: (page) => {
      const found = prepared.get(page);
      return page.controller.linkDocuments(found ? [found] : []);
    },
    checkDone: (page) => assertListed(page, prepared.get(page)?.id, true),
  },
  {
    name: 'unlink',
    request: /^DELETE .*\/documents\//u,
    ignoredFaults: ['invalid JSON'],
    prepare: async (page) => {
      page.controller.switchToNewThread();
      prepared.set(page, await uploadDocument(page));
    },
    execute: (page) => page.controller.unlinkDocument(firstDocument(page).id),
    checkDone: (page) => assertListed(page, prepared.get(page)?.id, false),
  },
  {
    name: 'star',
    request: /^PUT .*\/star$/u,
    ignoredFaults: ['invalid JSON'],
    setUp: uploadDocument,
    execute: (page) => {
      const { id, starred } = firstDocument(page);
      return page.controller.starDocument(id, !starred);
    },
    checkDone: async (page) => {
      const { id, starred } = firstDocument(page);
      const { items } = await page.controller.listDocuments(PAGE);
      assert.equal(items.find((item) => item.id === id)?.starred, starred);
    },
  },
  {
    name: 'status of a document',
    request: /^GET \/documents\//u,
    setUp: uploadDocument,
    execute: (page) => page.controller.loadDocument(firstDocument(page).id),
    checkDone: (page) => assert.equal(firstDocument(page).status, 'completed'),
  },
  {
    name: 'list of documents',
    request: /^GET .*\/documents$/u,
    setUp: uploadDocument,
    execute: ({ controller }) => controller.listDocuments(PAGE),
    checkDone: (page) => assert.ok(documents(page).length > 1),
  },
  {
    name: 'documents of other threads',
    request: /^GET .*\/documents$/u,
    prepare: async (page) => {
      page.controller.switchToNewThread();
      prepared.set(page, await uploadDocument(page));
      page.controller.switchToNewThread();
      await page.send(GREET);
    },
    execute: findElsewhere,
    checkDone: async (page) => {
      const found = await findElsewhere(page);
      assert.ok(found.includes(prepared.get(page)?.id ?? ''));
    },
  },
  {
    name: 'passage',
    request: /^GET \/chunks\/[^/]+$/u,
    setUp: (page) => page.send(SEARCH),
    execute: (page) => page.controller.backend.loadPassage?.(citation(page), noSignal()) ?? fails(),
    checkDone: async (page) => {
      const found = await page.controller.backend.loadPassage?.(citation(page), noSignal());
      assert.match(found?.text ?? '', /\w/u);
    },
  },
  {
    name: 'file of a tool',
    request: /^GET \/assets\//u,
    ignoredFaults: ['invalid JSON', 'an HTML page'],
    setUp: (page) => page.send('Draw a chart of the longest rivers'),
    execute: (page) => page.controller.backend.loadToolFile?.(picture(page), noSignal()) ?? fails(),
    checkDone: async (page) => {
      const found = await page.controller.backend.loadToolFile?.(picture(page), noSignal());
      assert.equal(found?.type, 'image/png');
    },
  },
];

const noSignal = (): AbortSignal => new AbortController().signal;
const fails = (): never => assert.fail('the backend has the method');

/** The parts of the last message as JSON, without their texts. */
function dataOf(page: FaultyPage): string {
  const { parts } = lastMessage(page);
  const collect = (parent: Key | null): unknown[] =>
    parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      return [{ ...part, text: null }, ...collect(key)];
    });
  return JSON.stringify(collect(null));
}

function citation(page: FaultyPage): string {
  const { parts } = lastMessage(page);
  const marks = parts.children(null).flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'text' ? Object.values(part.marks ?? {}) : [];
  });
  return marks[0]?.id ?? assert.fail('something is cited');
}

function picture(page: FaultyPage): string {
  const found = /\/api\/v1\/assets\/[^"\\]+/u.exec(dataOf(page));
  return found?.[0] ?? assert.fail('an image was created');
}
