import { test } from 'node:test';
import { runSequence } from './actions/sequence.js';
import { shareService } from './world/service.js';

const getService = shareService();

/** Sequences that have failed before, by the behaviour that they test. `action-text.ts` reads the actions. */
const SEQUENCES: readonly (readonly [name: string, dialect: string, ...actions: string[]])[] = [
  ['a thread shows the title that it gets with its first message', 'F1', 'A send sum -'],
  [
    'a message after a request of the agent answers it',
    'F2,crlf,answer=json,final=empty',
    'A send asking -',
    'A send sum step',
  ],
  [
    'a message after a request with an open stream answers it',
    'F4,waiting=open,linger',
    'A send asking -',
    'A send hello -',
  ],
  [
    'a broken network does not remove the request of a tool',
    'F1',
    'A send tool -',
    'A answer 0 yes',
    'A answer 0 yes',
    'A regenerate 1 -',
    'A cut',
  ],
  [
    'a rejected message does not remove the request of a tool',
    'F3,naive,answer=json-assistant,waiting=complete',
    'A send tool tool',
    'A go',
    'A send failing tool',
  ],
  [
    'regenerating an answer in which a tool asks is rejected as busy, not as missing',
    'F1',
    'A send tool -',
    'A send asking -',
    'A regenerate 1 -',
  ],
  [
    'a lost answer to a tool can be sent again',
    'F1',
    'B send tool -',
    'A lose request',
    'A answer 1 yes',
  ],
  [
    'a delivered answer to a tool is not requested again',
    'F1',
    'B send tool -',
    'A lose response',
    'A answer 1 yes',
  ],
  ['a stop after a request of the agent stops nothing', 'F5,cut=5', 'A send asking -', 'A stop'],
  [
    'a stop after a broken network closes the request of a tool',
    'F1',
    'A send tool -',
    'A cut',
    'A stop',
  ],
  [
    'a request that was answered in another tab is closed when its thread is opened again',
    'F4,waiting=open',
    'A send asking -',
    'B open 0',
    'B answer 0 yes',
    'A open 0',
  ],
  [
    'a lost message is not mistaken for the message of another tab',
    'F4,delta=200,delta-shuffle,answer=json-bare,waiting=open,linger',
    'A send rivers -',
    'B send failing step',
    'A lose request',
    'A send search tool',
  ],
  [
    'a message becomes the draft when its run is detached before it was sent',
    'F1',
    'A send rivers step !',
    'A detach',
    'A go',
    'A send sum -',
  ],
  [
    'a detached answer is not mistaken for the stored one',
    'F1',
    'A send sum tool',
    'A detach',
    'A regenerate 5 tool',
  ],
  [
    'messages that two tabs have queued during one run are all sent',
    'F1',
    'A send rivers step',
    'A reload crash',
    'A queue hello',
    'B queue rivers !',
  ],
  [
    'a queued message that was lost by another tab is sent once',
    'F1',
    'A send sum text',
    'A lose request !',
    'A queue hello !',
    'B go',
    'B reload crash',
    'B send-queued 0',
  ],
  [
    'a delayed response does not replace a thread that was opened later',
    'F1',
    'A send hello -',
    'A new',
    'A send sum -',
    'A new',
    'A reload crash',
    'A new',
    'A slow !',
    'A open 0 !',
    'A open 1',
    'A arrive',
  ],
  [
    'versions are numbered from the oldest',
    'F1',
    'A send hello -',
    'A regenerate 1 -',
    'A regenerate 1 -',
    'A switch 0',
    'A reload leave',
  ],
  [
    'no record is kept of a run whose thread was deleted in another tab',
    'F1',
    'B send tool start',
    'A delete 0',
  ],
  [
    'nothing is queued in a thread that was deleted while it was created',
    'F1',
    'A send sum start !',
    'A queue asking',
    'A delete 4 !',
  ],
  [
    'an edit is discarded when its page is closed before it was sent',
    'F4,delta=200,delta-shuffle,answer=json-bare,waiting=open,linger',
    'B send tool end',
    'B slow',
    'B edit 4 search -',
    'B reload leave',
  ],
  [
    'no checkpoint is restored after the page was closed',
    'F1',
    'A send rivers -',
    'A restore 0 plain - !',
    'A reload leave',
  ],
  [
    'no thread is created after the page was closed',
    'F6,shuffle=4,alias,bom',
    'A new',
    'A send sum text !',
    'A reload leave',
  ],
];

for (const [name, dialect, ...actions] of SEQUENCES) {
  test(name, async () => {
    const error = await runSequence(getService(), { dialect, actions });
    if (error) throw error;
  });
}
