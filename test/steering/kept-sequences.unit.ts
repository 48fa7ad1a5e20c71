import { test } from 'node:test';
import { runSequence } from './acts/sequence.js';
import { startService } from './world/service.js';

/** Sequences that once failed, by what they show. */
const KEPT: readonly (readonly [name: string, dialect: string, ...acts: string[]])[] = [
  ['the name that a thread gets by its first question is shown', 'F1', 'A send sum -'],
  [
    'a message after a question of the agent is the answer to it',
    'F2,crlf,answer=json,final=empty',
    'A send asking -',
    'A send sum step',
  ],
  [
    'a message after a question whose stream stays open is the answer to it',
    'F4,waiting=open,linger',
    'A send asking -',
    'A send hello -',
  ],
  [
    'a cut does not take away what a tool asks',
    'F1',
    'A send tool -',
    'A answer 0 yes',
    'A answer 0 yes',
    'A regenerate 1 -',
    'A cut',
  ],
  [
    'a message that is refused does not take away what a tool asks',
    'F3,naive,answer=json-assistant,waiting=complete',
    'A send tool tool',
    'A go',
    'A send failing tool',
  ],
  [
    'an answer in which a tool asks is at work, not missing',
    'F1',
    'A send tool -',
    'A send asking -',
    'A regenerate 1 -',
  ],
  [
    'an answer to a tool that was lost can be given again',
    'F1',
    'B send tool -',
    'A lose request',
    'A answer 1 yes',
  ],
  [
    'an answer to a tool that has arrived is not asked for again',
    'F1',
    'B send tool -',
    'A lose answer',
    'A answer 1 yes',
  ],
  ['a stop after a question of the agent stops nothing', 'F5,cut=5', 'A send asking -', 'A stop'],
  [
    'a stop after the network broke ends what a tool asks',
    'F1',
    'A send tool -',
    'A cut',
    'A stop',
  ],
  [
    'a question that was answered in another tab is closed when its thread is opened again',
    'F4,waiting=open',
    'A send asking -',
    'B open 0',
    'B answer 0 yes',
    'A open 0',
  ],
  [
    'a message that was lost is not taken for the question of another tab',
    'F4,delta=200,delta-shuffle,answer=json-bare,waiting=open,linger',
    'A send rivers -',
    'B send failing step',
    'A lose request',
    'A send search tool',
  ],
  [
    'what was left before it was sent is a draft again',
    'F1',
    'A send rivers step !',
    'A detach',
    'A go',
    'A send sum -',
  ],
  [
    'what was left is not taken for what is stored',
    'F1',
    'A send sum tool',
    'A detach',
    'A regenerate 5 tool',
  ],
  [
    'messages that two tabs keep behind one run are sent by both',
    'F1',
    'A send rivers step',
    'A reload crash',
    'A queue hello',
    'B queue rivers !',
  ],
  [
    'a message of the queue that another tab has lost is sent once',
    'F1',
    'A send sum text',
    'A lose request !',
    'A queue hello !',
    'B go',
    'B reload crash',
    'B send-queued 0',
  ],
  [
    'an answer that is late does not take the place of what was opened after it',
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
    'versions are counted from the oldest',
    'F1',
    'A send hello -',
    'A regenerate 1 -',
    'A regenerate 1 -',
    'A navigate 0',
    'A reload leave',
  ],
  [
    'no note is kept of a run whose thread was deleted in another tab',
    'F1',
    'B send tool start',
    'A delete 0',
  ],
  [
    'nothing waits behind a thread that was deleted while it was made',
    'F1',
    'A send sum start !',
    'A queue asking',
    'A delete 4 !',
  ],
  [
    'an edit that had not gone out when its page was left is given up',
    'F4,delta=200,delta-shuffle,answer=json-bare,waiting=open,linger',
    'B send tool end',
    'B slow',
    'B edit 4 search -',
    'B reload leave',
  ],
  [
    'nothing goes back to a checkpoint after its page was left',
    'F1',
    'A send rivers -',
    'A restore 0 plain - !',
    'A reload leave',
  ],
  [
    'no thread is made after its page was left',
    'F6,shuffle=4,alias,bom',
    'A new',
    'A send sum text !',
    'A reload leave',
  ],
];

for (const [name, dialect, ...acts] of KEPT) {
  test(name, async (context) => {
    const error = await runSequence(await startService(context), { dialect, acts });
    if (error) throw error;
  });
}
