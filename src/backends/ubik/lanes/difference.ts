import type { Change } from '../../../model/change.js';
import { equalJson, type Key } from '../../../model/json.js';
import type { Message } from '../../../model/message.js';
import { ACTIVITY, type PartFields } from '../../../model/part.js';
import { fieldsOf, toPartTrees } from '../../../model/part-tree.js';
import { reconcile } from '../../../model/reconcile.js';
import type { ModelMirror } from './model-mirror.js';

/**
 * The changes that turn what is shown into what was built out of sight, and nothing more. Both mirrors began at the same state.
 * Null: they cannot be compared, for a text was cut behind that state.
 */
export function differenceOf(shown: ModelMirror, built: ModelMirror): Change[] | null {
  if (!built.isSound && !built.isWhole) return null;
  const content = contentDifference(shown, built);
  if (!content) return null;
  return [...content, ...activityDifference(shown, built), ...newest(built.rest)];
}

function contentDifference(shown: ModelMirror, built: ModelMirror): Change[] | null {
  const { message } = built;
  if (built.isWhole) {
    return [{ do: 'content', message: message.key, parts: toPartTrees(message) }];
  }
  if (!shown.isSound || shown.isWhole) return null;
  return reconcile(shown.message, toPartTrees(message)).map((change) => shift(change, shown));
}

/** A text that began at the state stands `offset` units further on in what is shown. */
function shift(change: Change, shown: ModelMirror): Change {
  if (change.do !== 'text' || !shown.message.parts.get(change.part)) return change;
  return { ...change, at: change.at + shown.offsetOf(change.part) };
}

function activityDifference(shown: ModelMirror, built: ModelMirror): Change[] {
  const changes: Change[] = [];
  compare(ACTIVITY);
  return changes;

  function compare(parent: Key): void {
    const message = built.message.key;
    const wanted = built.message.parts.children(parent);
    const standing = new Set(shown.message.parts.children(parent));
    for (const key of standing) {
      if (!built.message.parts.get(key)) changes.push({ do: 'remove', message, part: key });
    }
    for (const [index, part] of wanted.entries()) {
      const value = fieldsIn(built.message, part);
      if (!value) continue;
      if (!equalJson(fieldsIn(shown.message, part), value)) {
        const before = wanted.slice(index + 1).find((key) => standing.has(key)) ?? null;
        changes.push({ do: 'part', message, part, parent, before, value });
      }
      const text = textDifference(shown, built, part);
      if (text) changes.push(text);
      compare(part);
    }
  }
}

function textDifference(shown: ModelMirror, built: ModelMirror, part: Key): Change | null {
  const before = shown.message.parts.get(part)?.text?.read() ?? '';
  const after = built.message.parts.get(part)?.text?.read() ?? '';
  if (before === after) return null;
  let at = 0;
  while (at < before.length && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  const { key: message } = built.message;
  return { do: 'text', message, part, at: at + shown.offsetOf(part), text: after.slice(at) };
}

function fieldsIn(message: Message, key: Key): PartFields | null {
  const part = message.parts.get(key);
  return part ? fieldsOf(part) : null;
}

/** Of fields of the message and of the run, what was said last. */
function newest(changes: readonly Change[]): Change[] {
  const last = new Map<string, Change>();
  for (const change of changes) {
    const name = change.do === 'set' ? change.path.join('/') : change.do;
    const before = last.get(name);
    if (change.do === 'thread' && before?.do === 'thread') {
      const run = { ...before.set.run, ...change.set.run };
      last.set(name, { do: 'thread', set: { ...before.set, ...change.set, run } });
    } else last.set(name, change);
  }
  return [...last.values()];
}
