import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Json, Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import { langOfContent, langOfInterface } from '../content-lang.js';
import { createDataDisclosure } from '../json-view.js';
import type { ViewContext } from '../part-view.js';
import { memoizeElement } from '../parts/base-part-view.js';
import { formatElapsed, renderStateIcon } from '../parts/disclosure.js';
import { phaseLabel } from './tool-text.js';

type Phase = PartOf<'phase-activity'>;

const STATE_STRINGS = { running: 'toolRunning', done: 'toolDone', failed: 'toolFailed' } as const;

/** Renders the phases of a tool call in order, each with its name, state, message and time, and its data in a disclosure. */
export class ToolPhases {
  readonly #node = element('ol');
  readonly #context: ViewContext;
  readonly #createData = new Map<Key, (data: Json) => HTMLElement>();

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** Updates and returns the list, which is always the same element. While `live`, a phase without an end is running. */
  render(phases: readonly Phase[], live: boolean): HTMLElement {
    render(
      phases.map((phase) => this.#renderPhase(phase, live)),
      this.#node,
    );
    return this.#node;
  }

  #renderPhase(phase: Phase, live: boolean): TemplateResult {
    const { locale } = this.#context;
    const { key, message, data } = phase;
    const isUnfinished = phase.state === 'running' && !live;
    const state = isUnfinished ? 'incomplete' : phase.state;
    const stateText = locale.text(isUnfinished ? 'toolIncomplete' : STATE_STRINGS[phase.state]);
    const name = phaseLabel(phase.phase, locale) || locale.text('toolUpdate');
    return html`<li data-state=${state}>
      <p class="line">
        ${renderStateIcon(state)}<bdi>${name}</bdi>
        <span class="hidden" lang=${langOfInterface(locale)}>${stateText}</span>
        ${message && html`<bdi class="status" lang=${langOfContent(locale)}>${message}</bdi>`}
        ${renderTime(phase.startedAt ?? phase.endedAt, locale)}
        <bdi class="meta">${formatElapsed(phase, locale)}</bdi>
      </p>
      ${data === null ? nothing : this.#dataOf(key, data)}
    </li>`;
  }

  #dataOf(key: Key, data: Json): HTMLElement {
    const create = this.#createData.get(key) ?? memoizeElement(this.#context, createDataDisclosure);
    this.#createData.set(key, create);
    return create(data);
  }
}

function renderTime(at: number | null, locale: Locale): unknown {
  if (at === null) return nothing;
  const time = new Date(at);
  return html`<time class="meta" datetime=${time.toISOString()}>${locale.timeOfDay(at)}</time>`;
}
