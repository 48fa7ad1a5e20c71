import { UbikDiagnosticEvent } from '../../../events/index.js';

/** Tells the page, and the browser's console, that something of its own failed. The person can do nothing about it. */
export function reportSource(
  host: HTMLElement,
  offender: 'commands' | 'mentions' | 'followUps',
  cause: unknown,
): void {
  const message = `"${offender}" of the page failed; nothing is offered.`;
  host.dispatchEvent(new UbikDiagnosticEvent({ code: 'misuse', message, offender }));
  reportError(cause);
}
