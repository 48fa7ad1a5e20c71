import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { StreamController } from '../conversation/controller-types.js';
import type { Key } from '../model/json.js';
import { CitationCard } from '../parts/citation-card.js';
import { ConversationFinder } from './connection/conversation-finder.js';
import { ConversationLink } from './connection/conversation-link.js';
import { baseStyles } from './styles/base.js';
import { transcriptStyles } from './styles/chat.js';
import { markdownStyles } from './styles/markdown.js';
import { messageStyles } from './styles/message.js';
import { partStyles } from './styles/parts.js';
import { standAloneStyles } from './styles/stand-alone.js';
import { TranscriptView } from './views/transcript-view.js';

/**
 * The messages of a conversation, in a box that follows its end until the person reads.
 *
 * It takes the conversation of its `controller`, else of the element around it. With `head` it shows any way through the thread,
 * so two transcripts on one controller compare two outcomes.
 *
 * @example
 * <ubik-transcript style="height: 30rem"></ubik-transcript>
 *
 * @tagname ubik-transcript
 * @fires {UbikRunStartedEvent} ubik-run-started - the agent has begun, or a run that was on was joined
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool asks for something; cancelable
 * @fires {UbikCheckpointNavigateEvent} ubik-checkpoint-navigate - before going back to a checkpoint; cancelable
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link of a message is followed; cancelable
 * @fires {UbikErrorEvent} ubik-error - something went wrong
 * @csspart base - the whole
 * @csspart transcript - the box that scrolls
 * @csspart message - one message; also `question` or `answer`
 */
export class UbikTranscript extends LitElement {
  static override styles = [
    baseStyles,
    messageStyles,
    partStyles,
    transcriptStyles,
    standAloneStyles,
    markdownStyles,
  ];

  /** The conversation; by default that of the element around. */
  @property({ attribute: false }) controller: StreamController | null = null;
  /** Our key of the newest message to show; by default the thread's own. */
  @property({ attribute: false }) head: Key | null = null;
  /** Whether technical details of errors may be shown. */
  @property({ type: Boolean, attribute: 'error-details' }) errorDetails = false;

  readonly #link: ConversationLink;
  readonly #finder: ConversationFinder;
  readonly #view: TranscriptView;

  constructor() {
    super();
    this.#link = new ConversationLink(this, {
      connected: ({ controller }) => {
        this.#view.connect(controller);
      },
      changed: (change) => {
        this.#view.apply(change);
      },
      label: () => {
        this.#view.label();
      },
      run: (going) => {
        this.#view.run(going);
      },
      errorDetails: () => this.errorDetails,
    });
    this.#view = new TranscriptView(this.#link.context);
    this.#finder = new ConversationFinder(this, this.#link);
  }

  /** Goes to the end and follows it. */
  scrollToEnd(): void {
    this.#view.jump();
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (!root) return;
    new CitationCard(root, () => this.#link.context);
    root.addEventListener('click', this.#link.handleLink);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('head')) this.#view.head = this.head;
    if (changed.has('controller')) this.#finder.find();
  }

  protected override render(): TemplateResult {
    return html`<div class="ubik" part="base">${this.#view.node}</div>`;
  }
}
