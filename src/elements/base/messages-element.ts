import type { PropertyDeclarations } from 'lit';
import type { MessageRenderer } from '../../message/host-content.js';
import type { RendererRule } from '../../message/parts/renderer-types.js';
import { TextElement } from './text-element.js';
import type { ContentOptions } from './view-context.js';

/** The base of the elements that show messages: declares the options for them. */
export abstract class MessagesElement extends TextElement implements ContentOptions {
  static override properties: PropertyDeclarations = {
    errorDetails: { attribute: 'error-details', type: Boolean },
    steps: {},
    messageAvatar: { attribute: false },
    messageActions: { attribute: false },
    renderers: { attribute: false },
  };

  /** Whether technical details of errors are shown. */
  errorDetails = false;
  /**
   * The steps before a finished answer: `summary` (default) collapses them into one line, `list` shows each. A change does not affect messages
   * that are already rendered.
   */
  steps: '' | 'summary' | 'list' = '';
  /** Renders an avatar beside each message, into the light DOM of the host page. A change does not affect messages that are already rendered. */
  messageAvatar: MessageRenderer | undefined;
  /**
   * Renders additional actions below each message, into the light DOM of the host page. A change does not affect messages that are already
   * rendered.
   */
  messageActions: MessageRenderer | undefined;
  /**
   * Renderers of the host page for tools and other parts in this element, in order of precedence; they precede those of `registerToolRenderer`
   * and `registerPartRenderer`. A change does not affect parts that are already rendered.
   */
  renderers: readonly RendererRule[] | undefined;
}
