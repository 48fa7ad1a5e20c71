import type { ContentFields } from '../../../model/part.js';
import type { Construct } from '../tags/content-sink.js';

/*
 * Steps, checkpoints, requests and errors are told by events. Text may spell them out as well: what has the same name is one thing.
 */

/** The name of a request: its checkpoint, or its question when it has none. */
export function nameRequest(checkpointName: string | null, prompt: string): string {
  return `request ${checkpointName ?? `?${prompt.trim()}`}`;
}

/** The name of what a text spells out. */
export function nameConstruct(construct: Construct): string {
  switch (construct.kind) {
    case 'step':
      return `step ${construct.number}`;
    case 'checkpoint':
      return `checkpoint ${construct.name}`;
    case 'request':
      return nameRequest(construct.checkpointName, construct.prompt);
    case 'error':
      return `error ${construct.message.trim()}`;
  }
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
    case 'request': {
      const { kind: _kind, ...question } = construct;
      return { kind: 'input-request', ...question, answer: null };
    }
    case 'error':
      return construct;
  }
}
