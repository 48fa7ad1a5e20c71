import type { LitElement } from 'lit';
import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { QueuedMessage, UploadTask } from '../../controller/controller-types.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import { loadingThreadOf } from '../../controller/threads/thread-openings.js';
import type { OutcomeListener } from '../../controller/documents/processing-watch.js';
import type { UbikError } from '../../errors.js';
import {
  UbikDocumentAddedEvent,
  UbikDocumentAddEvent,
  UbikDocumentCancelledEvent,
  UbikDocumentFailedEvent,
  UbikDocumentReadyEvent,
  UbikDocumentStarredEvent,
  UbikThreadCreateEvent,
  type DocumentDetail,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { Attachment } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { describeThread } from '../base/controller-events.js';
import type { IncomingFile } from './attachment-controller.js';
import { ConversationTarget } from './conversation-target.js';

/** Searches documents; an empty query returns the first ones. */
export type FindDocuments = (
  query: string,
  signal: AbortSignal,
) => Promise<readonly DocumentInfo[]>;

/** Properties of an element that uploads documents. */
interface DocumentOptions {
  readonly uploadLimits: UploadLimits | null;
}

/** The host of an element that uploads documents: an element with a composer, or `<ubik-documents>`. */
export type DocumentHost = ConnectedHost<LitElement & DocumentOptions>;

/** The host of `<ubik-documents>`. */
export type DocumentsPanelHost = ConnectedHost<
  LitElement & DocumentOptions & { readonly findDocuments: FindDocuments | null }
>;

/**
 * Uploads files to a conversation, by default to the one that is shown or loading, and dispatches the events of each file. Files that fail the
 * checks are shown as refused, and those of a conversation that is not shown in the end as failed. With `attach`, the uploaded files are also
 * attached to the next message. Resolves when the uploads were added to the queue; rejects when the code for uploads cannot be loaded.
 */
export async function addFiles(
  host: DocumentHost,
  files: readonly IncomingFile[],
  attach: boolean,
  conversation?: ConversationTarget,
): Promise<void> {
  const { controller, element } = host;
  if (!controller) return;
  const target = conversation ?? new ConversationTarget(controller);
  try {
    // A thread that is being opened in place of a new conversation is shown before its files are added.
    await (target.loaded ?? loadingThreadOf(controller));
    // Also loads the code of the requests, so that the first file creates its thread synchronously, and the next files join that thread.
    await controller.loadUploads();
    // With empty limits every file is sent, and the service rejects what it does not accept.
    const limits = element.uploadLimits ?? (await uploadQueueOf(controller).loadLimits());
    // Another controller may have been connected meanwhile.
    if (controller === host.controller)
      for (const file of files) addFile(host, file, limits, attach, target);
  } finally {
    if (!conversation) target.dispose();
  }
}

/** Adds a file to the upload queue, attaches it without an upload if it is in the thread already, or shows it as refused or failed. */
function addFile(
  host: DocumentHost,
  { file, isFolder }: IncomingFile,
  limits: UploadLimits,
  attach: boolean,
  target: ConversationTarget,
): void {
  const { element } = host;
  const queue = uploadQueueOf(target.controller);
  const thread = target.thread ?? null;
  const refusal = isFolder ? 'unreadable' : queue.check(file, limits, thread);
  const detail = describeFile(thread, file);
  // A file that is in the thread, for example because the user has detached it, is attached without another upload.
  if (attach && refusal === 'duplicate' && queue.attach(file, thread)) return;
  if (refusal) {
    queue.refuse(file, refusal, attach, thread);
    const failure = { ...detail, code: refusal, message: null };
    element.dispatchEvent(new UbikDocumentFailedEvent(failure));
    return;
  }
  const before = new UbikDocumentAddEvent(detail, file);
  // Another thread was opened, or the one that was loading could not be. The file waits for a retry, before which the page is not asked again.
  if (target.thread === undefined || (!thread && target.controller.thread)) {
    if (!element.dispatchEvent(before)) return;
    const { code, message } = queue.postpone(file, attach, target.loadingId);
    element.dispatchEvent(new UbikDocumentFailedEvent({ ...detail, code, message }));
    return;
  }
  uploadWithEvents(host, thread, detail, [before], () => queue.add(file, attach, thread));
}

/** Cancels an upload, or dismisses a failed one. */
export function cancelUpload(
  host: DocumentHost,
  controller: StreamController,
  task: UploadTask,
): void {
  const detail = describeUpload(host, task);
  uploadQueueOf(controller).cancel(task.key);
  host.element.dispatchEvent(new UbikDocumentCancelledEvent(detail));
}

/** By file that is uploaded again: the function that replaces its previous document, called when the upload has succeeded. */
const replacements = new WeakMap<File, (uploaded: DocumentInfo) => Promise<unknown>>();

/** Awaits the upload of a file. If it was uploaded again, replaces its previous document. */
async function replaceWhenUploaded(
  file: File,
  upload: Promise<DocumentInfo>,
): Promise<DocumentInfo> {
  const uploaded = await upload;
  await replacements.get(file)?.(uploaded);
  replacements.delete(file);
  return uploaded;
}

/** Retries a failed upload; while a thread is loading, as soon as that is shown, unless the file belongs to another conversation. */
export function retryUpload(
  host: DocumentHost,
  controller: StreamController,
  task: UploadTask,
): void {
  const loading = loadingThreadOf(controller);
  if (loading) {
    // The upload would create a new thread, in whose favor the loading would be given up.
    void loading.then(() => {
      const isShown = uploadQueueOf(controller).tasks.includes(task);
      // Not when it was pressed twice, and has started.
      if (isShown && task.state === 'failed') retryUpload(host, controller, task);
    });
    return;
  }
  const retry = (): Promise<DocumentInfo> =>
    replaceWhenUploaded(task.file, uploadQueueOf(controller).retry(task.key));
  uploadWithEvents(host, controller.thread, describeUpload(host, task), [], retry);
}

/** Uploads the file of a document again, because the service could not process the document. The new document replaces it. */
export function reuploadDocument(
  host: DocumentHost,
  controller: StreamController,
  { id, name }: DocumentInfo,
  file: File,
): void {
  const { thread } = controller;
  const detail = { ...describeThread(controller), documentId: id, name, size: file.size };
  const isAttached = controller.getDraft().attachments.some((attachment) => attachment.id === id);
  replacements.set(file, (uploaded) => {
    detachDocument(controller, id, thread?.key);
    changeQueued(host, controller, thread, (attachments) =>
      attachments.map((each) => (each.id === id ? { id: uploaded.id, name: uploaded.name } : each)),
    );
    // If it cannot be unlinked, the failed document stays in the list.
    return host.attempt(controller.unlinkDocument(id, thread?.id ?? undefined), () => undefined);
  });
  uploadWithEvents(host, thread, detail, [], () =>
    replaceWhenUploaded(file, uploadQueueOf(controller).add(file, isAttached, thread)),
  );
}

/** Detaches a document from the next message of a thread, by default of the current one. */
export function detachDocument(controller: StreamController, id: string, thread?: Key): void {
  const draft = controller.getDraft(thread);
  const attachments = draft.attachments.filter((attachment) => attachment.id !== id);
  controller.setDraft({ ...draft, attachments }, thread);
}

/**
 * Changes the attachments of the queued messages of a thread. `change` returns the new ones. Returns the keys of the messages that it has
 * changed.
 */
export function changeQueued(
  host: DocumentHost,
  controller: StreamController,
  thread: Thread | null,
  change: (attachments: readonly Attachment[], key: Key) => readonly Attachment[],
): readonly Key[] {
  const queue = [...(thread?.list('queue') ?? [])] as unknown as [Key, QueuedMessage][];
  return queue.flatMap(([key, message]) => {
    const attachments = change(message.attachments, key);
    const isSame = message.attachments.every(({ id }, at) => id === attachments[at]?.id);
    if (isSame && attachments.length === message.attachments.length) return [];
    // Fails when the message is being sent or would be empty.
    void host.attempt(controller.updateQueued(key, { ...message, attachments }), () => undefined);
    return [key];
  });
}

/** Attaches a document to the next message, after the others. */
export function attachDocument(controller: StreamController, id: string, name: string): void {
  const draft = controller.getDraft();
  const others = draft.attachments.filter((attachment) => attachment.id !== id);
  controller.setDraft({ ...draft, attachments: [...others, { id, name }] });
}

/** Stars a document, or removes the star. */
export function toggleStar(
  info: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
): Promise<boolean> {
  const starred = !info.starred;
  const detail = { ...describeDocument(host, info), starred };
  return host.performAction(
    [],
    () => controller.starDocument(info.id, starred),
    () => new UbikDocumentStarredEvent(detail),
  );
}

/** Returns a listener that dispatches the events for processed and failed documents. */
export function createOutcomeListener(host: DocumentHost): OutcomeListener {
  return ({ id, name, error }, outcome) => {
    const detail = { ...describeThread(host.controller), documentId: id, name, size: null };
    host.element.dispatchEvent(
      outcome === 'ready'
        ? new UbikDocumentReadyEvent(detail)
        : new UbikDocumentFailedEvent({ ...detail, code: 'processing', message: error }),
    );
  };
}

/**
 * Runs an upload to a thread and dispatches `ubik-document-added` or `ubik-document-failed`, with the id of the thread that the upload has
 * created if there was none. The `before` events can cancel it, and `ubik-thread-create` if it creates the thread.
 */
function uploadWithEvents(
  host: DocumentHost,
  thread: Thread | null,
  detail: DocumentDetail,
  before: readonly Event[],
  run: () => Promise<DocumentInfo>,
): void {
  let target = thread;
  let uploaded: Partial<DocumentDetail> = {};
  const describe = (): DocumentDetail => ({
    ...detail,
    ...describeThread({ thread: target }),
    ...uploaded,
  });
  const upload = host.performAction(
    [...before, ...(thread ? [] : [new UbikThreadCreateEvent({ threadId: null })])],
    async () => {
      const uploading = run();
      // The upload has created this thread. Read now, because another thread may be shown when the upload is complete.
      target ??= host.controller?.thread ?? null;
      const { id, name } = await uploading;
      uploaded = { documentId: id, name: name || detail.name };
    },
    () => new UbikDocumentAddedEvent(describe()),
  );
  void host.attempt(upload, ({ code, message }: UbikError) => {
    host.element.dispatchEvent(new UbikDocumentFailedEvent({ ...describe(), code, message }));
  });
}

/** Returns the event detail of a document. */
export function describeDocument(
  { controller }: DocumentHost,
  { id, name }: DocumentInfo,
): DocumentDetail {
  return { ...describeThread(controller), documentId: id, name, size: null };
}

/** Returns the event detail of an upload to the current thread. */
function describeUpload({ controller }: DocumentHost, { file, name }: UploadTask): DocumentDetail {
  return { ...describeFile(controller?.thread, file), name };
}

/** Returns the event detail of a file that is uploaded to a thread. */
function describeFile(thread: Thread | null | undefined, { name, size }: File): DocumentDetail {
  return { threadId: thread?.id ?? null, documentId: null, name, size };
}
