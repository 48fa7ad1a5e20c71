import { html, nothing, type TemplateResult } from 'lit';
import type { Capability, DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { cleanName } from '../../controller/documents/check-file.js';
import { uploadQueueOf } from '../../controller/documents/upload-queue.js';
import { outcomeOf } from '../../controller/documents/document-watch.js';
import {
  UbikDocumentStarEvent,
  UbikDocumentStarredEvent,
  UbikDocumentUnlinkEvent,
  UbikDocumentUnlinkedEvent,
  type DocumentDetail,
} from '../../events/index.js';
import type { Locale } from '../../locales/locale.js';
import { renderIcon, renderSign } from '../../message/icons.js';
import { renderContentText } from '../../message/content-lang.js';
import { describeThread } from '../base/controller-events.js';
import { detachDocument, reuploadDocument } from './document-actions.js';
import type { DocumentHost } from './document-host.js';
import { formatDay } from './words.js';

/** Carries out an act and says when it is done. */
export type RunAction = (act: Promise<boolean>, done?: string) => Promise<void>;

/** What a document is called where it is shown. */
export function displayNameOf({ name }: Pick<DocumentInfo, 'name'>, locale: Locale): string {
  return cleanName(name) || locale.text('sourceUnnamed');
}

/** The same, to be seen. */
export function renderName(found: Pick<DocumentInfo, 'name'>, locale: Locale): TemplateResult {
  const name = cleanName(found.name);
  return name ? renderContentText(name, locale) : html`<bdi>${displayNameOf(found, locale)}</bdi>`;
}

/** What an event says about a document. */
export function describeDocument(
  { controller }: DocumentHost,
  { id, name }: DocumentInfo,
): DocumentDetail {
  return { ...describeThread(controller), documentId: id, name, size: null };
}

/** One document of the thread, with what can be done with it. */
export function renderDocumentRow(
  found: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
  act: RunAction,
): TemplateResult {
  const { locale } = host.context;
  const name = displayNameOf(found, locale);
  const outcome = outcomeOf(found);
  return html`<li class="file" part="document" data-state=${outcome ?? 'processing'}>
    <span class="file-name">${renderName(found, locale)}</span>
    <span class="buttons">${renderButtons(found, name, host, controller, act)}</span>
    ${outcome === 'failed' ? renderFailure(found, host, controller) : renderState(found, locale)}
  </li>`;
}

function renderState({ status, createdAt }: DocumentInfo, locale: Locale): TemplateResult {
  const isReady = outcomeOf({ status }) === 'ready';
  // A word of the service that we do not know is shown as it is.
  const words = isReady
    ? locale.text('documentReady')
    : (locale.find(`document_${status.toLowerCase()}`) ?? status);
  const day = createdAt === null ? '' : formatDay(createdAt, locale);
  return html`<p class="meta">
    ${isReady ? nothing : html`<span class="busy"><span class="glyph">${renderIcon('dot')}</span></span>`}
    <bdi>${words}</bdi>${day ? html` · <bdi>${day}</bdi>` : nothing}
  </p>`;
}

/** Why it could not be read, and the way to send its file again: here when it has come from this page. */
function renderFailure(
  found: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
): TemplateResult {
  const { locale } = host.context;
  const { text } = locale;
  const { error, id } = found;
  const canUpload = controller.backend.capabilities.has('upload');
  const queue = uploadQueueOf(controller);
  const file = canUpload ? queue.fileOf(id) : undefined;
  const isComing = queue.tasks.some((task) => task.file === file);
  const again = (): void => {
    if (file && !isComing) reuploadDocument(host, controller, found, file);
  };
  return html`<p class="complaint">
      ${renderIcon('alert')}<span dir="auto"
        >${text('documentFailed')} ${error ? renderContentText(error, locale) : nothing}
        ${canUpload && !file ? text('documentAddAgain') : nothing}</span
      >
    </p>
    ${
      file
        ? html`<button
            class="quiet again"
            type="button"
            aria-label=${text('documentUploadAgainOf', { name: displayNameOf(found, locale) })}
            aria-disabled=${isComing}
            @click=${again}
          >
            ${text('documentUploadAgain')}
          </button>`
        : nothing
    }`;
}

function renderButtons(
  found: DocumentInfo,
  name: string,
  host: DocumentHost,
  controller: StreamController,
  act: RunAction,
): TemplateResult {
  const { text } = host.context.locale;
  const can = (capability: Capability): boolean => controller.backend.capabilities.has(capability);
  const isGoing = controller.draft().attachments.some(({ id }) => id === found.id);
  const turn = (): void => {
    if (isGoing) detachDocument(controller, found.id);
    else attachDocument(controller, found.id, name);
  };
  return html`${
    can('star')
      ? renderToggle(
          found.starred ? '★' : '☆',
          text('documentStar', { name }),
          found.starred,
          () => {
            void act(toggleStar(found, host, controller));
          },
        )
      : nothing
  }${renderToggle(text('attach'), text('documentAttach', { name }), isGoing, turn)}${
    can('link')
      ? html`<button
          class="quiet"
          type="button"
          title=${text('documentUnlink', { name })}
          @click=${() => {
            void act(unlinkDocument(found, host, controller), text('documentUnlinked', { name }));
          }}
        >
          ${renderSign('×')}
        </button>`
      : nothing
  }`;
}

function renderToggle(
  words: string,
  label: string,
  pressed: boolean,
  run: () => void,
): TemplateResult {
  return html`<button
    class="quiet"
    type="button"
    aria-pressed=${pressed}
    title=${label}
    @click=${run}
  >
    ${renderSign(words)}
  </button>`;
}

/** Has a document go with the next message. */
function attachDocument(controller: StreamController, id: string, name: string): void {
  const draft = controller.draft();
  controller.setDraft({ ...draft, attachments: [...draft.attachments, { id, name }] });
}

function toggleStar(
  found: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
): Promise<boolean> {
  const starred = !found.starred;
  const detail = { ...describeDocument(host, found), starred };
  return host.performAction(
    [new UbikDocumentStarEvent(detail)],
    () => controller.starDocument(found.id, starred),
    () => new UbikDocumentStarredEvent(detail),
  );
}

function unlinkDocument(
  found: DocumentInfo,
  host: DocumentHost,
  controller: StreamController,
): Promise<boolean> {
  const detail = describeDocument(host, found);
  return host.performAction(
    [new UbikDocumentUnlinkEvent(detail)],
    async () => {
      await controller.unlinkDocument(found.id);
      // What the agent may not read any more cannot go with a message.
      detachDocument(controller, found.id);
    },
    () => new UbikDocumentUnlinkedEvent(detail),
  );
}
