import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Part, PartOf } from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import { isPrinting } from '../../dom/print.js';
import {
  DisclosureView,
  contentText,
  formatElapsed,
  type DisclosureSummary,
} from '../parts/disclosure.js';
import { createSyncedTextNode } from '../text-sync.js';
import type { MessageScope } from '../part-view.js';
import {
  isInterrupted,
  listIncompleteTexts,
  renderIncompleteMark,
} from '../parts/incomplete-text-view.js';
import { memoizeLast } from '../parts/base-part-view.js';
import { setLang } from '../content-lang.js';
import { createPayloadView, createTextBox, TEXT_PAGE_LENGTH } from '../json-view.js';
import { createMedia } from './tool-media.js';
import { ToolPhases } from './tool-phases.js';
import { summarizeInput, findToolError, phaseLabel, toolLabel, humanizeName } from './tool-text.js';

const WORDS = {
  running: 'toolRunning',
  done: 'toolDone',
  failed: 'toolFailed',
  incomplete: 'toolIncomplete',
} as const;

/**
 * One call of a tool: a line with its name in words, what it is about, its state, latest status and time; behind it input and
 * result. Also stands for a call of which only events have told.
 */
export class ToolView extends DisclosureView<'tool' | 'tool-activity'> {
  readonly #payload = element('div', 'payload');
  readonly #shown: HTMLElement;
  readonly #abort = new AbortController();
  readonly #outputs = new Map<
    Key,
    { readonly box: HTMLElement; readonly follow: (text: TextSource | null) => void }
  >();
  // A text is read once, however often it is drawn.
  readonly #essence = memoizeLast(summarizeInput);
  readonly #failure = memoizeLast(findToolError);
  readonly #phases = new ToolPhases(this.context);
  readonly #input = this.#rememberPayload();
  readonly #result = this.#rememberPayload();
  readonly #held = this.#rememberPayload();
  readonly #media = memoizeLast((raw: string | null) =>
    createMedia(raw, this.context, this.#abort.signal),
  );

  constructor(part: PartOf<'tool' | 'tool-activity'>, scope: MessageScope) {
    const shown = element('div', 'media');
    super(part, scope, 'tool', shown);
    this.#shown = shown;
    this.content.before(this.#payload);
    this.renderNow();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    // A piece of output changes nothing while nobody looks.
    if (what !== 'text' || this.details.open) super.update(part);
  }

  override dispose(): void {
    super.dispose();
    this.#abort.abort();
  }

  protected override summarize(): DisclosureSummary {
    const { part, scope } = this;
    const { locale } = this.context;
    const activity = this.findActivity('tool-activity');
    const reason =
      activity?.state === 'failed' ? activity.reason : this.#failure(this.#fields.result);
    const runs = part.state === 'running';
    const state = reason !== null ? 'failed' : runs && !scope.live ? 'incomplete' : part.state;
    const news = activity?.message || phaseLabel(activity?.phase ?? '', locale);
    const status = reason ?? (state === 'running' ? news : '');
    const word = this.text(WORDS[state]);
    return {
      state,
      texts: {
        title: toolLabel(part.name, locale),
        essence: contentText(this.#essence(this.#fields.input), locale),
        ...(status || state === 'done'
          ? { hidden: word, status: contentText(status, locale) }
          : { status: word }),
      },
      meta: [formatElapsed(activity, locale)],
    };
  }

  protected override render(): void {
    super.render();
    const { result } = this.#fields;
    render(this.details.open || isPrinting() ? this.#renderPayload() : nothing, this.#payload);
    render(this.#media(result), this.#shown);
  }

  #rememberPayload(): (raw: string) => HTMLElement {
    const locale = (): Locale => this.context.locale;
    return memoizeLast((raw: string) => createPayloadView(raw, locale()), locale);
  }

  get #fields(): { readonly input: string | null; readonly result: string | null } {
    return this.part.kind === 'tool' ? this.part : { input: null, result: null };
  }

  #renderPayload(): unknown {
    const { input, result } = this.#fields;
    const sections = [
      input && renderSection(this.text('toolInput'), this.#input(input)),
      ...this.#renderPhases(),
      ...(result === null ? this.#renderOutputs() : []),
      ...this.#renderHeld(),
      result && renderSection(this.text('toolResult'), this.#result(result)),
    ].filter(Boolean);
    const isEmpty = sections.length === 0 && this.details.dataset['state'] !== 'running';
    return isEmpty ? this.text('toolNoResult') : sections;
  }

  /** Phases and outputs of the tool, as far as events told them. */
  #listReports(): readonly Part[] {
    const { parts } = this.scope.message;
    const activity = this.findActivity('tool-activity');
    const keys = activity ? parts.children(activity.key) : [];
    return keys.flatMap((key) => parts.get(key) ?? []);
  }

  #renderPhases(): unknown[] {
    const phases = this.#listReports().filter((part) => part.kind === 'phase-activity');
    if (phases.length === 0) return [];
    const list = this.#phases.render(phases, this.scope.live);
    return [renderSection(this.text('toolPhases'), list, 'phases')];
  }

  /** What the tool streams while it works; each chunk costs its own length. */
  #renderOutputs(): unknown[] {
    const outputs = this.#listReports().filter((part) => part.kind === 'output-activity');
    return outputs.map((part) => {
      const { key } = part;
      let output = this.#outputs.get(key);
      if (!output) {
        const { node, follow } = createSyncedTextNode(TEXT_PAGE_LENGTH);
        output = { box: createTextBox(node), follow };
        this.#outputs.set(key, output);
      }
      setLang(output.box, this.context.locale.contentLang);
      output.follow(part.text);
      return renderSection(
        humanizeName(part.outputKey) || this.text('toolOutput'),
        output.box,
        'output',
        this.#incomplete,
      );
    });
  }

  /** The payload in whose middle the connection was given up. */
  #renderHeld(): unknown[] {
    const { part, scope } = this;
    const held = listIncompleteTexts(scope.message).filter(({ tool }) => tool === part.key);
    return held.map(({ payload, text }) =>
      renderSection(
        this.text(payload === 'input' ? 'toolInput' : 'toolResult'),
        this.#held(text?.read() ?? ''),
        'held',
        this.#incomplete,
      ),
    );
  }

  /** The mark of what broke off and is not waited for any more; nothing otherwise. */
  get #incomplete(): unknown {
    return isInterrupted(this.scope.message)
      ? html` ${renderIncompleteMark(this.context.locale)}`
      : nothing;
  }
}

function renderSection(
  title: string,
  shown: Node,
  name = '',
  mark: unknown = nothing,
): TemplateResult {
  return html`<section class=${name}>
    <h3>${title}${mark}</h3>
    ${shown}
  </section>`;
}
