import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../../internal/element.js';
import type { Part, PartOf } from '../../model/part.js';
import { FoldView } from '../chrome-view.js';
import { renderIcon, type IconName } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { TextReader } from '../text-reader.js';
import { createPayload, SHOWN_TEXT } from './json-tree.js';
import { findMedia, ToolMedia } from './tool-media.js';
import { findEssence, findFailure, nameTool, toWords } from './tool-words.js';

type State = 'running' | 'done' | 'failed' | 'incomplete';

const ICONS: Readonly<Record<State, IconName>> = {
  running: 'dot',
  done: 'check',
  failed: 'alert',
  incomplete: 'ring',
};
const WORDS = {
  running: 'toolRunning',
  done: 'toolDone',
  failed: 'toolFailed',
  incomplete: 'toolIncomplete',
} as const;

/**
 * One call of a tool: a line with its name in words, what it is about, its state, latest status and time; behind it input and
 * result. Also stands for a call of which only events have told (`tool-activity`).
 */
export class ToolView extends FoldView<'tool' | 'tool-activity'> {
  readonly #payload = element('div', 'payload');
  readonly #shown = new Map<string, string>();
  readonly #outputs = new Map<
    string,
    { readonly reader: TextReader; readonly node: HTMLElement }
  >();
  #media: ToolMedia | null = null;
  #mediaOf: string | null = null;

  constructor(part: PartOf<'tool' | 'tool-activity'>, scope: MessageScope) {
    super(part, scope, 'tool');
    this.node.part.add('tool');
    this.content.before(this.#payload);
    this.draw();
  }

  override update(part: Part, what: 'text' | 'fields' | 'parts'): void {
    if (what !== 'text') super.update(part, what);
    // A piece of output changes nothing on the line, and nothing at all while nobody looks.
    else if (this.node.open) this.scope.context.frames.schedule(this.#drawOutputs);
  }

  override dispose(): void {
    super.dispose();
    this.#media?.dispose();
  }

  protected override template(): TemplateResult {
    const { locale } = this.scope.context;
    const activity = this.#activity();
    const state = this.#state();
    const reason = state === 'failed' ? this.#reason() : '';
    const status = state === 'running' ? this.#status() : reason;
    const time =
      activity?.startedAt != null && activity.endedAt != null
        ? locale.duration(activity.endedAt - activity.startedAt)
        : '';
    return html`<span class="glyph">${renderIcon(ICONS[state])}</span>
      <span class="line">
        <bdi class="title">${nameTool(this.part.name, locale)}</bdi>
        <bdi class="essence">${findEssence(this.#input())}</bdi>
        <span class=${state === 'done' || status ? 'hidden' : 'status'}
          >${locale.text(WORDS[state])}</span
        >
        ${status ? html`<bdi class="status">${status}</bdi>` : nothing}
      </span>
      ${time ? html`<span class="meta">${time}</span>` : nothing} ${renderIcon('chevron')}`;
  }

  protected override drawn(): void {
    this.node.dataset['state'] = this.#state();
    this.fold(false);
    this.#drawMedia();
    if (this.node.open) this.opened();
  }

  protected override opened(): void {
    const { locale } = this.scope.context;
    const result = this.#result();
    this.#section('toolInput', this.#input());
    if (result === null) this.#drawOutputs();
    else this.#dropOutputs();
    this.#section('toolResult', result);
    if (this.#payload.childElementCount === 0) {
      this.#payload.textContent = this.#state() === 'running' ? '' : locale.text('toolNothing');
    }
  }

  #section(name: 'toolInput' | 'toolResult', raw: string | null): void {
    if (raw === null || raw === '' || this.#shown.get(name) === raw) return;
    if (this.#shown.size === 0) this.#payload.replaceChildren();
    this.#shown.set(name, raw);
    const { locale } = this.scope.context;
    this.#payload.querySelector(`[data-section=${name}]`)?.remove();
    const section = element(
      'section',
      '',
      element('h4', '', locale.text(name)),
      createPayload(raw, locale),
    );
    section.dataset['section'] = name;
    if (name === 'toolInput') this.#payload.prepend(section);
    else this.#payload.append(section);
  }

  /** What the tool streams while it works; each chunk costs its own length. */
  readonly #drawOutputs = (): void => {
    const { parts } = this.scope.message;
    const activity = this.#activity();
    if (!activity) return;
    for (const key of parts.children(activity.key)) {
      const part = parts.get(key);
      if (part?.kind !== 'output-activity') continue;
      const output = this.#outputs.get(key) ?? this.#addOutput(key, part.outputKey);
      const change = output.reader.read(part.text);
      if (change.cut) output.node.textContent = (output.node.textContent ?? '').slice(0, change.at);
      if (change.at < SHOWN_TEXT) output.node.append(change.text.slice(0, SHOWN_TEXT - change.at));
    }
  };

  #addOutput(
    key: string,
    name: string,
  ): { readonly reader: TextReader; readonly node: HTMLElement } {
    const node = element('pre', 'raw');
    node.tabIndex = 0;
    const title = toWords(name) || this.scope.context.locale.text('toolOutput');
    const section = element('section', 'output', element('h4', '', title), node);
    if (this.#shown.size + this.#outputs.size === 0) this.#payload.replaceChildren();
    this.#payload.append(section);
    const output = { reader: new TextReader(), node };
    this.#outputs.set(key, output);
    return output;
  }

  #dropOutputs(): void {
    this.#outputs.clear();
    this.#payload.querySelectorAll('.output').forEach((node) => {
      node.remove();
    });
  }

  #drawMedia(): void {
    const raw = this.#result();
    const { context } = this.scope;
    if (raw === this.#mediaOf || !context.acts.media) return;
    this.#mediaOf = raw;
    this.#media?.node.remove();
    this.#media?.dispose();
    const files = findMedia(raw);
    this.#media = files.length > 0 ? new ToolMedia(files, context) : null;
    if (this.#media) this.content.append(this.#media.node);
  }

  #activity(): PartOf<'tool-activity'> | undefined {
    return this.part.kind === 'tool-activity'
      ? this.part
      : this.scope.activityOf(this.part, 'tool-activity');
  }

  #input(): string | null {
    return this.part.kind === 'tool' ? this.part.input : null;
  }

  #result(): string | null {
    return this.part.kind === 'tool' ? this.part.result : null;
  }

  #state(): State {
    const { state } = this.part;
    if (this.#reason() !== null) return 'failed';
    if (state === 'running' && !this.scope.live) return 'incomplete';
    return state;
  }

  /** Why it failed, in the service's words; null when it did not. */
  #reason(): string | null {
    const activity = this.#activity();
    if (activity?.state === 'failed') return activity.reason;
    return findFailure(this.#result());
  }

  /** The latest that is known of a running call. */
  #status(): string {
    const activity = this.#activity();
    return activity?.message || toWords(activity?.phase ?? '') || '';
  }
}
