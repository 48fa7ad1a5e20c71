/** @import { Case } from '../cases.mjs' */
import { riverMessages, SOURCES } from '../fixtures/thread-messages.mjs';
import { find, make, makeTranscript, press } from '../kit/make.mjs';
import { ago, answer, question, say, sayWith } from '../kit/write.mjs';

const STORED = `<<STEP_START>>
Step 1: Look at the question ✓
I will look into the table.
<<STEP_END>>
The Danube is **2,850 km** long.`;

/** @type {readonly Case[]} */
export const messages = [
  {
    name: 'message-stored',
    title: 'Stored answer in <ubik-message>',
    make: (look) => make('ubik-message', look, { content: STORED }),
  },
  {
    name: 'message-user',
    title: 'Message of the user in <ubik-message>',
    make: (look) =>
      make('ubik-message', look, { content: 'How long is the Danube?', author: 'user' }),
  },
  {
    name: 'message-attachments',
    title: 'Question with attachments',
    make: (look) =>
      makeTranscript(look, [
        question('What do these say?', {
          attachments: [
            { id: 'd1', name: 'rivers.csv' },
            { id: 'd2', name: 'A report about the rivers of Europe and their countries.pdf' },
          ],
        }),
        answer([say('They list rivers.')]),
      ]),
  },
  {
    name: 'message-sources',
    title: 'Answer with citations and sources',
    make: (look) =>
      makeTranscript(look, [
        answer([
          sayWith(
            'It is 2,850 km long {c1}, by another count 2,888 {c2}. Both are right {c3}{c4}.',
            [
              ...SOURCES,
              ...[3, 4, 5].map(
                (at) =>
                  /** @type {(typeof SOURCES)[number]} */ ([
                    `c${at}`,
                    {
                      kind: 'citation',
                      label: `[${at}]`,
                      source: `[${at}]`,
                      title: `Yearbook of waters, part ${at}`,
                      url: `https://waters.example/${at}`,
                    },
                  ]),
              ),
            ],
          ),
        ]),
      ]),
  },
  {
    name: 'message-card',
    title: 'Card of a focused citation',
    make: (look) => makeTranscript(look, riverMessages()),
    act: async (element) => {
      const cite = element.shadowRoot?.querySelector('.cite');
      if (cite instanceof HTMLElement) cite.focus();
    },
  },
  {
    name: 'message-restored',
    title: 'Answer of a restored checkpoint, with the hint',
    make: (look) =>
      makeTranscript(
        look,
        [
          question('Summarise all documents.'),
          answer([say('Only the second document is summarised here.')], {
            createdAt: ago(1),
            restoredFrom: { checkpoint: 'found', hint: 'use only the second document' },
          }),
        ],
        { capabilities: ['checkpoints'] },
      ),
  },
  ...[
    /** @type {const} */ (['stopped', 'Stopped answer']),
    /** @type {const} */ (['interrupted', 'Interrupted answer']),
    /** @type {const} */ (['failed', 'Failed answer']),
  ].map(([status, title]) => ({
    name: `message-${status}`,
    title,
    make: (/** @type {import('../axes.mjs').Look} */ look) =>
      makeTranscript(look, [
        question('How long is it?'),
        answer([say('The Danube is')], {
          status,
          failure:
            status === 'failed'
              ? { code: 'run-failed', message: 'The model is not available.' }
              : null,
        }),
      ]),
  })),
  {
    name: 'message-totals',
    title: 'Usage of an answer: time and tokens',
    make: (look) =>
      makeTranscript(
        look,
        [
          question('How long is the Danube?'),
          answer([say('The Danube is **2,850 km** long.')], {
            usage: { seconds: 3.42, tokens: 918, firstTokenMs: 640 },
          }),
        ],
        { capabilities: ['regenerate'] },
      ),
  },
  {
    name: 'message-actions',
    title: 'Actions of messages',
    make: (look) =>
      makeTranscript(look, riverMessages(), {
        capabilities: ['edit', 'regenerate', 'branches', 'checkpoints'],
      }),
  },
  {
    name: 'message-edit',
    title: 'Editing a question',
    make: (look) => makeTranscript(look, riverMessages(), { capabilities: ['edit', 'branches'] }),
    act: async (element) => {
      await press(element, '.message.user .edit-button');
      await find(element, '.edit textarea');
    },
  },
];
