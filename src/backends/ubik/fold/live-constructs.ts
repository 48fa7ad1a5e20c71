import type { Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';
import type { Construct, LiveConstructs } from '../tags/content-sink.js';
import { natureOf } from '../tags/keys.js';
import { nameOf } from './known-constructs.js';
import type { MessageFold } from './message-fold.js';

/**
 * What becomes of tags in the text of a container that spell out what events tell: text, unless an event tells of the same. An
 * event before: the tags are left out. An event after: the part stands at the place of the tags, and the event finds it there.
 */
export function createLiveConstructs(fold: MessageFold, parent: Key | null): LiveConstructs {
  const { constructs } = fold;
  return {
    claim: (construct) => {
      constructs.asked += 1;
      const name = nameOf(construct);
      if (constructs.isTold(name)) return 'merged';
      if (!constructs.isExpected(name)) {
        constructs.showLiteral(name);
        return 'literal';
      }
      // An error stands at the end of the message, wherever it is told.
      if (construct.kind === 'error') return 'merged';
      constructs.tell(name);
      return { placed: place(fold, parent, construct) };
    },
  };
}

function place(fold: MessageFold, parent: Key | null, construct: Construct): Key {
  const fields = toFields(construct);
  const key = fold.keys.named(natureOf(fields));
  fold.outline.put(key, parent, fields);
  if (fields.kind === 'step' && fields.number !== null) fold.setStep(fields.number, key, false);
  if (construct.kind === 'checkpoint') fold.outline.append(key, construct.text);
  return key;
}

function toFields(construct: Construct): ContentFields {
  switch (construct.kind) {
    case 'step': {
      const { number, title, single } = construct;
      return { kind: 'step', number, title, single, state: 'running' };
    }
    case 'checkpoint':
      return { kind: 'checkpoint', name: construct.name };
    case 'request': {
      const { prompt, inputTypes, checkpointName } = construct;
      return { kind: 'input-request', prompt, inputTypes, checkpointName, answer: null };
    }
    case 'error':
      return { kind: 'error', message: construct.message, details: construct.details };
  }
}
