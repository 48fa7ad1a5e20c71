import { html, nothing, render } from 'lit';
import { element } from '../../internal/element.js';
import type { Key } from '../../model/json.js';
import type { Part, PartOf } from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import { FoldView, timeOf, type FoldLook } from '../fold-view.js';
import { followText, plainSink } from '../growing-text.js';
import type { MessageScope } from '../part-view.js';
import { createPayload, createRawBox, SHOWN_TEXT } from './json-tree.js';
import { createMedia } from './tool-media.js';
import { findEssence, findFailure, nameTool, toWords } from './tool-words.js';

const WORDS = {
  running: 'toolRunning',
  done: 'toolDone',
  failed: 'toolFailed',
  incomplete: 'toolIncomplete',
} as const;

/** One text behind the line: its class, its title, what shows it. */
type Section = readonly [name: string, title: string, shown: Node];

/**
 * One call of a tool: a line with its name in words, what it is about, its state, latest status and time; behind it input and
 * result. Also stands for a call of which only events have told.
 */
export class ToolView extends FoldView<'tool' | 'tool-activity'> {
  readonly #behind = element('div');
  readonly #abort = new AbortController();
  readonly #outputs = new Map<
    Key,
    { readonly node: Node; readonly follow: (text: TextSource | null) => void }
  >();
  // A text is read once, however often it is drawn.
  readonly #essence = remember(findEssence);
  readonly #failure = remember(findFailure);
  readonly #input = remember((raw: string) => createPayload(raw, this.scope.context.locale));
  readonly #result = remember((raw: string) => createPayload(raw, this.scope.context.locale));
  readonly #media = remember((raw: string | null) =>
    createMedia(raw, this.scope.context, this.#abort.signal),
  );

  constructor(part: PartOf<'tool' | 'tool-activity'>, scope: MessageScope) {
    super(part, scope, 'tool');
    this.content.before(this.#behind);
    this.draw();
  }

  override update(part: Part, what?: 'text' | 'fields' | 'parts'): void {
    // A piece of output changes nothing while nobody looks.
    if (what !== 'text' || this.node.open) super.update(part);
  }

  override dispose(): void {
    super.dispose();
    this.#abort.abort();
  }

  protected override look(): FoldLook {
    const { part, scope } = this;
    const { locale } = scope.context;
    const activity = this.activity('tool-activity');
    const state = this.#state();
    const running = activity?.message || toWords(activity?.phase ?? '');
    const status = this.#reason() ?? (state === 'running' ? running : '');
    const word = locale.text(WORDS[state]);
    return {
      state,
      words: {
        title: nameTool(part.name, locale),
        essence: this.#essence(part.kind === 'tool' ? part.input : null),
        ...(status || state === 'done' ? { hidden: word, status } : { status: word }),
      },
      meta: [timeOf(activity, locale)],
    };
  }

  protected override render(): void {
    super.render();
    const { acts, locale } = this.scope.context;
    const sections = this.node.open ? this.#sections() : [];
    const isEmpty = this.node.open && sections.length === 0 && this.#state() !== 'running';
    render(
      html`<div class="payload">
          ${isEmpty ? locale.text('toolNothing') : nothing}${sections.map(
            ([name, title, shown]) =>
              html`<section class=${name}>
                <h4>${title}</h4>
                ${shown}
              </section>`,
          )}
        </div>
        <div class="media">${acts.media ? this.#media(this.#fields.result) : nothing}</div>`,
      this.#behind,
    );
  }

  get #fields(): { readonly input: string | null; readonly result: string | null } {
    return this.part.kind === 'tool' ? this.part : { input: null, result: null };
  }

  #state(): keyof typeof WORDS {
    const { state } = this.part;
    if (this.#reason() !== null) return 'failed';
    return state === 'running' && !this.scope.live ? 'incomplete' : state;
  }

  /** Why it failed, in the service's words; null when it did not. */
  #reason(): string | null {
    const activity = this.activity('tool-activity');
    return activity?.state === 'failed' ? activity.reason : this.#failure(this.#fields.result);
  }

  #sections(): readonly Section[] {
    const { locale } = this.scope.context;
    const { input, result } = this.#fields;
    const sections: Section[] = [];
    if (input) sections.push(['input', locale.text('toolInput'), this.#input(input)]);
    if (result === null) sections.push(...this.#outputSections());
    else if (result) sections.push(['result', locale.text('toolResult'), this.#result(result)]);
    return sections;
  }

  /** What the tool streams while it works; each chunk costs its own length. */
  #outputSections(): readonly Section[] {
    const { context, message } = this.scope;
    const activity = this.activity('tool-activity');
    const keys = activity ? message.parts.children(activity.key) : [];
    return keys.flatMap((key): Section[] => {
      const part = message.parts.get(key);
      if (part?.kind !== 'output-activity') return [];
      let output = this.#outputs.get(key);
      if (!output) {
        const text = document.createTextNode('');
        output = { node: createRawBox(text), follow: followText(plainSink(text, SHOWN_TEXT)) };
        this.#outputs.set(key, output);
      }
      output.follow(part.text);
      const title = toWords(part.outputKey) || context.locale.text('toolOutput');
      return [['output', title, output.node]];
    });
  }
}

/** Asked the same twice in a row, it gives the first answer again. */
function remember<Ask, Answer>(answer: (ask: Ask) => Answer): (ask: Ask) => Answer {
  let last: { readonly ask: Ask; readonly answer: Answer } | null = null;
  return (ask) => (last?.ask === ask ? last : (last = { ask, answer: answer(ask) })).answer;
}
