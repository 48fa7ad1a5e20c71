/** @import { Case } from '../cases.mjs' */
import { LONG_CODE, LONG_WORDS, WIDE_TABLE } from '../fixtures/texts.mjs';
import { makeChat, makeTranscript } from '../kit/make.mjs';
import { answer, checkpoint, question, say, step, think, tool } from '../kit/write.mjs';

/** Twelve steps with thirty tool calls. */
const STEPS = Array.from({ length: 12 }, (_, at) =>
  step(
    at + 1,
    at === 4
      ? 'Compare the lengths that were measured with those that were printed before'
      : `Read part ${at + 1} of the report`,
    [
      think('What does this part say?'),
      ...Array.from({ length: at % 2 === 0 ? 3 : 2 }, (_tool, number) =>
        tool(
          'search_documents',
          { query: `part ${at + 1}, question ${number + 1}` },
          { total: number },
        ),
      ),
    ],
  ),
);

/** @type {readonly Case[]} */
export const long = [
  {
    name: 'long-run',
    title: 'Run of twelve steps with thirty tool calls',
    make: (look) =>
      makeTranscript(look, [
        question('Read the whole report.'),
        answer([
          ...STEPS.flatMap((one, at) => (at % 4 === 3 ? [one, checkpoint(`part_${at}`)] : [one])),
          say('That was all of it.'),
        ]),
      ]),
  },
  {
    name: 'long-words',
    title: 'Unbreakable words and a wide table on a phone',
    size: 'phone',
    make: (look) =>
      makeChat(look, {
        messages: [question(LONG_WORDS), answer([say(LONG_WORDS), say(WIDE_TABLE)])],
      }),
  },
  {
    name: 'long-code',
    title: 'Code block of two hundred lines',
    size: 'phone',
    make: (look) =>
      makeChat(look, { messages: [question('Show the code.'), answer([say(LONG_CODE)])] }),
  },
  {
    name: 'long-question',
    title: 'Question of thirty lines',
    make: (look) =>
      makeTranscript(look, [
        question(
          Array.from({ length: 30 }, (_, at) => `Line ${at + 1} of what was pasted.`).join('\n'),
        ),
      ]),
  },
];
