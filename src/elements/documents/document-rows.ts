import { html, nothing, type TemplateResult } from 'lit';
import type { Capability, DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { sanitizeFileName } from '../../controller/documents/check-file.js';
import type { UploadTask } from '../../controller/controller-types.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import { outcomeOf } from '../../controller/documents/processing-watch.js';
import type { Locale } from '../../locales/locale.js';
import { langOfContent, renderContentText } from '../../message/content-lang.js';
import { explainError } from '../../message/explain-error.js';
import { drawIcon, renderIcon, renderSymbol } from '../../message/icons.js';
import {
  attachDocument,
  cancelUpload,
  detachDocument,
  retryUpload,
  reuploadDocument,
  toggleStar,
  type DocumentHost,
} from './document-actions.js';
import type { DocumentRemovals } from './document-removals.js';

/** Formats a file size: "820 kB", "2.5 MB". */
export function formatSize(bytes: number, { lang }: Locale): string {
  // A size that would be rounded to 1000 has the next unit.
  const [unit, divisor, digits] =
    bytes < 999_500
      ? (['kilobyte', 1e3, 0] as const)
      : bytes < 999_950_000
        ? (['megabyte', 1e6, 1] as const)
        : (['gigabyte', 1e9, 1] as const);
  // A file of less than 1 kB is shown as 1 kB instead of 0 kB.
  const shown = bytes > 0 ? Math.max(bytes, 1e3) : 0;
  return new Intl.NumberFormat(lang, {
    style: 'unit',
    unit,
    maximumFractionDigits: digits,
  }).format(shown / divisor);
}

/** Formats the date of a time in ms since the epoch; omits the year if it is the year of `now`. */
function formatDay(time: number, now: number, { lang }: Locale): string {
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const options = isThisYear
    ? ({ month: 'short', day: 'numeric' } as const)
    : ({ dateStyle: 'medium' } as const);
  return new Intl.DateTimeFormat(lang, options).format(time);
}

/** Awaits an action, and shows its error. */
type RunAction = (action: Promise<boolean>) => Promise<void>;

/** Returns the name of a document for display, without control characters; never empty. */
export function displayNameOf({ name }: Pick<DocumentInfo, 'name'>, locale: Locale): string {
  return sanitizeFileName(name) || locale.text('sourceUnnamed');
}

/** Renders the name of a document in its own direction and language. */
export function renderName(info: Pick<DocumentInfo, 'name'>, locale: Locale): TemplateResult {
  const name = sanitizeFileName(info.name);
  return name ? renderContentText(name, locale) : html`<bdi>${displayNameOf(info, locale)}</bdi>`;
}

/** The extension of a file name, of at most four letters or digits. */
const EXTENSION = /\.([a-z\d]{1,4})$/i;

/** The icon of a file without an extension. */
const FILE_ICON = drawIcon('file', 'M9.5 2H4v12h8V4.5zM9.5 2v2.5H12');

/** Renders the icon of a file, its extension. The style sheet generates its text, so that it is not read out beside the name. */
function renderFileIcon(name: string): TemplateResult {
  const type = EXTENSION.exec(name)?.[1] ?? '';
  return html`<span class="file-icon" data-type=${type}>${type ? nothing : FILE_ICON}</span>`;
}

/** What the rows of documents can do. */
export interface RowActions {
  readonly run: RunAction;
  readonly removals: DocumentRemovals;
}

/** Renders the row of a document: its type, its name, its status and its buttons. Nothing while the service removes it. */
export function renderDocumentRow(
  info: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
  actions: RowActions,
): TemplateResult | typeof nothing {
  const { locale } = host.context;
  const name = displayNameOf(info, locale);
  const outcome = outcomeOf(info);
  const removal = actions.removals.stateOf(info.id);
  if (removal === 'sent') return nothing;
  if (removal === 'pending') return renderRemoved(info, name, host, actions.removals);
  const hasFailed = outcome === 'failed';
  return html`<li class="file" part="document" data-state=${outcome ?? 'processing'}>
    ${renderFileIcon(name)}<span class="file-name" dir="auto" title=${name}
      >${renderName(info, locale)}</span
    >
    <div class="file-line">
      ${hasFailed ? nothing : renderState(info, host)}<span class="buttons"
        >${renderButtons(info, name, host, controller, actions)}</span
      >
    </div>
    ${hasFailed ? renderFailure(info, host, controller) : nothing}
  </li>`;
}

/** Renders the row of a document whose removal can be undone. */
function renderRemoved(
  info: DocumentInfo,
  name: string,
  { context }: DocumentHost,
  removals: DocumentRemovals,
): TemplateResult {
  const { text } = context.locale;
  const description = text('documentRemoved', { name });
  return html`<li class="file removed" part="document" data-state="removed">
    ${renderFileIcon(name)}<span class="file-name" dir="auto">${description}</span>
    <span class="buttons"
      ><button
        class="quiet undo"
        type="button"
        aria-description=${description}
        @click=${() => {
          removals.undo(info);
        }}
      >
        ${text('documentUndo')}
      </button></span
    >
  </li>`;
}

function renderState(
  { status, createdAt }: DocumentInfo,
  { context }: DocumentHost,
): TemplateResult {
  const { locale, clock } = context;
  const isReady = outcomeOf({ status }) === 'ready';
  // A status without a string is shown as the service spells it.
  const label = isReady
    ? locale.text('documentReady')
    : (locale.find(`document_${status.toLowerCase()}`) ?? status);
  const day = createdAt === null ? '' : formatDay(createdAt, clock.now(), locale);
  return html`<p class="meta file-state">
    <span
      >${
        isReady
          ? html`<span class="glyph">${renderIcon('check')}</span>`
          : html`<span class="busy"><span class="glyph">${renderIcon('dot')}</span></span>`
      } <bdi>${label}</bdi></span
    >
    ${day ? html`<span>· <bdi>${day}</bdi></span>` : nothing}
  </p>`;
}

/** Renders the reason why a document could not be processed. Offers to upload it again if this page still has its file. */
function renderFailure(
  info: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
): TemplateResult {
  const { locale } = host.context;
  const { text } = locale;
  const { error, id } = info;
  const canUpload = controller.backend.capabilities.has('upload');
  const queue = uploadQueueOf(controller);
  const file = canUpload ? queue.fileOf(id) : undefined;
  const task = queue.tasks.find((each) => each.file === file && each.state !== 'refused');
  const isUploading = task !== undefined && task.state !== 'failed';
  const reupload = (): void => {
    if (!file || isUploading) return;
    if (task) retryUpload(host, controller, task);
    else reuploadDocument(host, controller, info, file);
  };
  return html`<p class="error-text">
      ${renderIcon('alert')}<span dir="auto"
        >${text('documentFailed')} ${error ? renderContentText(error, locale) : nothing}
        ${canUpload && !file ? text('documentAddAgain') : nothing}</span
      >
    </p>
    ${
      file
        ? html`<button
            class="quiet reupload"
            type="button"
            aria-label=${text('documentUploadAgainOf', { name: displayNameOf(info, locale) })}
            aria-disabled=${isUploading}
            @click=${reupload}
          >
            ${text('documentUploadAgain')}
          </button>`
        : nothing
    }`;
}

function renderButtons(
  info: DocumentInfo,
  name: string,
  host: DocumentHost,
  controller: StreamController,
  { run, removals }: RowActions,
): TemplateResult {
  const { text } = host.context.locale;
  const isSupported = (capability: Capability): boolean =>
    controller.backend.capabilities.has(capability);
  const isAttached = controller.getDraft().attachments.some(({ id }) => id === info.id);
  const toggleAttached = (): void => {
    if (isAttached) detachDocument(controller, info.id);
    else attachDocument(controller, info.id, name);
  };
  return html`${
    isSupported('star')
      ? renderToggle(STAR, text('documentStar', { name }), info.starred, () => {
          void run(toggleStar(info, host, controller));
        })
      : nothing
  }${renderToggle(
    renderSymbol(text('attach')),
    text('documentAttach', { name }),
    isAttached,
    toggleAttached,
  )}${
    isSupported('link')
      ? html`<button
          class="quiet"
          type="button"
          title=${text('documentUnlink', { name })}
          @click=${() => {
            removals.remove(info);
          }}
        >
          ${renderIcon('close')}
        </button>`
      : nothing
  }`;
}

/** The icon of a star; the style sheet fills that of a starred document. */
const STAR = drawIcon(
  'star',
  'M8 2l1.8 3.8 4.2.5-3.1 2.9.8 4.1L8 11.3l-3.7 2 .8-4.1L2 6.3l4.2-.5z',
);

function renderToggle(
  symbol: TemplateResult,
  label: string,
  pressed: boolean,
  onClick: () => void,
): TemplateResult {
  return html`<button
    class="quiet"
    type="button"
    aria-pressed=${pressed}
    title=${label}
    @click=${onClick}
  >
    ${symbol}
  </button>`;
}

/** Renders the row of an upload: its progress and a Cancel button, or its error with Retry and Dismiss. */
export function renderUploadRow(
  task: UploadTask,
  host: DocumentHost,
  controller: StreamController,
): TemplateResult {
  const { locale } = host.context;
  const { name, state } = task;
  const hasFailed = state === 'failed' || state === 'refused';
  const cancel = (): void => {
    // The focused button is removed with the row.
    host.element.focus();
    cancelUpload(host, controller, task);
  };
  const label = locale.text(hasFailed ? 'dismissFile' : 'uploadCancel', { name });
  return html`<li class="file" part="document" data-state=${state} data-key=${task.key}>
    ${renderFileIcon(name)}<span class="file-name" dir="auto"
      >${renderContentText(name, locale)}</span
    >
    <span class="buttons">
      ${state === 'failed' ? renderRetry(task, host, controller) : ''}<button
        class="quiet dismiss"
        type="button"
        title=${label}
        @click=${cancel}
      >
        ${renderIcon('close')}
      </button>
    </span>
    ${hasFailed ? renderUploadError(task, locale) : renderProgress(task, locale)}
  </li>`;
}

function renderRetry(
  task: UploadTask,
  host: DocumentHost,
  controller: StreamController,
): TemplateResult {
  const { text } = host.context.locale;
  return html`<button
    class="quiet"
    type="button"
    aria-label=${text('uploadRetry', { name: task.name })}
    @click=${() => {
      retryUpload(host, controller, task);
    }}
  >
    ${text('retry')}
  </button>`;
}

function renderUploadError({ error, refusal, file }: UploadTask, locale: Locale): TemplateResult {
  const message = refusal
    ? locale.text(`refused_${refusal}`, { size: formatSize(file.size, locale) })
    : explainError(error, locale);
  return html`<p class="error-text" role="alert">
    ${renderIcon('alert')}<span dir="auto">${message}</span>
  </p>`;
}

function renderProgress(
  { sent, total, state, name, renamed }: UploadTask,
  locale: Locale,
): TemplateResult {
  const size = formatSize(total, locale);
  const status =
    state === 'waiting'
      ? locale.text('uploadQueued', { size })
      : locale.text('uploadProgress', { sent: formatSize(sent, locale), size });
  return html`<progress
      max=${Math.max(1, total)}
      .value=${sent}
      lang=${langOfContent(locale)}
      aria-label=${name}
    ></progress>
    <p class="meta">${status}${renamed ? ` ${locale.text('uploadRenamed')}` : ''}</p>`;
}
