import type { Json, Key } from '../../../model/json.js';
import type { InputRequest } from '../../backend.js';
import { asFields, asList, readString, toJson, type Fields } from '../../fields.js';

/** A tool call that waits for the user's approval (Data Agent 9.4). */
export interface Approval {
  /** Identifies it among the approvals of a conversation. */
  readonly token: string;
  /** Opaque; sent back unchanged. */
  readonly handle: Json;
  /** Opaque; sent back unchanged. */
  readonly data: Json;
}

/** One argument of the tool call. */
export interface Argument {
  readonly name: string;
  readonly value: Json;
  readonly type: string | null;
}

/** Reads the approval that a reply waits for from `message.ext`; null when there is none. */
export function readApproval(ext: Fields | null): Approval | null {
  const info = asFields(ext?.['interrupt_info']);
  const handle = asFields(info?.['handle']);
  const data = asFields(info?.['data']);
  if (!handle || !data) return null;
  const token = readString(handle, 'resume_token', 'snapshot_id', 'frame_id') ?? '';
  return { token, handle: toJson(handle), data: toJson(data) };
}

/** Returns the key of the input request for an approval. */
export function toRequestKey({ token }: Approval): Key {
  return `@request:${token}`;
}

/** Creates the input request for an approval. */
export function createApprovalRequest(approval: Approval, message: Key): InputRequest {
  const data = asFields(approval.data) ?? {};
  const config = asFields(data['interrupt_config']) ?? {};
  const args = readArguments(approval);
  const toolName = readString(data, 'tool_name') || null;
  return {
    key: toRequestKey(approval),
    message,
    level: 'tool',
    checkpointName: null,
    executionId: approval.token,
    toolName,
    prompt:
      readString(config, 'confirmation_message') ||
      readString(data, 'tool_description') ||
      (toolName ?? ''),
    inputTypes: [args.length > 0 ? 'json' : 'confirmation'],
    options: null,
    schema: args.length > 0 ? createSchema(args) : null,
    deadline: null,
  };
}

/** Reads the arguments of the tool call that waits. */
export function readArguments({ data }: Approval): Argument[] {
  return asList(asFields(data)?.['tool_args']).flatMap((item) => {
    const fields = asFields(item) ?? {};
    const name = readString(fields, 'key', 'name');
    return name ? [{ name, value: toJson(fields['value']), type: readString(fields, 'type') }] : [];
  });
}

/**
 * Creates the JSON Schema of the arguments, with the current values as defaults. An argument with a value is required, because the service
 * can change arguments but not remove them: if the user empties a field, the tool must not run with its old value.
 */
function createSchema(args: readonly Argument[]): Json {
  const values = Object.fromEntries(args.map(({ name, value }) => [name, value]));
  return { ...createRecord(args, 0), default: values };
}

/** JSON Schema types by the type names of tools. */
const TYPES: ReadonlyMap<string | null, string> = new Map([
  ['string', 'string'],
  ['str', 'string'],
  ['integer', 'integer'],
  ['int', 'integer'],
  ['number', 'number'],
  ['float', 'number'],
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
]);

/** Number of levels of objects within the arguments whose fields the schema describes. */
const MAX_NESTING = 2;

function createRecord(args: readonly Argument[], level: number) {
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, ...arg }) => [name, createType(arg, level)])),
    required: args.filter(({ value }) => isGiven(value)).map(({ name }) => name),
  };
}

function isGiven(value: Json): boolean {
  return value !== null && value !== '';
}

/**
 * Creates the JSON Schema of an argument. The declared type counts only if it fits the value, because the service does not validate the
 * declarations of tools.
 */
function createType({ value, type }: Omit<Argument, 'name'>, level: number): Json {
  const declared = TYPES.get(type);
  const isDeclaredInteger = Number.isInteger(value) && declared === 'integer';
  const actual = isDeclaredInteger ? 'integer' : typeof value;
  if (value === null) return declared ? { type: declared } : {};
  if (actual !== 'object') return { type: actual };
  const inner = Object.entries(asFields(value) ?? {}).map(([name, each]) => {
    return { name, value: toJson(each), type: null };
  });
  // A form omits an empty field, so a form for an object that has one would change the object.
  const isComplete = inner.length > 0 && inner.every((each) => isGiven(each.value));
  return isComplete && level < MAX_NESTING ? createRecord(inner, level + 1) : {};
}
