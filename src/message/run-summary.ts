import { css } from 'lit';
import { addSheets } from '../dom/sheets.js';
import { summaryStrings } from '../locales/en-summary.js';
import { addDefaultStrings, type Locale } from '../locales/locale.js';
import type { Key } from '../model/json.js';
import type { Message, PartIndex } from '../model/message.js';
import type { MessageView } from './message-view.js';
import { Disclosure, IN_USE } from './parts/disclosure.js';
import { endsWithTextIn, lastPartKey, workIn } from './part-selectors.js';
import { workDuration } from './work-duration.js';

addDefaultStrings(summaryStrings);

/** Styles of the line, and of the work that it summarizes. */
export const summaryStyles = css`
  /* A closed summary stands for the work after it. What a tool has created or the host page shows is part of the answer. */
  @media not print {
    .run:not([open]) {
      ~ :is(.step:not(.single, .with-answer), .call, .thinking, .checkpoint):not(
          :has(.media > *, .host)
        ),
      ~ .with-answer[open] > :is(summary, .results),
      ~ .with-answer > .content > :is(.call, .thinking):not(:has(.media > *)) {
        display: none;
      }
      ~ .with-answer[open] > .content {
        margin: 0;
        padding: 0;
        border: 0;
      }
    }
  }
  .run > .content {
    display: none;
  }
`;

/** Work that the user has opened, or that is in use. */
const USED_WORK = `:scope > :is(.step, .call, .thinking):is([data-kept], :has([data-kept]), ${IN_USE})`;

/**
 * The line above a finished answer that summarizes the work before it: the number of steps and tool calls, and the time if it is known. While
 * it is closed, the style sheet hides the work after it: steps, tools, thinking and checkpoints. Parts that show files, or that the host page
 * renders, stay visible. So does a step that contains the answer, but without its title, its results, and the work in it.
 */
export class RunSummary {
  readonly #view: MessageView;
  readonly #disclosure: Disclosure;
  /** Whether the line is open until the user toggles it. */
  #isOpen = false;

  constructor(view: MessageView) {
    this.#view = view;
    const { shadowRoot } = view.context.host;
    if (shadowRoot) addSheets(shadowRoot, [summaryStyles]);
    this.#disclosure = new Disclosure('run', this.render);
  }

  /** Shows the line when the run is finished and its answer follows the work; removes it otherwise. */
  readonly render = (): void => {
    const { message, context } = this.#view;
    const { node } = this.#disclosure;
    const first = this.#findFirstNode();
    if (!first) {
      node.remove();
      return;
    }
    if (!node.parentNode) {
      first.before(node);
      this.#isOpen = this.#isWorkInUse();
    }
    const { locale } = context;
    const failed = first.parentElement?.querySelectorAll('.tool[data-state="failed"]').length ?? 0;
    this.#disclosure.render({
      state: 'done',
      texts: { number: describeWork(message, locale) },
      meta: [
        failed > 0 ? locale.text('toolsFailed', { count: failed }) : '',
        context.actions.storesTimes ? describeWorkDuration(message, locale) : '',
      ],
      open: this.#isOpen,
    });
  };

  /** Returns the first node of the work; null when the work is shown in full. */
  #findFirstNode(): HTMLElement | null {
    const { message, context } = this.#view;
    if (context.steps === 'list') return null;
    return this.#view.viewOf(findFirstWork(message) ?? '')?.node ?? null;
  }

  /** Whether the work must not be hidden, because the user has opened a part of it, uses it, or uses assistive technology. */
  #isWorkInUse(): boolean {
    const { context } = this.#view;
    const body = this.#disclosure.node.parentElement;
    const { assistive } = context.host as { assistive?: boolean };
    return assistive === true || body?.querySelector(USED_WORK) != null;
  }
}

/**
 * Returns the key of the first part of the work that the line summarizes. Null while the answer is not complete, when the work has fewer than two
 * lines, and when the message ends with work other than a step that ends with a text.
 */
export function findFirstWork({ parts, status }: Message): Key | null {
  if (status !== 'complete') return null;
  const work = workIn(parts, null);
  const last = lastPartKey(parts);
  if (work.includes(last) && !endsWithTextIn(parts, last)) return null;
  const lineCount = work.reduce((count, key) => count + countLines(parts, key), 0);
  return lineCount < 2 ? null : (work[0] ?? null);
}

/** Returns the number of steps and tool calls of a message as text; when there are none, the label of thinking. */
export function describeWork({ parts }: Message, locale: Locale): string {
  const [steps, tools] = ['step', 'tool'].map((kind) => countParts(parts, kind, null));
  const counts = [
    steps ? locale.text('runSteps', { count: steps }) : '',
    tools ? locale.text('runTools', { count: tools }) : '',
  ].filter(Boolean);
  return locale.list(counts, { type: 'unit', style: 'short' }) || locale.text('thought');
}

/** Returns the time that the work has taken as text; empty when it is unknown. */
export function describeWorkDuration(message: Message, locale: Locale): string {
  const duration = workDuration(message);
  return duration === null ? '' : locale.duration(duration);
}

/** Returns the number of lines of a part that a closed summary hides. */
function countLines(parts: PartIndex, key: Key): number {
  const part = parts.get(key);
  const isSingle = part?.kind === 'step' && part.single;
  const isOpen = isSingle || endsWithTextIn(parts, key);
  return (isSingle ? 0 : 1) + (isOpen ? workIn(parts, key).length : 0);
}

/** Returns the number of parts of a kind in and below `parent`, without steps that have no line of their own. */
function countParts(parts: PartIndex, kind: string, parent: Key | null): number {
  return parts.children(parent).reduce((count, key) => {
    const part = parts.get(key);
    const isCounted = part?.kind === kind && !(part.kind === 'step' && part.single);
    return count + (isCounted ? 1 : 0) + countParts(parts, kind, key);
  }, 0);
}
