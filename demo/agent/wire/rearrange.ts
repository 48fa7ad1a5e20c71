import { textOf } from '../json.js';
import { isEnd, type SessionEvent } from '../run/session-event.js';
import type { Dialect } from './dialect.js';
import { shuffle } from './encode.js';

/** Transforms, according to the dialect, events that were read together: changes chunk boundaries, order, names, and the content of the end event. */
export function rearrange(events: readonly SessionEvent[], dialect: Dialect): SessionEvent[] {
  let result = [...events];
  if (dialect.merge) result = mergeChunks(result);
  if (dialect.cut > 0) result = result.flatMap((event) => cutChunk(event, dialect.cut));
  if (dialect.final !== 'full')
    result = result.map((event) => changeFinal(event, dialect.final === 'bare' ? 'bare' : 'empty'));
  if (dialect.shuffle > 1) result = shuffleGroups(result, dialect.shuffle);
  if (dialect.alias) result = result.map(renameChunk);
  return result;
}

function isChunk(event: SessionEvent): boolean {
  return event.type === 'response_chunk';
}

function mergeChunks(events: readonly SessionEvent[]): SessionEvent[] {
  const merged: SessionEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (last !== undefined && isChunk(last) && isChunk(event) && last['step'] === event['step']) {
      const content = `${textOf(last['content'])}${textOf(event['content'])}`;
      merged[merged.length - 1] = { ...last, content };
    } else {
      merged.push(event);
    }
  }
  return merged;
}

function cutChunk(event: SessionEvent, size: number): SessionEvent[] {
  if (!isChunk(event)) return [event];
  const characters = [...textOf(event['content'])];
  const pieces: SessionEvent[] = [];
  for (let at = 0; at < characters.length; at += size) {
    pieces.push({ ...event, content: characters.slice(at, at + size).join('') });
  }
  return pieces.length === 0 ? [event] : pieces;
}

function changeFinal(event: SessionEvent, final: 'empty' | 'bare'): SessionEvent {
  if (event.type !== 'agent_processing_complete') return event;
  const content = final === 'empty' ? '' : withoutStructure(textOf(event['content']));
  return { ...event, content };
}

/** Removes tools, thinking and checkpoints from the content of a message, and the tags and headers of steps, whose texts stay. */
function withoutStructure(content: string): string {
  return content
    .replaceAll(/<<TOOL_STEP_START\/[^>]*>>[\s\S]*?<<TOOL_STEP_END\/[^>]*>>/gu, '')
    .replaceAll(/<<CHECKPOINT_START>>[\s\S]*?<<CHECKPOINT_END>>/gu, '')
    .replaceAll(/<<thinking>>[\s\S]*?<<\/thinking>>/gu, '')
    .replaceAll(/<<STEP_START>>\n(?:<<SINGLE_STEP_FLAG>>\n)?Step \d+:.*|<<STEP_END>>/gu, '')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}

function renameChunk(event: SessionEvent): SessionEvent {
  return isChunk(event) ? { ...event, type: 'agent_response_chunk' } : event;
}

function shuffleGroups(events: readonly SessionEvent[], size: number): SessionEvent[] {
  const end = events.filter(isEnd);
  const rest = events.filter((event) => !isEnd(event));
  const result: SessionEvent[] = [];
  for (let at = 0; at < rest.length; at += size) result.push(...shuffle(rest.slice(at, at + size)));
  return [...result, ...end];
}
