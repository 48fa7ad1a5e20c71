import { UbikDiagnosticEvent } from '../../events/index.js';
import type { ComposerHost, ComposerOptions } from './composer-options.js';
import type { MessageField } from './message-field.js';

/** The objects that the lazy-loaded tools of a composer share. */
export interface ComposerContext {
  readonly host: ComposerHost;
  readonly field: MessageField;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
}

/**
 * Reports to the host page, and in the console, that its source of suggestions or follow-up questions has thrown. Nothing is shown to the
 * user.
 */
export function reportSourceError(
  { element }: ComposerHost,
  offender: keyof ComposerOptions & ('commands' | 'mentions' | 'followUps'),
  cause: unknown,
): void {
  const message = `"${offender}" of the host page failed; nothing is offered.`;
  element.dispatchEvent(new UbikDiagnosticEvent({ code: 'misuse', message, offender }));
  reportError(cause);
}
