import { html, nothing, render } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { warnOnce } from '../../dom/warn-once.js';
import { UbikContextRemovedEvent, UbikDiagnosticEvent } from '../../events/index.js';
import { renderIcon } from '../../message/icons.js';
import type { ApplicationContext } from '../../model/message.js';
import { describeThread } from '../base/controller-events.js';
import type { ComposerHost } from './composer-options.js';

/** Callbacks of a chip. */
interface ContextChipOptions {
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Called when the user has removed the context, before the event is dispatched. */
  readonly onRemove: () => void;
}

/** The context that the host page has set, with a button that removes it. Hidden for a service that accepts no context. */
export class ContextChip {
  readonly node = element('div', 'context');
  readonly #host: ComposerHost;
  readonly #options: ContextChipOptions;
  /** The property value that was read last. */
  #given: unknown = null;
  #context: ApplicationContext | null = null;
  /** JSON of the context that the user has removed; empty when there is none, or when the host page has set another context since. */
  #removed = '';
  /** The shown title; empty when there is none. */
  #title = '';
  /** The controller for which an unsupported context was reported. */
  #reported: StreamController | undefined;

  constructor(host: ComposerHost, options: ContextChipOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** The context of the next message: null when the user has removed it, undefined when there is none or the service accepts none. */
  get value(): ApplicationContext | null | undefined {
    if (!this.#context || !this.#isSupported) return undefined;
    return this.#removed ? null : this.#context;
  }

  /** Reads the property of the element and renders it. Announces a change. */
  update(): void {
    const { element, context } = this.#host;
    if (element.context !== this.#given) {
      this.#given = element.context;
      this.#context = readContext(element.context);
      // A framework may set an equal object with each render, which does not restore a context that the user has removed.
      if (JSON.stringify(this.#context) !== this.#removed) this.#removed = '';
    }
    if (this.#context && !this.#isSupported) this.#reportUnsupported();
    const shown = this.value;
    const title = shown?.title ?? '';
    const { text } = context.locale;
    if (title !== this.#title) {
      this.#title = title;
      this.#options.announce(title ? text('contextShown', { title }) : text('contextRemoved'));
    }
    render(
      !shown
        ? nothing
        : html`<span class="chip" part="context"
            ><span dir="auto">${text('contextShown', { title })}</span
            ><button
              type="button"
              title=${text('contextRemove', { title })}
              @click=${() => {
                this.#remove(shown);
              }}
            >
              ${renderIcon('close')}
            </button></span
          >`,
      this.node,
    );
  }

  /** Whether the service accepts a context. */
  get #isSupported(): boolean {
    return this.#host.controller?.backend.capabilities.has('context') === true;
  }

  /** Reports, once for each controller, that the context is not sent. */
  #reportUnsupported(): void {
    const { controller, element } = this.#host;
    if (!controller || controller === this.#reported) return;
    this.#reported = controller;
    const { name } = controller.backend;
    const message = `The service "${name}" accepts no context; "context" is not sent.`;
    warnOnce(message);
    const detail = { code: 'unsupported', message, offender: 'context' } as const;
    element.dispatchEvent(new UbikDiagnosticEvent(detail));
  }

  #remove(context: ApplicationContext): void {
    const { controller, element } = this.#host;
    this.#removed = JSON.stringify(context);
    // The focused button is about to be removed.
    element.focus();
    this.#options.onRemove();
    element.dispatchEvent(new UbikContextRemovedEvent({ ...describeThread(controller), context }));
  }
}

/**
 * Copies a context, because the host page may change its object. Returns null for none; warns and returns null for a value without a title,
 * or with data that is not JSON.
 */
function readContext(value: unknown): ApplicationContext | null {
  if (value == null) return null;
  try {
    const { title, data = null } = Object(value) as { readonly [name: string]: unknown };
    if (typeof title === 'string' && title.trim() !== '') {
      return JSON.parse(JSON.stringify({ title, data })) as ApplicationContext;
    }
  } catch {
    // Cyclic data or a getter that throws, for which a warning is logged below.
  }
  warnOnce('"context" needs a "title", and "data" that can be written as JSON.');
  return null;
}
