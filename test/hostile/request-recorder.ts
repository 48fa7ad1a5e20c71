import type { Page } from 'puppeteer-core';

/** Requests (`METHOD path?query`) that a page of these tests may make to its own server, by name. */
const REQUEST_PATTERNS = {
  page: /^GET \/(?:open|strict)(?:-html|-unsafe|-mermaid)?$/,
  script: /^GET \/(?:dist\/bundle\/ubik-elements\.min|unsafe)\.js$/,
  'lazy file':
    /^GET \/dist\/bundle\/(?:parts|extras|extras\/highlight|extras\/mermaid)\/[\w-]+\.js$/,
  'diagram file': /^GET \/vendor\/[\w.]+$/,
  'new session': /^POST \/api\/agent-sessions$/,
  session: /^GET \/api\/agent-sessions\/s1$/,
  messages: /^GET \/api\/agent-sessions\/s1\/messages$/,
  checkpoints: /^GET \/api\/agent-sessions\/s1\/checkpoints$/,
  question: /^POST \/api\/agent-sessions\/s1\/messages$/,
  'agent description': /^GET \/api\/agent-factory\/v3\/agent-market\/agent\/a\/version\/latest$/,
  'new conversation': /^POST \/api\/agent-factory\/v1\/app\/a\/conversation$/,
  conversation: /^(?:GET|PUT) \/api\/agent-factory\/v1\/app\/a\/conversation\/c1$/,
  'read mark': /^PUT \/api\/agent-factory\/v1\/app\/a\/conversation\/c1\/mark_read$/,
  completion: /^POST \/api\/agent-factory\/v1\/app\/a\/chat\/completion$/,
  'policy report': /^POST \/reports$/,
  passage: /^GET \/api\/chunks\/evil(?:\/document)?$/,
  'file of a tool': /^GET \/api\/assets\/tools\/kept\/e1\/kept\.png$/,
} as const;

/** Name of a permitted request. */
export type RequestName = keyof typeof REQUEST_PATTERNS;

/** Requests of every page. */
export const PAGE_FILES: readonly RequestName[] = ['page', 'script', 'lazy file'];

/** Requests of a page with a chat, for a thread and its citations. */
export const CHAT_REQUESTS: readonly RequestName[] = [
  ...PAGE_FILES,
  'new session',
  'session',
  'messages',
  'question',
  'passage',
];

/** Requests of a page with a chat, for a conversation with a Data Agent. */
export const DATA_AGENT_REQUESTS: readonly RequestName[] = [
  ...PAGE_FILES,
  'agent description',
  'new conversation',
  'conversation',
  'read mark',
  'completion',
];

/** Requests of a page since it was opened, as seen by browser and server. */
export interface RequestRecorder {
  /** Unexpected requests, as `METHOD path?query`; to another origin with the whole address. */
  listUnexpected(): readonly string[];
}

/**
 * Observes every request of a page. The browser reports those that never arrive; the server those that the browser
 * driver does not see, such as icons and sockets.
 */
export function recordRequests(
  page: Page,
  origin: string,
  served: readonly string[],
  expected: readonly RequestName[],
): RequestRecorder {
  const patterns = expected.map((name) => REQUEST_PATTERNS[name]);
  const before = served.length;
  const sent: string[] = [];
  const blocked = new Set<string>();
  page.on('request', (request) => {
    const url = request.url();
    if (/^(?:blob|data):/.test(url)) return;
    const isOwn = url.startsWith(`${origin}/`);
    sent.push(isOwn ? `${request.method()} ${url.slice(origin.length)}` : url);
  });
  // The browser also reports a request that a policy has prevented, which has no error of the network, unlike others that fail. One to another
  // origin is not listed; one to the own origin is, because a page must not even try it.
  page.on('requestfailed', (request) => {
    if (!/^net::/.test(request.failure()?.errorText ?? '')) blocked.add(request.url());
  });
  return {
    listUnexpected: () => {
      const all = new Set([...sent.filter((line) => !blocked.has(line)), ...served.slice(before)]);
      return [...all].filter((line) => !patterns.some((pattern) => pattern.test(line)));
    },
  };
}
