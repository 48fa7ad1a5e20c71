import type { Key } from '../../../model/json.js';
import { createContentParser } from '../tags/content-parser.js';
import type { ContentParser } from '../tags/content-parser-types.js';
import type { Construct, ConstructFate, ContentSink } from '../tags/content-sink.js';
import { nameOf, partOf } from './constructs.js';
import type { MessageFold } from './message-fold.js';
import { closeRequests } from './requests.js';
import { bindCard, executionOf } from './tools.js';

/** A parser for the live text of a step, or of the message itself (null). */
export function createLiveText(fold: MessageFold, parent: Key | null): ContentParser {
  return createContentParser({
    mode: 'live',
    keys: fold.keys,
    parent,
    sink: createSink(fold, parent),
    constructs: { claim: (construct) => claim(fold, parent, construct) },
  });
}

/** What a text in `base` makes. */
export function createSink(fold: MessageFold, base: Key | null): ContentSink {
  const { outline } = fold;
  return {
    open: (key, parent, fields) => {
      fold.put(key, parent ?? base, fields);
      if (fields.kind !== 'tool' || outline.quiet) return;
      fold.crossings += 1;
      bindCard(outline, key, fields);
    },
    append: (key, text) => outline.append(key, text),
    mark: (key, name, mark) => outline.setMark(key, name, mark),
    set: (key, field, value) => {
      outline.set(key, { [field]: value });
      const isEnd = field === 'state' || field === 'result';
      if (!isEnd || !outline.read(key, 'tool') || outline.quiet) return;
      fold.crossings += 1;
      if (field === 'result' || value === 'done') endCard(fold, key, field === 'state');
    },
  };
}

/** A card's end ends its execution. The end or the result ends any question that the execution asked. */
function endCard(fold: MessageFold, card: Key, isDone: boolean): void {
  const { outline } = fold;
  const execution = executionOf(outline, card);
  const tool = outline.read(execution, 'tool-activity');
  if (execution === null || !tool) return;
  if (isDone && tool.state === 'running') outline.set(execution, { state: 'done' });
  closeRequests(fold, tool.toolId);
}

/**
 * What becomes of tags that spell out what events tell: text, unless an event tells of the same. An event before: the tags are left
 * out. An event after: the part stands at the place of the tags, and the event finds it there.
 */
function claim(fold: MessageFold, parent: Key | null, construct: Construct): ConstructFate {
  fold.crossings += 1;
  const part = partOf(construct);
  const name = nameOf(part);
  if (fold.outline.quiet) return 'literal';
  if ((fold.told.get(name) ?? 'literal') !== 'literal') return 'merged';
  const isExpected = fold.facts.expected.has(name);
  fold.told.set(name, isExpected ? 'text' : 'literal');
  if (!isExpected) return 'literal';
  // An error stands at the end of the message, wherever it is told.
  if (part.kind === 'error') return 'merged';
  const placed = fold.open(parent, part);
  if (construct.kind === 'checkpoint') fold.outline.append(placed, construct.text);
  return { placed };
}
