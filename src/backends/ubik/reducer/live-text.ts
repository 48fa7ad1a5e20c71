import type { Key } from '../../../model/json.js';
import { createContentParser } from '../tags/content-parser.js';
import type { ContentParser } from '../tags/content-parser-types.js';
import type { Construct, ConstructFate, ContentSink } from '../tags/content-sink.js';
import { nameOf, partOf } from './constructs.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests } from './requests.js';
import { bindCard, executionOf } from './tools.js';

/** A parser for the live text of a step, or of the message itself (null). */
export function createLiveText(reducer: MessageReducer, parent: Key | null): ContentParser {
  return createContentParser({
    mode: 'live',
    keys: reducer.keys,
    parent,
    sink: createSink(reducer, parent),
    constructs: { claim: (construct) => claim(reducer, parent, construct) },
  });
}

/** What a text in `base` makes. */
export function createSink(reducer: MessageReducer, base: Key | null): ContentSink {
  const { draft } = reducer;
  return {
    open: (key, parent, fields) => {
      reducer.put(key, parent ?? base, fields);
      if (fields.kind !== 'tool' || draft.quiet) return;
      reducer.crossings += 1;
      bindCard(draft, key, fields);
    },
    append: (key, text) => draft.append(key, text),
    mark: (key, name, mark) => draft.setMark(key, name, mark),
    set: (key, field, value) => {
      draft.set(key, { [field]: value });
      const isEnd = field === 'state' || field === 'result';
      if (!isEnd || !draft.read(key, 'tool') || draft.quiet) return;
      reducer.crossings += 1;
      if (field === 'result' || value === 'done') endCard(reducer, key, field === 'state');
    },
  };
}

/** A card's end ends its execution. The end or the result ends any question that the execution asked. */
function endCard(reducer: MessageReducer, card: Key, isDone: boolean): void {
  const { draft } = reducer;
  const execution = executionOf(draft, card);
  const tool = draft.read(execution, 'tool-activity');
  if (execution === null || !tool) return;
  if (isDone && tool.state === 'running') draft.set(execution, { state: 'done' });
  closeRequests(reducer, tool.toolId);
}

/**
 * What becomes of tags that spell out what events tell: text, unless an event tells of the same. An event before: the tags are left
 * out. An event after: the part stands at the place of the tags, and the event finds it there.
 */
function claim(reducer: MessageReducer, parent: Key | null, construct: Construct): ConstructFate {
  reducer.crossings += 1;
  const part = partOf(construct);
  const name = nameOf(part);
  if (reducer.draft.quiet) return 'literal';
  if ((reducer.told.get(name) ?? 'literal') !== 'literal') return 'merged';
  const isExpected = reducer.facts.expected.has(name);
  reducer.told.set(name, isExpected ? 'text' : 'literal');
  if (!isExpected) return 'literal';
  // An error stands at the end of the message, wherever it is told.
  if (part.kind === 'error') return 'merged';
  const placed = reducer.open(parent, part);
  if (construct.kind === 'checkpoint') reducer.draft.append(placed, construct.text);
  return { placed };
}
