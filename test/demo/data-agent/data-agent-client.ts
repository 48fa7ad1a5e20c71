import assert from 'node:assert/strict';
import { DemoApiClient } from '../test-server.js';

/** A JSON value. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** A patch as the server sends it. */
export interface WirePatch {
  readonly seq_id: number;
  readonly key: (string | number)[];
  readonly content: Value;
  readonly action: string;
}

/** Options that a client sends with every question. */
export const CHAT_OPTION = {
  is_need_history: true,
  is_need_doc_retrival_post_process: true,
  is_need_progress: true,
  enable_dependency_cache: true,
};

/** The path of the agent below the current prefix. */
export const APP = '/api/agent-factory/v1/app/river-analyst';

/** A client of the Data Agent API that acts as one user. */
export class DataAgentClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  /** Creates a client for a new user, with the token of that user. */
  static async connect(url: string): Promise<DataAgentClient> {
    const client = await DemoApiClient.create(url);
    return new DataAgentClient(url, { ...client.headers, 'x-business-domain': 'bd_public' });
  }

  /** Returns a client for the same user at another address. */
  at(url: string): DataAgentClient {
    return new DataAgentClient(url, this.#headers);
  }

  /** Sends a request. A header whose value is an empty text is not sent. */
  async open(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const all = { ...this.#headers, 'content-type': 'application/json', ...headers };
    return fetch(this.#url + path, {
      method,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request and reads its JSON answer. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly json: Value }> {
    const response = await this.open(method, path, body, headers);
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : (JSON.parse(text) as Value) };
  }

  /** Creates a conversation and returns its id. */
  async createConversation(title = ''): Promise<string> {
    const { json } = await this.request('POST', `${APP}/conversation`, { title });
    return textOf(readPath(json, 'id'));
  }

  /** Asks a question and reads the stream to its end. */
  async ask(
    query: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<WirePatch[]> {
    const response = await this.open(
      'POST',
      `${APP}/chat/completion`,
      { query, chat_option: CHAT_OPTION, ...more },
      headers,
    );
    assert.equal(response.status, 200);
    return readPatches(await response.text());
  }

  /** Loads the stored messages of a conversation. */
  async messages(id: string): Promise<Record<string, Value>[]> {
    const { json } = await this.request('GET', `${APP}/conversation/${id}`);
    return readPath(json, 'Messages') as Record<string, Value>[];
  }
}

/** Parses the records of a whole stream that have data. Records that are not patches, such as errors, are returned as if they were. */
export function readPatches(text: string): WirePatch[] {
  return text
    .split('\n\n')
    .filter((record) => record.startsWith('data: '))
    .map((record) => JSON.parse(record.slice(6)) as WirePatch);
}

/**
 * Applies patches of the demo to a document, by default an empty one, independently of `src`. Knows only the forms that the demo sends: it
 * appends to texts, and adds elements to an array one at a time, by their index.
 */
export function applyPatches(patches: readonly WirePatch[], start: Value = {}): Value {
  let root = start;
  for (const { key, content, action } of structuredClone(patches) as WirePatch[]) {
    if (action === 'end') continue;
    if (key.length === 0) {
      root = content;
      continue;
    }
    const last = key.at(-1) ?? '';
    const parent = readPath(root, ...key.slice(0, -1)) as Record<string | number, Value>;
    const existing = parent[last];
    if (action === 'remove') {
      // Removing an element leaves a hole, so that the others keep their index; holes at the end are dropped (rule R5 of the protocol).
      Reflect.deleteProperty(parent, last);
      if (Array.isArray(parent)) {
        while (parent.length > 0 && !Object.hasOwn(parent, parent.length - 1)) parent.length -= 1;
      }
    } else if (action === 'append' && typeof existing === 'string') {
      parent[last] = existing + textOf(content);
    } else parent[last] = content;
  }
  return root;
}

/** Looks up a path; undefined where it leads nowhere. */
export function readPath(
  value: Value | undefined,
  ...path: (string | number)[]
): Value | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string | number, Value>)[key];
  }
  return found;
}

/** A text as it is; an empty one for anything else. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The steps of a reply. */
export function stepsOf(reply: Value): Record<string, Value>[] {
  return (readPath(reply, 'message', 'content', 'middle_answer', 'progress') ?? []) as Record<
    string,
    Value
  >[];
}

/** The step that calls a skill; it must exist. */
export function skillStep(reply: Value, name: string): Record<string, Value> {
  const step = stepsOf(reply).find((each) => readPath(each, 'skill_info', 'name') === name);
  assert.ok(step, `no step calls ${name}`);
  return step;
}

/** The body of a question that answers the request for approval of a reply. */
export function decide(
  reply: Value,
  action: string,
  modified_args: object[] = [],
): Record<string, unknown> {
  const info = readPath(reply, 'message', 'ext', 'interrupt_info');
  return {
    query: '',
    conversation_id: readPath(reply, 'conversation_id'),
    agent_run_id: readPath(reply, 'agent_run_id'),
    interrupted_assistant_message_id: readPath(reply, 'assistant_message_id'),
    resume_interrupt_info: {
      resume_handle: readPath(info, 'handle'),
      data: readPath(info, 'data'),
      action,
      modified_args,
    },
  };
}
