import type { Json } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import {
  ACTIVITY,
  isToolOpen,
  type ActivityKind,
  type Part,
  type PartKind,
  type PartOf,
} from '../../model/part.js';
import type { TextSource } from '../../model/text.js';
import { resolveToolState } from '../tool/tool-state.js';
import { findToolError } from '../tool/tool-text.js';
import type { PartFacts, PartMessage, ToolCall, ToolFacts } from './renderer-types.js';

/** The frozen copies of the model's objects. A change replaces the object of a part or message, so each object is copied once. */
const copies = new WeakMap<object, unknown>();
/** The messages without their parts, by the object of the model. */
const messages = new WeakMap<Message, PartMessage>();

/** A parsed input or result of a tool. */
interface Payload {
  /** Undefined when there is no text, and when it is not JSON. */
  readonly value: Json | undefined;
  /** Why the text is not JSON; empty when it is, and when there is none. */
  readonly error: string;
}

/**
 * What tool calls contain, by the object of the part. Parsing a large text is expensive, so each value is computed once: inputs and results
 * when a renderer first reads them, the error of a result when the facts are created, because the state depends on it.
 */
const inputs = new WeakMap<Part, Payload>();
const results = new WeakMap<Part, Payload>();
const toolErrors = new WeakMap<Part, { readonly error: string | null }>();

/** Returns the value for an object, computed once. */
function memoize<Key extends object, Value extends object>(
  values: WeakMap<Key, Value>,
  key: Key,
  compute: () => Value,
): Value {
  const value = values.get(key) ?? compute();
  values.set(key, value);
  return value;
}

/** Whether a part is a tool call, with a content part or known from events only. */
export function isToolPart(part: Part): part is PartOf<'tool' | 'tool-activity'> {
  return part.kind === 'tool' || part.kind === 'tool-activity';
}

/** Returns what a renderer of the host page gets to know about a part. `activity` is that of the part, if there is any. */
export function readFacts<Kind extends PartKind>(
  part: PartOf<Kind>,
  message: Message,
  activity: Part | undefined,
): PartFacts<Kind> {
  return {
    part: copyFrozen(part),
    activity: activity ? (copyFrozen(activity) as PartOf<ActivityKind>) : null,
    message: memoize(messages, message, () => {
      const { parts: _parts, ...fields } = message;
      return copyFrozen(fields);
    }),
  };
}

/** Returns what a renderer of the host page gets to know about a tool call. */
export function readToolFacts(
  part: PartOf<'tool' | 'tool-activity'>,
  message: Message,
  activity: PartOf<'tool-activity'> | undefined,
): ToolFacts {
  return { ...readFacts(part, message, activity), tool: readToolCall(part, message, activity) };
}

function readToolCall(
  part: PartOf<'tool' | 'tool-activity'>,
  message: Message,
  activity: PartOf<'tool-activity'> | undefined,
): ToolCall {
  const { input: rawInput, result: rawResult } =
    part.kind === 'tool' ? part : { input: null, result: null };
  const input = (): Payload => memoize(inputs, part, () => parsePayload(rawInput));
  const result = (): Payload => memoize(results, part, () => parsePayload(rawResult));
  const { error } = memoize(toolErrors, part, () => ({ error: findToolError(rawResult) }));
  const { state, reason } = resolveToolState(part, activity, error, message.status);
  return Object.freeze<ToolCall>({
    name: part.name,
    toolType: part.toolType,
    title: (part.kind === 'tool' && part.title) || '',
    id: part.toolId,
    state,
    reason,
    get input() {
      return input().value;
    },
    get inputError() {
      return input().error;
    },
    rawInput,
    get result() {
      return result().value;
    },
    get resultError() {
      return result().error;
    },
    rawResult,
    phase: activity?.phase ?? '',
    message: activity?.message ?? '',
    data: activity ? copyFrozen(activity.data) : null,
    startedAt: activity?.startedAt ?? null,
    endedAt: activity?.endedAt ?? null,
    ...readUpdates(message, activity),
  });
}

/** Returns the phases and partial outputs that events have reported. */
function readUpdates(
  { parts }: Message,
  activity: PartOf<'tool-activity'> | undefined,
): Pick<ToolCall, 'phases' | 'outputs'> {
  const updates = (activity ? parts.children(activity.key) : []).flatMap(
    (key) => parts.get(key) ?? [],
  );
  const phases = updates.flatMap((part) => (part.kind === 'phase-activity' ? [part] : []));
  const outputs = updates.flatMap((part) => (part.kind === 'output-activity' ? [part] : []));
  return {
    phases: Object.freeze(phases.map(copyFrozen)),
    outputs: Object.freeze(
      outputs.flatMap(({ outputKey: name, text }) =>
        text ? [Object.freeze({ name, text: copyFrozen(text) })] : [],
      ),
    ),
  };
}

function parsePayload(raw: string | null): Payload {
  if (raw === null) return { value: undefined, error: '' };
  try {
    return { value: copyFrozen(JSON.parse(raw) as Json), error: '' };
  } catch (error) {
    // The messages of engines differ, but all of them say what is wrong.
    return { value: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns a deeply frozen copy of plain data. A text is replaced by a read-only view of it. */
export function copyFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known as T;
  const copy = Object.freeze(createCopy(value));
  copies.set(value, copy);
  return copy as T;
}

function createCopy(value: object): object {
  if (Array.isArray(value)) return (value as readonly unknown[]).map((item) => copyFrozen(item));
  if (isText(value)) return createReadOnlyText(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [name, copyFrozen(field)]),
  );
}

/** Data from the network contains no functions. */
function isText(value: object): value is TextSource {
  return typeof (value as Partial<TextSource>).read === 'function';
}

function createReadOnlyText(text: TextSource): TextSource {
  return {
    get length() {
      return text.length;
    },
    get revision() {
      return text.revision;
    },
    unchangedLength: (revision) => text.unchangedLength(revision),
    read: (from) => text.read(from),
  };
}

/** Returns the pending question that belongs to a part: the request itself, or the question that a tool call asks. */
export function findRequest(part: Part, message: Message): PartOf<'request-activity'> | null {
  const { parts } = message;
  for (const key of parts.children(ACTIVITY)) {
    const request = parts.get(key);
    if (request?.kind !== 'request-activity' || request.state !== 'pending') continue;
    const isOwn = request.key === part.key || request.part === part.key;
    if (isOwn || (isToolPart(part) && asksFor(request, part))) return request;
  }
  return null;
}

/** Whether a question was asked by a tool call: by its id, or by its name while it runs, because the two may have different ids. */
function asksFor(
  { level, executionId, toolName }: PartOf<'request-activity'>,
  { toolId, name, state }: PartOf<'tool' | 'tool-activity'>,
): boolean {
  if (level !== 'tool') return false;
  return (
    (executionId !== null && executionId === toolId) || (toolName === name && isToolOpen(state))
  );
}
