import { element } from '../../dom/element.js';
import { isPrinting } from '../../dom/print.js';
import type { UbikError } from '../../errors.js';
import type { Part, PartOf, ToolFile } from '../../model/part.js';
import { createLazyModule } from '../create-lazy-module.js';
import { explainError } from '../explain-error.js';
import type { MessageScope } from '../part-view.js';
import { memoizeLast } from '../parts/base-part-view.js';
import {
  contentText,
  DisclosureView,
  formatWorkTime,
  type DisclosureSummary,
} from '../parts/disclosure.js';
import type * as ToolModule from './tool-content.js';
import {
  describeToolState,
  resolveToolState,
  TOOL_STATE_STRINGS,
  type ShownToolState,
} from './tool-state.js';
import { findToolError, summarizeInput, toolLabel, toSingleLine } from './tool-text.js';

/**
 * The chunk that renders the content of tool calls and the files of their results, with the labels of tools. Loaded with the first tool.
 */
export const lazyToolContent = createLazyModule(() => import('./tool-content.js'));

/** The chunk that renders the details of a tool call beside the messages. */
export const lazyToolDetailsView = createLazyModule(() => import('./tool-details-view.js'));

/**
 * Renders a call of a tool: a summary with the tool's name, the subject of the call, its state, status and time; the content has input,
 * phases and result. Also renders the activity of a call without a content part.
 */
export class ToolView extends DisclosureView<'tool' | 'tool-activity'> {
  readonly #payload = element('div', 'payload');
  readonly #mediaContainer: HTMLElement;
  readonly #abortController = new AbortController();
  // Parsing large JSON is expensive, so each payload is parsed once instead of at every rendering.
  readonly #summarizeInput = memoizeLast(summarizeInput);
  readonly #findError = memoizeLast(findToolError);
  #content: ToolModule.ToolContent | null = null;
  /** Whether the chunk with the content was requested since the disclosure was opened. */
  #isRequested = false;
  /** The files that are shown below the disclosure. */
  #files: readonly ToolFile[] = [];
  /** Their elements. */
  #media: readonly HTMLElement[] = [];
  /** Shows the files of a result if the chunk is loaded; if it is not, requests it when there are files. */
  readonly #showMedia = memoizeLast((module: typeof ToolModule | undefined) =>
    memoizeLast((result: string | null): void => {
      const files = (result !== null && this.context.actions.findToolFiles?.(result)) || [];
      this.#files = files;
      if (module) this.#renderMedia(module);
      else if (files.length > 0) lazyToolContent.load().catch(this.context.report);
    }),
  );

  constructor(part: PartOf<'tool' | 'tool-activity'>, scope: MessageScope) {
    const mediaContainer = element('div', 'media');
    super(part, scope, 'tool', mediaContainer);
    this.#mediaContainer = mediaContainer;
    this.content.before(this.#payload);
    this.renderNow();
    if (lazyToolContent.value) return;
    lazyToolContent.whenLoaded(this.scheduleRender);
    lazyToolContent.prefetch();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    // Streamed output is visible only while the disclosure is open.
    if (what !== 'text' || this.details.open) super.update(part);
  }

  redraw(): void {
    const { value } = lazyToolContent;
    if (value) this.#renderMedia(value, this.#media);
  }

  override dispose(): void {
    super.dispose();
    this.#abortController.abort();
  }

  protected override summarize(): DisclosureSummary {
    const { part } = this;
    const { locale } = this.context;
    const activity = this.findActivity('tool-activity');
    const shown = this.#state;
    const { state } = shown;
    const title = part.kind === 'tool' ? toSingleLine(part.title) : '';
    const status = describeToolState(shown, activity, locale);
    const stateText = this.text(TOOL_STATE_STRINGS[state]);
    return {
      state,
      texts: {
        title: toolLabel(part.name, locale, part.toolType),
        topic: contentText(title || this.#summarizeInput(this.#payloads.input), locale),
        ...(status || state === 'done'
          ? { hidden: stateText, status: contentText(status, locale) }
          : { status: stateText }),
      },
      meta: [formatWorkTime(activity, this.scope)],
    };
  }

  protected override render(): void {
    super.render();
    const isVisible = this.details.open || isPrinting();
    const { value } = lazyToolContent;
    if (isVisible && value && !this.#content) {
      // The payload may contain the reason why loading has failed.
      this.#payload.replaceChildren();
      this.#content = new value.ToolContent(this.#payload, this.scope);
    } else if (!value && isVisible !== this.#isRequested) {
      this.#isRequested = isVisible;
      if (isVisible) this.#loadContent();
    }
    this.#content?.render(isVisible ? this.part : null, this.#state.state);
    this.#showMedia(value)(this.#payloads.result);
  }

  /** Renders the files. `shown` are their elements so far, if there are any. */
  #renderMedia({ createMedia }: typeof ToolModule, shown: readonly HTMLElement[] = []): void {
    const { signal } = this.#abortController;
    const focused = shown.findIndex((file) => file.matches(':focus-within'));
    this.#media = createMedia(this.#files, this.context, signal, shown);
    this.#mediaContainer.replaceChildren(...this.#media);
    const file = this.#media[focused];
    // An image has the focus itself, and gives it to its Retry button if it cannot be loaded.
    if (file?.localName === 'figure') file.tabIndex = -1;
    (file?.querySelector('a') ?? file)?.focus({ preventScroll: true });
    // A step is open while a tool in it shows files.
    if (this.#files.length > 0) this.scope.updateParent?.(this.part);
  }

  get #payloads(): { readonly input: string | null; readonly result: string | null } {
    return this.part.kind === 'tool' ? this.part : { input: null, result: null };
  }

  get #state(): ShownToolState {
    const { message } = this.scope;
    const activity = this.findActivity('tool-activity');
    return resolveToolState(
      this.part,
      activity,
      this.#findError(this.#payloads.result),
      message.status,
    );
  }

  /** Loads the code that renders the content. If loading fails, opening the disclosure again tries again. */
  #loadContent(): void {
    lazyToolContent.load().then(this.scheduleRender, (error: UbikError) => {
      this.#payload.textContent = explainError(error, this.context.locale);
      this.context.report(error);
    });
  }
}
