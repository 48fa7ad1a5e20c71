import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import { renderStateIcon, formatElapsed } from '../parts/disclosure.js';
import type { ViewContext } from '../part-view.js';
import { memoizeLast } from '../parts/base-part-view.js';
import { createDataDisclosure } from '../json-view.js';
import { langOfInterface, langOfContent } from '../content-lang.js';
import { phaseLabel } from './tool-text.js';

type Phase = PartOf<'phase-activity'>;

const WORDS = { running: 'toolRunning', done: 'toolDone', failed: 'toolFailed' } as const;

/** The phases of a tool's work in their order: name, state, message, time, and behind a line of its own what was reported. */
export class ToolPhases {
  readonly #node = element('ol');
  readonly #context: ViewContext;
  /** Made once for the same data, so that what the person has opened stays open. */
  readonly #reports = new Map<Key, (data: Phase['data']) => HTMLElement>();

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** The list, as it is now. `live`: whether a phase without an end may still be at work. */
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
    const isCutOff = phase.state === 'running' && !live;
    const state = isCutOff ? 'incomplete' : phase.state;
    const word = isCutOff ? 'toolIncomplete' : WORDS[phase.state];
    const name = phaseLabel(phase.phase, locale) || locale.text('toolUpdate');
    return html`<li data-state=${state}>
      <p class="line">
        ${renderStateIcon(state)}<bdi>${name}</bdi>
        <span class="hidden" lang=${langOfInterface(locale)}>${locale.text(word)}</span>
        ${message && html`<bdi class="status" lang=${langOfContent(locale)}>${message}</bdi>`}
        ${renderInstant(phase.startedAt ?? phase.endedAt, locale)}
        <bdi class="meta">${formatElapsed(phase, locale)}</bdi>
      </p>
      ${data === null ? nothing : this.#reportOf(key)(data)}
    </li>`;
  }

  #reportOf(key: Key): (data: Phase['data']) => HTMLElement {
    const locale = (): Locale => this.#context.locale;
    const known =
      this.#reports.get(key) ??
      memoizeLast(
        (data: Phase['data']) => createDataDisclosure(locale().text('reportData'), data, locale()),
        locale,
      );
    this.#reports.set(key, known);
    return known;
  }
}

function renderInstant(at: number | null, locale: Locale): unknown {
  if (at === null) return nothing;
  const time = new Date(at);
  return html`<time class="meta" datetime=${time.toISOString()}>${locale.timeOfDay(at)}</time>`;
}
