/** @import { Case } from '../cases.mjs' */
import { search } from '../fixtures/thread-messages.mjs';
import { ARABIC, CHINESE } from '../fixtures/texts.mjs';
import { makeTranscript } from '../kit/make.mjs';
import { answer, checkpoint, question, say, step } from '../kit/write.mjs';

/** @type {readonly Case[]} */
export const scripts = [
  {
    name: 'script-arabic',
    title: 'Arabic with code words',
    make: (look) =>
      makeTranscript(look, [
        question('عبر أي دول يجري نهر الدانوب؟ استخدم SELECT * FROM rivers.'),
        answer([step(1, 'البحث في الوثائق', [search()]), checkpoint('وجدت'), say(ARABIC)]),
      ]),
  },
  {
    name: 'script-chinese',
    title: 'Chinese',
    make: (look) =>
      makeTranscript(look, [
        question('多瑙河流经哪些国家？'),
        answer([step(1, '查找文件', [search()]), say(CHINESE)]),
      ]),
  },
  {
    name: 'script-mixed',
    title: 'Left-to-right and right-to-left paragraphs in one answer',
    make: (look) =>
      makeTranscript(look, [
        question('Translate: the river is long.'),
        answer([
          say(
            'In Arabic:\n\nالنهر طويل، و `length_km` هو طوله.\n\nAnd a list in it:\n\n1. الطول\n2. `length_km`',
          ),
        ]),
      ]),
  },
];
