import type { Key } from './json.js';
import type { Message } from './message.js';
import {
  ACTIVITY,
  type ActivityFields,
  type ContentFields,
  type Part,
  type PartFields,
  type PartTree,
} from './part.js';

const ACTIVITY_KINDS: ReadonlySet<string> = new Set([
  'run-activity',
  'step-activity',
  'tool-activity',
  'output-activity',
  'request-activity',
] satisfies ActivityFields['kind'][]);

/** Whether fields are of the content, not of activity. */
export function isContent<F extends PartFields>(fields: F): fields is F & ContentFields {
  return !ACTIVITY_KINDS.has(fields.kind);
}

/** The fields of a part or tree without its place, text and children. */
export function fieldsOf(part: Part): PartFields;
export function fieldsOf(part: PartTree): ContentFields;
export function fieldsOf(part: Part | PartTree): PartFields {
  const { key: _key, text: _text, ...rest } = part;
  if (!('parent' in rest) && !('parts' in rest)) return rest;
  const {
    parent: _parent,
    parts: _parts,
    ...fields
  } = rest as PartFields & {
    parent?: unknown;
    parts?: unknown;
  };
  return fields;
}

/** The content of a message as plain data, parts in order. Costs what it returns. */
export function toPartTrees(message: Message, parent: Key | null = null): PartTree[] {
  const trees: PartTree[] = [];
  if (parent === ACTIVITY) return trees;
  for (const key of message.parts.children(parent)) {
    const part = message.parts.get(key);
    if (!part) continue;
    const fields = fieldsOf(part);
    if (!isContent(fields)) continue;
    const parts = toPartTrees(message, key);
    trees.push({
      ...fields,
      key,
      ...(part.text && part.text.length > 0 ? { text: part.text.read() } : {}),
      ...(parts.length > 0 ? { parts } : {}),
    });
  }
  return trees;
}
