import type { Key } from './json.js';
import type { Message } from './message.js';
import {
  type ActivityFields,
  type ContentFields,
  type ContentKind,
  type Part,
  type PartFields,
  type PartOf,
  type PartTree,
} from './part.js';

/** The suffix that all activity kinds share. */
type Ending<K extends string> = K extends `${string}-${infer E}` ? `-${E}` : never;

/** Whether fields belong to message content, not to activity. */
export function isContent<F extends PartFields>(fields: F): fields is F & ContentFields {
  return !fields.kind.endsWith('-activity' satisfies Ending<ActivityFields['kind']>);
}

/** Whether a part belongs to message content, not to activity. */
export function isContentPart(part: Part): part is PartOf<ContentKind> {
  return isContent(part);
}

/** Returns the fields of a part or tree without its key, parent, text and children. */
export function fieldsOf(part: Part): PartFields;
export function fieldsOf(part: PartTree): ContentFields;
export function fieldsOf(part: Part | PartTree): PartFields {
  const {
    key: _key,
    text: _text,
    parent: _parent,
    parts: _parts,
    ...fields
  } = part as Part & { readonly parts?: unknown };
  return fields;
}

/** Returns the content of a message as plain data, parts in order, without activity. Takes time proportional to the result. */
export function toPartTrees(message: Message, parent: Key | null = null): PartTree[] {
  const trees: PartTree[] = [];
  for (const key of message.parts.children(parent)) {
    const part = message.parts.get(key);
    const fields = part && fieldsOf(part);
    if (!fields || !isContent(fields)) continue;
    const parts = toPartTrees(message, key);
    const text = part.text?.read();
    trees.push({
      ...fields,
      key,
      ...(text ? { text } : {}),
      ...(parts.length > 0 ? { parts } : {}),
    });
  }
  return trees;
}
