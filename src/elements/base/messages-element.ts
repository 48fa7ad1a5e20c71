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
   * The steps before a finished answer: `summary` (default) collapses them into one line, `list` shows each. Applies to messages that are
   * rendered later.
   */
  steps: '' | 'summary' | 'list' = '';
  /** Renders an avatar beside each message, into the light DOM of the host page. Applies to messages that are rendered later. */
  messageAvatar: MessageRenderer | undefined;
  /** Renders additional actions below each message, into the light DOM of the host page. Applies to messages that are rendered later. */
  messageActions: MessageRenderer | undefined;
  /**
   * Renderers of the host page for tools and other parts in this element, in the order in which they are asked; before those of
   * `registerToolRenderer` and `registerPartRenderer`. Applies to parts that are rendered later.
   */
  renderers: readonly RendererRule[] | undefined;
}
