import { UbikError, type UbikErrorCode } from '../../errors.js';
import { isDeeperThan } from '../../transport/fingerprint.js';
import { parseJson } from '../../transport/response.js';
import type { ServerSentEvent } from '../../transport/sse.js';
import { asFields, type Fields } from '../fields.js';
import type { ReplyPath, PatchAction, Patch } from './patched-reply.js';

/** One event of a stream, whatever the form in which a server or a gateway has sent it. */
export type StreamEvent =
  | { readonly type: 'patch'; readonly patch: Patch }
  /** The whole reply: streams without patches and JSON responses send it. */
  | { readonly type: 'snapshot'; readonly root: unknown }
  /** An error outside the reply, in any form that `readRunError` reads, such as an object with `BaseError`, or a string. */
  | { readonly type: 'error'; readonly error: unknown };

/** Verbs of the service (Data Agent R3), and their synonyms from gateways and older servers. */
const ACTIONS: ReadonlyMap<unknown, PatchAction> = new Map([
  ['upsert', 'upsert'],
  ['update', 'upsert'],
  ['set', 'upsert'],
  ['replace', 'upsert'],
  ['append', 'append'],
  ['remove', 'remove'],
  ['delete', 'remove'],
  ['end', 'end'],
  ['done', 'end'],
  ['finish', 'end'],
]);

/** Deepest nesting of a value. A deeper one is skipped. */
const MAX_DEPTH = 100;

/** Reads the events of one connection. Never throws: a skipped event is reported as a diagnostic. */
export class StreamEventReader {
  readonly #onDiagnostic: (error: UbikError) => void;
  /** Unknown verbs that were reported: each one is reported once. */
  readonly #unknownActions = new Set<unknown>();

  /** @param onDiagnostic called for each skipped event; for events with the same unknown verb, only once */
  constructor(onDiagnostic: (error: UbikError) => void) {
    this.#onDiagnostic = onDiagnostic;
  }

  /** Reads one SSE event; null when it contains nothing to apply. */
  read({ event, data }: Pick<ServerSentEvent, 'event' | 'data'>): StreamEvent | null {
    // Gateways that imitate OpenAI send this at the end; the run is ended by a patch.
    if (data.trim() === '[DONE]') return null;
    const value = parseJson(data);
    if (event === 'error') return { type: 'error', error: value ?? data };
    return this.readValue(value);
  }

  /** Reads one value, such as a JSON response in place of a stream. */
  readValue(value: unknown): StreamEvent | null {
    const fields = asFields(value);
    if (!fields) return this.#skip('malformed-event', typeof value);
    // Used in diagnostics only (Data Agent R4).
    const offender = `seq_id ${String(fields['seq_id'] ?? fields['seq'])}`;
    if (isDeeperThan(value, MAX_DEPTH)) return this.#skip('too-deep', offender);
    const { action } = fields;
    if (typeof action !== 'string') {
      return readPlainObject(fields) ?? this.#skip('malformed-event', offender);
    }
    const known = ACTIONS.get(action);
    if (!known) {
      const isNew = !this.#unknownActions.has(action);
      this.#unknownActions.add(action);
      return isNew ? this.#skip('unknown-event', action) : null;
    }
    const path = readPath(fields['key']);
    if (!path) return this.#skip('malformed-event', offender);
    const { content = null } = fields;
    return { type: 'patch', patch: { path, action: known, value: content } };
  }

  #skip(code: UbikErrorCode, offender: string): null {
    this.#onDiagnostic(new UbikError(code, { offender: offender.slice(0, 80) }));
    return null;
  }
}

/** Reads an object without a verb: the whole reply, or an error. */
function readPlainObject(fields: Fields): StreamEvent | null {
  const { message, error } = fields;
  const isReply = message === null && 'conversation_id' in fields;
  if (isReply || asFields(message)) return { type: 'snapshot', root: fields };
  if ('BaseError' in fields || 'error_code' in fields) return { type: 'error', error: fields };
  const text = error || message;
  return text ? { type: 'error', error: text } : null;
}

/** A segment of a joined path: a name, or an index or a quoted name in brackets. */
const SEGMENT = /\[(?:(\d+)|"([^"]*)"|'([^']*)')\]|[^.[\]]+/g;

/** Reads the path of a patch: an array, or its joined form; a missing path is the root. Null for anything else. */
function readPath(key: unknown): ReplyPath | null {
  if (key == null) return [];
  if (typeof key === 'string') return splitPath(key);
  if (!Array.isArray(key)) return null;
  const isPath = key.every((segment) => typeof segment === 'string' || typeof segment === 'number');
  return isPath ? key : null;
}

/** Splits a joined path, which may begin with `$`, the root in JSONPath. */
function splitPath(key: string): ReplyPath {
  const segments = [...key.replace(/^\$\.?/, '').matchAll(SEGMENT)];
  return segments.map(([all, index, name, other]) =>
    index ? Number(index) : (name ?? other ?? all),
  );
}
