import {
  testFocusCases,
  pressKeys,
  iconButton,
  press,
  type FullFixture,
  type FocusCases,
} from './focus-fixture.js';

/** Attaches uploaded files to the draft. */
async function attach({ controller, settle }: FullFixture): Promise<void> {
  const attachments = ['a', 'b', 'c'].map((id) => ({ id, name: `${id}.pdf` }));
  controller.setDraft({ text: 'Read', attachments });
  await settle();
}

/** Queues messages behind a run. */
async function queue(fixture: FullFixture): Promise<void> {
  await fixture.start();
  for (const text of ['Second', 'Third', 'Fourth']) {
    fixture.write(text);
    await fixture.settle();
    fixture.press('Enter');
    await fixture.settle();
  }
}

/** Returns the selector of a button in the row of a queued message. */
const queueButton = (row: number, name: string): string =>
  `.queue li:nth-child(${row}) [data-act="${name}"]`;

const COMPOSER: FocusCases = {
  'the first of several files': {
    prepare: attach,
    selector: iconButton('Remove a.pdf'),
    action: pressKeys('Enter'),
    focused: iconButton('Remove b.pdf'),
  },
  'a file between others': {
    prepare: attach,
    selector: iconButton('Remove b.pdf'),
    action: pressKeys('Enter'),
    focused: iconButton('Remove c.pdf'),
  },
  'the last of several files': {
    prepare: attach,
    selector: iconButton('Remove c.pdf'),
    action: pressKeys('Enter'),
    focused: iconButton('Remove b.pdf'),
  },
  'the only file': {
    prepare: async ({ controller, settle }) => {
      controller.setDraft({ text: 'x', attachments: [{ id: 'a', name: 'a.pdf' }] });
      await settle();
    },
    selector: iconButton('Remove a.pdf'),
    action: pressKeys('Enter'),
    focused: '.field textarea',
  },
  'the stop button, when it is pressed': {
    prepare: ({ start }) => start(),
    selector: '.send[data-act=stop]',
    action: async (fixture) => {
      await press(fixture, ['Enter']);
      fixture.backend.stream.finish('stopped');
      await fixture.settle();
    },
    focused: '.send[data-act=send]',
  },
  'the stop button, when the answer ends': {
    prepare: ({ start }) => start(),
    selector: '.send[data-act=stop]',
    action: async ({ backend, settle }) => {
      backend.stream.finish('complete');
      await settle();
    },
    focused: '.send[data-act=send]',
  },
  'the first queued message, removed': {
    prepare: queue,
    selector: queueButton(1, 'queueRemove'),
    action: pressKeys('Enter'),
    focused: '[data-act=queueRemove][title*=Third]',
  },
  'the last queued message, removed': {
    prepare: queue,
    selector: queueButton(3, 'queueRemove'),
    action: pressKeys('Enter'),
    focused: '[data-act=queueRemove][title*=Third]',
  },
  'a queued message, edited': {
    prepare: queue,
    selector: queueButton(2, 'queueEdit'),
    action: pressKeys('Enter', 'B', 'Enter'),
    focused: queueButton(2, 'queueEdit'),
  },
  'a queued message, sent by the user': {
    prepare: queue,
    selector: queueButton(2, 'queueStopAndSend'),
    action: pressKeys('Enter'),
    focused: '.field textarea',
  },
  'a queued message, sent in turn': {
    prepare: queue,
    selector: queueButton(1, 'queueEdit'),
    action: async ({ backend, settle }) => {
      backend.stream.finish('complete');
      await settle();
    },
    focused: '.queue li [data-act]',
  },
};

describe('focus around the composer moves when the focused control disappears:', () => {
  testFocusCases(COMPOSER);
});
