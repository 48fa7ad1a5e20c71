import type { InputRequest } from '../../src/backends/backend.js';
import type { UbikBackend } from '../../src/backends/ubik/index.js';

/** A page that contains the whole list. */
export const PAGE = { page: 1, limit: 100 };

/** Ids of what the first user owns. */
export interface OwnedIds {
  readonly threadId: string;
  readonly waitingThreadId: string;
  readonly documentId: string;
  readonly messageId: string;
  readonly questionId: string;
  readonly runId: string;
  readonly checkpoint: string;
  readonly executionId: string;
  /** The URL of an image that a tool has created. */
  readonly picture: string;
  /** A passage of the document. */
  readonly passageId: string;
}

/** A call of each method that takes an id, with ids of another user. `own`: a thread of the caller. */
export function listForeignCalls(
  backend: UbikBackend,
  ids: OwnedIds,
  own: string,
): readonly (readonly [string, () => unknown])[] {
  const { signal } = new AbortController();
  const keys = { thread: 't', user: 'u', answer: 'a' };
  const draft = { text: 'Tell me', attachments: [] };
  const { threadId: id, waitingThreadId, documentId, messageId, questionId } = ids;
  const run = { id: ids.runId, keys, otherRunIds: [] };
  const checkpoint = {
    name: ids.checkpoint,
    runId: null,
    createdAt: null,
    id: null,
    metadata: null,
    restorable: true,
  };
  const request: InputRequest = {
    key: '@request:x',
    message: 'a',
    level: 'tool',
    checkpointName: null,
    executionId: ids.executionId,
    toolName: null,
    prompt: '',
    inputTypes: [],
    options: null,
    schema: null,
    deadline: null,
  };
  const answer = { type: 'text', text: 'Tell me' } as const;
  const attached = { text: 'Tell me', attachments: [{ id: documentId, name: 'x' }] };
  const file = new File(['x'], 'x.txt');
  return [
    ['loadThread', () => backend.loadThread(id)],
    ['loadMessage', () => backend.loadMessage(id, messageId)],
    ['loadMessage with a thread of the caller', () => backend.loadMessage(own, messageId)],
    ['send', () => backend.send(id, draft, keys, signal)],
    ['send with a document', () => backend.send(own, attached, keys, signal)],
    ['rejoin', () => backend.rejoin(id, run, signal)],
    ['rejoin with a thread of the caller', () => backend.rejoin(own, run, signal)],
    ['provideInput', () => backend.provideInput(waitingThreadId, request, answer, keys, signal)],
    [
      'provideInput with a thread of the caller',
      () => backend.provideInput(own, request, answer, keys, signal),
    ],
    ['stop', () => backend.stop(waitingThreadId, run)],
    ['edit', () => backend.edit(id, questionId, draft, keys, signal)],
    ['edit with a thread of the caller', () => backend.edit(own, questionId, draft, keys, signal)],
    ['regenerate', () => backend.regenerate(id, messageId, {}, keys, signal)],
    [
      'regenerate with a thread of the caller',
      () => backend.regenerate(own, messageId, {}, keys, signal),
    ],
    ['switchBranch', () => backend.switchBranch(id, messageId)],
    ['switchBranch with a thread of the caller', () => backend.switchBranch(own, messageId)],
    ['listCheckpoints', () => backend.listCheckpoints(id)],
    ['restoreCheckpoint', () => backend.restoreCheckpoint(id, checkpoint, 'x', keys, signal)],
    [
      'restoreCheckpoint with a thread of the caller',
      () => backend.restoreCheckpoint(own, checkpoint, 'x', keys, signal),
    ],
    ['listDocuments', () => backend.listDocuments(id, PAGE)],
    ['uploadDocument', () => backend.uploadDocument(id, file, () => undefined, signal)],
    ['linkDocuments', () => backend.linkDocuments(own, [documentId])],
    ['linkDocuments to a foreign thread', () => backend.linkDocuments(id, [documentId])],
    ['unlinkDocument', () => backend.unlinkDocument(id, documentId)],
    ['unlinkDocument with a thread of the caller', () => backend.unlinkDocument(own, documentId)],
    ['starDocument', () => backend.starDocument(id, documentId, true)],
    ['starDocument with a thread of the caller', () => backend.starDocument(own, documentId, true)],
    ['loadDocument', () => backend.loadDocument(documentId)],
    ['loadExecution', () => backend.loadExecution(ids.executionId)],
    ['followExecution', () => backend.followExecution(ids.executionId, signal)],
    ['loadPassage', () => backend.loadPassage(ids.passageId, signal)],
    ['loadPassage of a whole document', () => backend.loadPassage(documentId, signal)],
    ['loadToolFile', () => backend.loadToolFile(ids.picture, signal)],
    ['renameThread', () => backend.renameThread(id, 'Mine')],
    ['deleteThread', () => backend.deleteThread(id)],
  ];
}
