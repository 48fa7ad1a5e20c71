import type { Key } from '../../../model/json.js';
import { isToolOpen, type ContentFields } from '../../../model/part.js';
import type {
  ContentParser,
  Construct,
  ConstructDecision,
  ContentSink,
} from '../content/content-parser-types.js';
import { createContentParser } from '../content/content-parser.js';
import { getBaseKey } from '../content/keys.js';
import type { MessageReducer } from './message-reducer.js';
import { closeRequests } from './input-requests.js';
import { bindToolPart, findExecutionOf } from './tool-binding.js';

/** Creates the parser for the live text of a step, or for the main text (null). */
export function createLiveParser(reducer: MessageReducer, parent: Key | null): ContentParser {
  return createContentParser({
    mode: 'live',
    keys: reducer.keys,
    parent,
    sink: createBuilderSink(reducer, parent),
    resolver: { resolve: (construct) => resolveConstruct(reducer, parent, construct) },
  });
}

/** Creates a sink that adds the parts of a text below `base`. */
export function createBuilderSink(reducer: MessageReducer, base: Key | null): ContentSink {
  const { builder } = reducer;
  return {
    open: (key, parent, fields) => {
      reducer.putPart(key, parent ?? base, fields);
      if (fields.kind !== 'tool' || builder.isReplacingContent) return;
      reducer.orderSensitiveOps += 1;
      bindToolPart(builder, key, fields);
    },
    append: (key, text) => builder.append(key, text),
    mark: (key, name, mark) => builder.setMark(key, name, mark),
    set: (key, field, value) => {
      builder.set(key, { [field]: value });
      const isEnd = field === 'state' || field === 'result';
      if (!isEnd || !builder.get(key, 'tool') || builder.isReplacingContent) return;
      reducer.orderSensitiveOps += 1;
      if (field === 'result' || value === 'done') closeTool(reducer, key, field === 'state');
    },
  };
}

/** The end of a tool part ends its execution. The end or a result closes the requests of the execution (UBIK R10). */
function closeTool(reducer: MessageReducer, toolPart: Key, isDone: boolean): void {
  const { builder } = reducer;
  const execution = findExecutionOf(builder, toolPart);
  const tool = builder.get(execution, 'tool-activity');
  if (execution === null || !tool) return;
  if (isDone && isToolOpen(tool.state)) builder.set(execution, { state: 'done' });
  closeRequests(reducer, tool.toolId);
}

/**
 * Tags in live text stay text unless an event represents the same construct (UBIK R7). After such an event, the tags are dropped. When an
 * event that comes later causes a rebuild, the part is added in place of the tags, where the event then finds it.
 */
function resolveConstruct(
  reducer: MessageReducer,
  parent: Key | null,
  construct: Construct,
): ConstructDecision {
  reducer.orderSensitiveOps += 1;
  const part = toPartFields(construct);
  const id = getConstructId(part);
  // The tags of a full content became parts when it was parsed. Tags that its texts still contain are text.
  if (reducer.builder.isReplacingContent) return 'literal';
  if ((reducer.sources.get(id) ?? 'literal') !== 'literal') return 'merged';
  const isExpected = reducer.carried.expected.has(id);
  reducer.sources.set(id, isExpected ? 'text' : 'literal');
  if (!isExpected) return 'literal';
  // The event adds the error at the end of the message (UBIK 4.2).
  if (part.kind === 'error') return 'merged';
  const placed = reducer.openPart(parent, part);
  if (construct.kind === 'checkpoint') reducer.builder.append(placed, construct.text);
  return { placed };
}

/**
 * Identifies a step, checkpoint, request or error, whether it comes from an event or from a text. A request is identified by its
 * checkpoint, or by its prompt when it has none.
 */
export function getConstructId(part: ContentFields): string {
  const baseKey = getBaseKey(part);
  if (part.kind === 'error') return `${baseKey} ${part.message}`;
  const isNamed = part.kind !== 'input-request' || part.checkpointName !== null;
  return isNamed ? baseKey : `${baseKey} ${part.prompt.trim()}`;
}

/** Returns the fields of the part that shows a construct. */
export function toPartFields(construct: Construct): ContentFields {
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
