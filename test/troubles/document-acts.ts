import assert from 'node:assert/strict';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { searchThreads } from '../../src/elements/documents/document-picker.js';
import type { Key } from '../../src/model/json.js';
import type { Stage } from './stage.js';
import { GREET, last, PAGE, SEARCH, word, type TriedAct } from './tried-act.js';
import { TROUBLES } from './troubles.js';

const document = async ({ controller, world }: Stage): Promise<DocumentInfo> => {
  const name = word();
  const made = await controller.uploadDocument(new File([`The word is ${name}.`], `${name}.txt`));
  await world.service.documentsRead();
  return made;
};
const documents = ({ controller }: Stage): DocumentInfo[] =>
  [...(controller.thread?.list('documents').values() ?? [])] as unknown as DocumentInfo[];
const firstDocument = (stage: Stage): DocumentInfo =>
  documents(stage)[0] ?? assert.fail('a document is there');
const isListed = async ({ controller }: Stage, id: string | undefined, isThere: boolean) => {
  const { items } = await controller.listDocuments(PAGE);
  assert.equal(
    items.some((item) => item.id === id),
    isThere,
  );
};
const elsewhere = new WeakMap<Stage, DocumentInfo>();
const file = () => new File(['Some words.'], `${word()}.txt`);
const lastTask = ({ uploads }: Stage) => uploads.tasks.at(-1)?.key ?? '';
const isFailed = ({ uploads }: Stage) =>
  assert.equal(uploads.tasks.at(-1)?.state, 'failed', 'the file is there');
const isSent = ({ uploads }: Stage) => assert.deepEqual(uploads.tasks, []);
/** A file that did not arrive. */
const lose = async (stage: Stage) => {
  const upload = /\/upload$/u;
  const broken = TROUBLES.find(({ name }) => name === '500');
  stage.meet(broken ?? null, upload);
  await stage.attempt(() => stage.uploads.add(file()));
  stage.meet(null, upload);
  isFailed(stage);
};
/** Looks through the person's other threads. */
const findElsewhere = async ({ controller }: Stage) => {
  const finding = { page: 0, threads: 0, hasMore: true, found: new Map<Key, DocumentInfo>() };
  for await (const _found of searchThreads(controller, finding, never()));
  return [...finding.found.keys()];
};

