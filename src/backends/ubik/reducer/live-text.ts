import type { Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';
import type {
  ContentParser,
  Construct,
  ConstructFate,
  ContentSink,
} from '../content/content-parser-types.js';
import { createContentParser } from '../content/content-parser.js';
import { natureOf } from '../content/keys.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests } from './input-requests.js';
import { bindCard, executionOf } from './tool-binding.js';

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

/**
 * What names a step, checkpoint, request or error, whether an event tells of it or a text spells it out: what has the same name is
 * one thing. A request is named by its checkpoint, or by its question when it has none.
 */
export function nameOf(part: ContentFields): string {
  const nature = natureOf(part);
  if (part.kind === 'error') return `${nature} ${part.message}`;
  const isNamed = part.kind !== 'input-request' || part.checkpointName !== null;
  return isNamed ? nature : `${nature} ${part.prompt.trim()}`;
}

/** The part that a text spells out. */
export function partOf(construct: Construct): ContentFields {
  switch (construct.kind) {
    case 'step': {
      const { kind, number, title, single } = construct;
      return { kind, number, title, single, state: 'running' };
    }
    case 'checkpoint':
      return { kind: 'checkpoint', name: construct.name };
    case 'request':
      return { ...construct, kind: 'input-request', answer: null };
    case 'error':
      return construct;
  }
}
