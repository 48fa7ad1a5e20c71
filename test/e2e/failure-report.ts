/** Prints the content of every open page when a test fails, so that a failure on another machine can be understood from its output. */
import { afterEach } from 'node:test';
import type { Page } from 'puppeteer-core';

/** Errors of an open page, and its failed requests. */
const observed = new Map<Page, string[]>();

/** Observes a page until it is closed. */
export function reportOnFailure(page: Page): void {
  const messages: string[] = [];
  observed.set(page, messages);
  page.on('close', () => observed.delete(page));
  page.on('pageerror', (error) => messages.push(`uncaught: ${String(error)}`));
  page.on('console', (message) => {
    const isNetworkError = message.text().includes('net::ERR_');
    if (message.type() === 'error' && !isNetworkError) messages.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    messages.push(
      `${request.failure()?.errorText ?? 'failed'}: ${request.method()} ${request.url()}`,
    );
  });
}

/** Runs in the page: describes its elements with text and fields, its focus and its events. */
function describePage(): string {
  const hosts = [...document.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot);
  const shown = hosts.map(({ localName, shadowRoot }) => {
    const text = shadowRoot?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
    const fields = [...(shadowRoot?.querySelectorAll('textarea, input') ?? [])];
    const written = fields.map((field) => (field as HTMLInputElement).value).filter(Boolean);
    return `<${localName}> ${text.slice(-1200)} | written: ${written.join(' | ').slice(0, 300)}`;
  });
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  const events = window.seenEvents.map(({ type, detail }) => {
    const { code, error = code } = detail;
    return error === undefined ? type : `${type} (${JSON.stringify(error)})`;
  });
  return [
    `${location.href}, ${document.visibilityState}, ${navigator.onLine ? 'online' : 'offline'}`,
    `focus: ${focus?.outerHTML.split('>', 1)[0] ?? 'none'}`,
    `events: ${events.slice(-40).join(', ')}`,
    ...shown,
  ].join('\n  ');
}

/** Returns the description of a page, or gives up after five seconds, because a page in an endless loop does not respond. */
async function readDescription(page: Page): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, 5000, 'The page does not respond.');
  });
  const answer = page.evaluate(describePage).catch(String);
  return Promise.race([answer, silence]).finally(() => {
    clearTimeout(timer);
  });
}

// The types of Node 20 lack the result of the test, which a hook receives.
afterEach(async (test: object) => {
  if (!('passed' in test && test.passed === false)) return;
  for (const [page, messages] of observed) {
    const lines = messages.slice(-20).map((line) => `\n  ${line}`);
    console.error(`A page of the failed test: ${await readDescription(page)}${lines.join('')}`);
  }
});
