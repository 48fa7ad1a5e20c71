import { checkGoings, keys, named, press, type FullStage, type Goings } from './focus-stage.js';

/** Files that have arrived, beside the text that is written. */
async function attach({ controller, settle }: FullStage): Promise<void> {
  const attachments = ['a', 'b', 'c'].map((id) => ({ id, name: `${id}.pdf` }));
  controller.setDraft({ text: 'Read', attachments });
  await settle();
}

/** Messages that wait behind a run. */
async function queue(stage: FullStage): Promise<void> {
  await stage.start();
  for (const text of ['Second', 'Third', 'Fourth']) {
    stage.write(text);
    await stage.settle();
    stage.press('Enter');
    await stage.settle();
  }
}

const waiting = (row: number, name: string): string =>
  `.queue li:nth-child(${row}) [data-act="${name}"]`;

const COMPOSER: Goings = {
  'the first of several files': {
    prepare: attach,
    at: named('Remove a.pdf'),
    act: keys('Enter'),
    to: named('Remove b.pdf'),
  },
  'a file between others': {
    prepare: attach,
    at: named('Remove b.pdf'),
    act: keys('Enter'),
    to: named('Remove c.pdf'),
  },
  'the last of several files': {
    prepare: attach,
    at: named('Remove c.pdf'),
    act: keys('Enter'),
    to: named('Remove b.pdf'),
  },
  'the only file': {
    prepare: async ({ controller, settle }) => {
      controller.setDraft({ text: 'x', attachments: [{ id: 'a', name: 'a.pdf' }] });
      await settle();
    },
    at: named('Remove a.pdf'),
    act: keys('Enter'),
    to: '.field textarea',
  },
  'the button that stops, by its own press': {
    prepare: ({ start }) => start(),
    at: '.send[data-act=stop]',
    act: async (stage) => {
      await press(stage, ['Enter']);
      stage.backend.stream.finish('stopped');
      await stage.settle();
    },
    to: '.send[data-act=send]',
  },
  'the button that stops, by the end of the answer': {
    prepare: ({ start }) => start(),
    at: '.send[data-act=stop]',
    act: async ({ backend, settle }) => {
      backend.stream.finish('complete');
      await settle();
    },
    to: '.send[data-act=send]',
  },
  'the first message that waits, taken out': {
    prepare: queue,
    at: waiting(1, 'queueRemove'),
    act: keys('Enter'),
    to: '[data-act=queueRemove][title*=Third]',
  },
  'the last message that waits, taken out': {
    prepare: queue,
    at: waiting(3, 'queueRemove'),
    act: keys('Enter'),
    to: '[data-act=queueRemove][title*=Third]',
  },
  'a message that waits, written anew': {
    prepare: queue,
    at: waiting(2, 'queueEdit'),
    act: keys('Enter', 'B', 'Enter'),
    to: waiting(2, 'queueEdit'),
  },
  'a message that waits, sent by hand': {
    prepare: queue,
    at: waiting(2, 'queueStopAndSend'),
    act: keys('Enter'),
    to: '.field textarea',
  },
  'a message that waits, sent when its turn comes': {
    prepare: queue,
    at: waiting(1, 'queueEdit'),
    act: async ({ backend, settle }) => {
      backend.stream.finish('complete');
      await settle();
    },
    to: '.queue li [data-act]',
  },
};

describe('around the field the focus goes on from', () => {
  checkGoings(COMPOSER);
});
