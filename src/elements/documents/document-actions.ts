import type { DocumentInfo, UploadLimits } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { Refusal } from '../../controller/documents/check-file.js';
import { uploadQueueOf, type UploadTask } from '../../controller/documents/upload-queue.js';
import type { HearOutcome } from '../../controller/documents/document-watch.js';
import type { UbikError } from '../../errors.js';
import {
  UbikDocumentAddedEvent,
  UbikDocumentAddEvent,
  UbikDocumentCancelEvent,
  UbikDocumentCancelledEvent,
  UbikDocumentFailedEvent,
  UbikDocumentReadyEvent,
  UbikDocumentRetriedEvent,
  UbikDocumentRetryEvent,
  UbikThreadCreateEvent,
  type DocumentDetail,
} from '../../events/index.js';
import type { IncomingFile } from './attachment-controller.js';
import { describeThread } from '../base/controller-events.js';
import type { DocumentHost } from './document-host.js';

/** What the services say about files, asked once for each conversation. */
const serviceLimits = new WeakMap<StreamController, Promise<UploadLimits>>();

/** What may be uploaded here: what the page says, else what the service does. */
export async function uploadLimitsOf({ element, controller }: DocumentHost): Promise<UploadLimits> {
  const { uploadLimits } = element;
  if (uploadLimits || !controller) return uploadLimits ?? {};
  // What cannot be asked is no reason to refuse a file: the service will say.
  const asked =
    serviceLimits.get(controller) ??
    controller.onboarding().then(
      (onboarding) => onboarding.uploadLimits ?? {},
      () => {
        serviceLimits.delete(controller);
        return {};
      },
    );
  serviceLimits.set(controller, asked);
  return asked;
}

/** Adds files to the shown thread, one act for each. `attach`: they go with the next message. */
export async function addFiles(
  host: DocumentHost,
  files: readonly IncomingFile[],
  attach: boolean,
): Promise<void> {
  const { controller } = host;
  const allowed = await uploadLimitsOf(host);
  if (!controller || controller !== host.controller) return;
  const queue = uploadQueueOf(controller);
  for (const { file, isFolder } of files) {
    const refusal = isFolder ? 'unreadable' : queue.check(file, allowed);
    if (refusal) rejectFile(host, file, refusal, attach);
    else uploadFile(host, file, attach);
  }
}

/** Gives up a file that is on its way. */
export function cancelUpload(
  host: DocumentHost,
  controller: StreamController,
  task: UploadTask,
): void {
  const detail = describeUpload(host, task);
  const cancel = (): Promise<void> => Promise.resolve(uploadQueueOf(controller).cancel(task.key));
  void host.attempt(
    host.performAction(
      [new UbikDocumentCancelEvent(detail)],
      cancel,
      () => new UbikDocumentCancelledEvent(detail),
    ),
  );
}

/** Sends a file once more. */
export function retryUpload(
  host: DocumentHost,
  controller: StreamController,
  task: UploadTask,
): void {
  const detail = describeUpload(host, task);
  uploadWithEvents(
    host,
    detail,
    [new UbikDocumentRetryEvent(detail)],
    () => uploadQueueOf(controller).retry(task.key),
    (arrived) => new UbikDocumentRetriedEvent(arrived),
  );
}

/** Sends the file of a document once more that the service could not read; the new document takes its place. */
export function reuploadDocument(
  host: DocumentHost,
  controller: StreamController,
  { id, name }: DocumentInfo,
  file: File,
): void {
  const detail = { ...describeThread(controller), documentId: id, name, size: file.size };
  const goes = controller.draft().attachments.some((one) => one.id === id);
  const replace = async (): Promise<DocumentInfo> => {
    const arrived = await uploadQueueOf(controller).add(file, goes);
    detachDocument(controller, id);
    // One that cannot be taken out stays, and says what it is.
    await host.attempt(controller.unlinkDocument(id), () => undefined);
    return arrived;
  };
  uploadWithEvents(
    host,
    detail,
    [new UbikDocumentRetryEvent(detail)],
    replace,
    (arrived) => new UbikDocumentRetriedEvent(arrived),
  );
}

/** Has a document not go with the next message. */
export function detachDocument(controller: StreamController, id: string): void {
  const draft = controller.draft();
  const attachments = draft.attachments.filter((one) => one.id !== id);
  controller.setDraft({ ...draft, attachments });
}

/** Tells the page what became of documents. */
export function createOutcomeListener(host: DocumentHost): HearOutcome {
  return ({ id, name, error }, outcome) => {
    const detail = { ...describeThread(host.controller), documentId: id, name, size: null };
    host.element.dispatchEvent(
      outcome === 'ready'
        ? new UbikDocumentReadyEvent(detail)
        : new UbikDocumentFailedEvent({ ...detail, code: 'processing', message: error }),
    );
  };
}

function uploadFile(host: DocumentHost, file: File, attach: boolean): void {
  const { controller } = host;
  if (!controller) return;
  const detail = describeUpload(host, file);
  const before = [
    new UbikDocumentAddEvent(detail, file),
    ...(controller.thread ? [] : [new UbikThreadCreateEvent(describeThread(controller))]),
  ];
  uploadWithEvents(
    host,
    detail,
    before,
    () => uploadQueueOf(controller).add(file, attach),
    (arrived) => new UbikDocumentAddedEvent(arrived),
  );
}

/** Has a file sent, with its events: the thread is named as it is when the file has arrived. */
function uploadWithEvents(
  host: DocumentHost,
  detail: DocumentDetail,
  before: readonly Event[],
  run: () => Promise<DocumentInfo>,
  after: (detail: DocumentDetail) => Event,
): void {
  let arrived: Partial<DocumentDetail> = {};
  const sent = host.performAction(
    before,
    async () => {
      const { id, name } = await run();
      arrived = { documentId: id, name: name || detail.name };
    },
    () =>
      after({
        ...detail,
        ...(detail.threadId === null && describeThread(host.controller)),
        ...arrived,
      }),
  );
  void host.attempt(sent, ({ code, message }: UbikError) => {
    host.element.dispatchEvent(new UbikDocumentFailedEvent({ ...detail, code, message }));
  });
}

function rejectFile(host: DocumentHost, file: File, code: Refusal, attach: boolean): void {
  const { controller } = host;
  if (!controller) return;
  uploadQueueOf(controller).refuse(file, code, attach);
  const detail = { ...describeUpload(host, file), code, message: null };
  host.element.dispatchEvent(new UbikDocumentFailedEvent(detail));
}

function describeUpload({ controller }: DocumentHost, named: File | UploadTask): DocumentDetail {
  const { size } = 'file' in named ? named.file : named;
  return { ...describeThread(controller), documentId: null, name: named.name, size };
}
