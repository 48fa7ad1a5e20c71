import type { ContentFields } from '../../../model/part.js';
import type { Construct } from '../tags/content-sink.js';
import { natureOf } from '../tags/keys.js';

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
