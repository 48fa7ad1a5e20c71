import { html, nothing, type TemplateResult } from 'lit';
import type { ReactiveController } from 'lit';
import { isUbikError } from '../../errors.js';
import { element } from '../../dom/element.js';
import { deferFile } from '../../message/deferred.js';
import { renderIcon } from '../../message/icons.js';
import type { AttachmentList } from './attachment-list.js';
import type { DocumentHost } from './document-host.js';

/** A file that somebody has brought, or a folder, which is none. */
export interface IncomingFile {
  readonly file: File;
  readonly isFolder: boolean;
}

/** What handles documents. */
export const lazyDocuments = deferFile(() => import('./documents.js'));

/** What was dropped or pasted, as far as it is files. */
export function filesFromTransfer(data: DataTransfer | null): IncomingFile[] {
  return [...(data?.items ?? [])].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file ? [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory ?? false }] : [];
  });
}

/** What was chosen in a field for files, which can then choose the same again. */
export function filesFromInput(input: HTMLInputElement): IncomingFile[] {
  const files = [...(input.files ?? [])].map((file) => ({ file, isFolder: false }));
  input.value = '';
  return files;
}

/** Calls back with the files that are dropped on an element or pasted into it; while some hang over it, it has `data-dropping`. */
export function acceptFiles(
  target: HTMLElement,
  isAble: () => boolean,
  take: (files: IncomingFile[]) => void,
): void {
  const mark = (on: boolean): void => void target.toggleAttribute('data-dropping', on);
  const handle = (event: DragEvent | ClipboardEvent): void => {
    const data = 'dataTransfer' in event ? event.dataTransfer : event.clipboardData;
    const { type } = event;
    // An element inside has taken it. Office programs bring a picture of the text along: the text is meant.
    const isText = type === 'paste' && data?.types.includes('text/plain');
    if (event.defaultPrevented || isText || !data?.types.includes('Files') || !isAble()) return;
    event.preventDefault();
    mark(type === 'dragover');
    if (type !== 'dragover') take(filesFromTransfer(data));
  };
  for (const type of ['dragover', 'drop', 'paste'] as const) target.addEventListener(type, handle);
  target.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && target.contains(relatedTarget))) mark(false);
  });
}

/** The files that go with the next message, and the ways to bring them: a button, dropping, pasting. */
export class AttachmentController implements ReactiveController {
  /** What is to go with the message. */
  readonly node = element('div', 'attached');
  readonly #host: DocumentHost;
  #list: AttachmentList | undefined;

  constructor(host: DocumentHost) {
    this.#host = host;
    acceptFiles(
      host.element,
      () => this.#canUpload,
      (files) => void this.attach(files),
    );
    host.element.addController(this);
  }

  /** Whether a file that is to go with the message has not arrived. */
  get isUploading(): boolean {
    return this.#list?.isUploading ?? false;
  }

  hostUpdated(): void {
    const isNeeded = (this.#host.controller?.draft().attachments.length ?? 0) > 0;
    if (this.#list) this.#list.update();
    else if (isNeeded) void this.#load();
  }

  hostDisconnected(): void {
    this.#list?.disconnect();
  }

  /** The button that lets a person choose. */
  renderButton(): TemplateResult | typeof nothing {
    if (!this.#canUpload) return nothing;
    const { context, element } = this.#host;
    const words = context.locale.text('attachFiles');
    const choose = ({ currentTarget }: Event): void => {
      ((currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    };
    const take = ({ currentTarget }: Event): void => {
      void this.attach(filesFromInput(currentTarget as HTMLInputElement));
    };
    return html`<button class="attach" type="button" part="attach" title=${words} @click=${choose}>
        ${renderIcon('clip')}</button
      ><input
        type="file"
        multiple
        hidden
        accept=${element.uploadLimits?.types?.join() ?? ''}
        @change=${take}
      />`;
  }

  /** Takes files that are to go with the message. */
  async attach(files: IncomingFile[]): Promise<void> {
    const documents = await this.#load();
    await documents?.addFiles(this.#host, files, true);
  }

  get #canUpload(): boolean {
    return this.#host.controller?.backend.capabilities.has('upload') ?? false;
  }

  async #load() {
    try {
      const documents = await lazyDocuments.load();
      this.#list ??= new documents.AttachedFiles(this.node, this.#host);
      this.#list.update();
      return documents;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      await this.#host.attempt(Promise.reject(error));
      return undefined;
    }
  }
}