/** Acts on documents. */
export const DOCUMENT_ACTS: readonly TriedAct[] = [
  {
    name: 'upload',
    request: /^POST .*\/upload$/u,
    broken: 'upload-failed',
    setUp: (stage) => stage.send(GREET),
    act: ({ uploads }) => uploads.add(file()),
    kept: isFailed,
    again: (stage) => stage.uploads.retry(lastTask(stage)),
    works: isSent,
  },
  {
    name: 'upload once more',
    request: /^POST .*\/upload$/u,
    broken: 'upload-failed',
    setUp: (stage) => stage.send(GREET),
    prepare: lose,
    act: (stage) => stage.uploads.retry(lastTask(stage)),
    kept: isFailed,
    works: isSent,
  },
  {
    name: 'upload that is put away after it failed',
    request: /^POST .*\/upload$/u,
    broken: 'upload-failed',
    setUp: (stage) => stage.send(GREET),
    act: ({ uploads }) => uploads.add(file()),
    kept: isFailed,
    again: (stage) => {
      stage.uploads.cancel(lastTask(stage));
      isSent(stage);
      return stage.uploads.add(file());
    },
    works: isSent,
  },
  {
    name: 'upload that is given up on its way',
    request: /^POST .*\/upload$/u,
    always: 'aborted',
    setUp: (stage) => stage.send(GREET),
    act: (stage) => {
      const adding = stage.uploads.add(file());
      stage.uploads.cancel(lastTask(stage));
      return adding;
    },
    kept: isSent,
    again: ({ uploads }) => uploads.add(file()),
    works: isSent,
  },
  {
    name: 'link',
    request: /^POST .*\/documents$/u,
    takes: ['no JSON'],
    prepare: async (stage) => {
      elsewhere.set(stage, await document(stage));
      stage.controller.switchToNewThread();
      await stage.send(GREET);
    },
    act: (stage) => {
      const found = elsewhere.get(stage);
      return stage.controller.linkDocuments(found ? [found] : []);
    },
    works: (stage) => isListed(stage, elsewhere.get(stage)?.id, true),
  },
  {
    name: 'unlink',
    request: /^DELETE .*\/documents\//u,
    takes: ['no JSON'],
    prepare: async (stage) => {
      stage.controller.switchToNewThread();
      elsewhere.set(stage, await document(stage));
    },
    act: (stage) => stage.controller.unlinkDocument(firstDocument(stage).id),
    works: (stage) => isListed(stage, elsewhere.get(stage)?.id, false),
  },
  {
    name: 'star',
    request: /^PUT .*\/star$/u,
    takes: ['no JSON'],
    setUp: document,
    act: (stage) => {
      const { id, starred } = firstDocument(stage);
      return stage.controller.starDocument(id, !starred);
    },
    works: async (stage) => {
      const { id, starred } = firstDocument(stage);
      const { items } = await stage.controller.listDocuments(PAGE);
      assert.equal(items.find((item) => item.id === id)?.starred, starred);
    },
  },
  {
    name: 'state of a document',
    request: /^GET \/documents\//u,
    setUp: document,
    act: (stage) => stage.controller.loadDocument(firstDocument(stage).id),
    works: (stage) => assert.equal(firstDocument(stage).status, 'completed'),
  },
  {
    name: 'list of documents',
    request: /^GET .*\/documents$/u,
    setUp: document,
    act: ({ controller }) => controller.listDocuments(PAGE),
    works: (stage) => assert.ok(documents(stage).length > 1),
  },
  {
    name: 'documents of other threads',
    request: /^GET .*\/documents$/u,
    prepare: async (stage) => {
      stage.controller.switchToNewThread();
      elsewhere.set(stage, await document(stage));
      stage.controller.switchToNewThread();
      await stage.send(GREET);
    },
    act: findElsewhere,
    works: async (stage) => {
      const found = await findElsewhere(stage);
      assert.ok(found.includes(elsewhere.get(stage)?.id ?? ''));
    },
  },
  {
    name: 'passage',
    request: /^GET \/chunks\/[^/]+$/u,
    setUp: (stage) => stage.send(SEARCH),
    act: (stage) => stage.controller.backend.loadPassage?.(citation(stage), never()) ?? fails(),
    works: async (stage) => {
      const found = await stage.controller.backend.loadPassage?.(citation(stage), never());
      assert.match(found?.text ?? '', /\w/u);
    },
  },
  {
    name: 'file of a tool',
    request: /^GET \/assets\//u,
    takes: ['no JSON', 'a page'],
    setUp: (stage) => stage.send('Draw a chart of the longest rivers'),
    act: (stage) => stage.controller.backend.loadToolFile?.(picture(stage), never()) ?? fails(),
    works: async (stage) => {
      const found = await stage.controller.backend.loadToolFile?.(picture(stage), never());
      assert.equal(found?.type, 'image/png');
    },
  },
];

const never = (): AbortSignal => new AbortController().signal;
const fails = (): never => assert.fail('the backend can do it');

/** Everything of the last message, as data. */
function dataOf(stage: Stage): string {
  const { parts } = last(stage);
  const collect = (parent: Key | null): unknown[] =>
    parts.children(parent).flatMap((key) => {
      const part = parts.get(key);
      return [{ ...part, text: null }, ...collect(key)];
    });
  return JSON.stringify(collect(null));
}

function citation(stage: Stage): string {
  const { parts } = last(stage);
  const marks = parts.children(null).flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'text' ? Object.values(part.marks ?? {}) : [];
  });
  return marks[0]?.id ?? assert.fail('something is cited');
}

function picture(stage: Stage): string {
  const found = /\/api\/v1\/assets\/[^"\\]+/u.exec(dataOf(stage));
  return found?.[0] ?? assert.fail('a picture was made');
}
