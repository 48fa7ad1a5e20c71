import type { Page } from 'puppeteer-core';

/** `METHOD path?query` of every request that a page of this collection may make to its own server, by name. */
const KNOWN = {
  page: /^GET \/(?:open|strict)(?:-html|-unsafe)?$/,
  script: /^GET \/(?:dist\/bundle\/ubik-elements\.min|unsafe)\.js$/,
  'lazy file': /^GET \/dist\/bundle\/(?:parts|extras|extras\/highlight)\/[\w-]+\.js$/,
  'new session': /^POST \/api\/agent-sessions$/,
  session: /^GET \/api\/agent-sessions\/s1$/,
  messages: /^GET \/api\/agent-sessions\/s1\/messages$/,
  question: /^POST \/api\/agent-sessions\/s1\/messages$/,
  'policy report': /^POST \/reports$/,
  passage: /^GET \/api\/chunks\/evil(?:\/document)?$/,
  'file of a tool': /^GET \/api\/assets\/tools\/kept\/e1\/kept\.png$/,
} as const;

/** Name of a request that a page may make. */
export type RequestName = keyof typeof KNOWN;

/** What every page needs to stand there. */
export const PAGE_FILES: readonly RequestName[] = ['page', 'script', 'lazy file'];

/** What a chat asks of its service besides, for a conversation and its citations. */
export const CHAT_REQUESTS: readonly RequestName[] = [
  ...PAGE_FILES,
  'new session',
  'session',
  'messages',
  'question',
  'passage',
];

/** Requests of a page since it was opened, as the browser and the server have seen them. */
export interface RequestWitness {
  /** `METHOD path?query` of those that no expected name stands for; of another origin the whole address. */
  unknown(): readonly string[];
}

/**
 * Watches every request of a page. The browser knows of those that never arrive, the server of those that the driver of the
 * browser is not told of, such as icons and sockets.
 */
export function watchRequests(
  page: Page,
  origin: string,
  served: readonly string[],
  expected: readonly RequestName[],
): RequestWitness {
  const patterns = expected.map((name) => KNOWN[name]);
  const before = served.length;
  const sent: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (/^(?:blob|data):/.test(url)) return;
    const isOwn = url.startsWith(`${origin}/`);
    sent.push(isOwn ? `${request.method()} ${url.slice(origin.length)}` : url);
  });
  return {
    unknown: () => {
      const all = new Set([...sent, ...served.slice(before)]);
      return [...all].filter((line) => !patterns.some((pattern) => pattern.test(line)));
    },
  };
}
