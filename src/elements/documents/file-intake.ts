import { html, nothing, type TemplateResult } from 'lit';
import type { ReactiveController } from 'lit';
import { isUbikError } from '../../errors.js';
import { element } from '../../dom/element.js';
import { deferFile } from '../../message/deferred.js';
import { renderIcon } from '../../message/icons.js';
import type { AttachedFiles } from './attached-files.js';
import type { DocumentHost } from './document-host.js';

/** A file that somebody has brought, or a folder, which is none. */
export interface FoundFile {
  readonly file: File;
  readonly isFolder: boolean;
}

/** What handles documents. */
export const deferredDocuments = deferFile(() => import('./documents.js'));

/** What was dropped or pasted, as far as it is files. */
export function filesIn(data: DataTransfer | null): FoundFile[] {
  return [...(data?.items ?? [])].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file ? [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory ?? false }] : [];
  });
}

/** What was chosen in a field for files, which can then choose the same again. */
export function filesOf(input: HTMLInputElement): FoundFile[] {
  const files = [...(input.files ?? [])].map((file) => ({ file, isFolder: false }));
  input.value = '';
  return files;
}

/** Calls back with the files that are dropped on an element or pasted into it; while some hang over it, it has `data-dropping`. */
export function takeFiles(
  target: HTMLElement,
  isAble: () => boolean,
  take: (files: FoundFile[]) => void,
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
    if (type !== 'dragover') take(filesIn(data));
  };
  for (const type of ['dragover', 'drop', 'paste'] as const) target.addEventListener(type, handle);
  target.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && target.contains(relatedTarget))) mark(false);
  });
}

/** The files that go with the next message, and the ways to bring them: a button, dropping, pasting. */
export class FileIntake implements ReactiveController {
  /** What is to go with the message. */
  readonly node = element('div', 'attached');
  readonly #host: DocumentHost;
  #list: AttachedFiles | undefined;

  constructor(host: DocumentHost) {
    this.#host = host;
    takeFiles(
      host.element,
      () => this.#isAble,
      (files) => void this.take(files),
    );
    host.element.addController(this);
  }

  /** Whether a file that is to go with the message has not arrived. */
  get isComing(): boolean {
    return this.#list?.isComing ?? false;
  }

  hostUpdated(): void {
    const isNeeded = (this.#host.controller?.draft().attachments.length ?? 0) > 0;
    if (this.#list) this.#list.update();
    else if (isNeeded) void this.#load();
  }

  hostDisconnected(): void {
    this.#list?.stop();
  }

  /** The button that lets a person choose. */
  renderButton(): TemplateResult | typeof nothing {
    if (!this.#isAble) return nothing;
    const { context, element } = this.#host;
    const words = context.locale.text('attachFiles');
    const choose = ({ currentTarget }: Event): void => {
      ((currentTarget as Element).nextElementSibling as HTMLInputElement).click();
    };
    const take = ({ currentTarget }: Event): void => {
      void this.take(filesOf(currentTarget as HTMLInputElement));
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
  async take(files: FoundFile[]): Promise<void> {
    const documents = await this.#load();
    await documents?.addFiles(this.#host, files, true);
  }

  get #isAble(): boolean {
    return this.#host.controller?.backend.capabilities.has('upload') ?? false;
  }

  async #load() {
    try {
      const documents = await deferredDocuments.load();
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
