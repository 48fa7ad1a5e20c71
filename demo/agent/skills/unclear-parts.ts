import { escapeTags } from '../json.js';
import { answerLanguageOf } from '../plan/data-question.js';
import type { AnswerLanguage } from '../query/languages.js';
import type { Skill } from '../run/skill.js';

/** Says which parts of a question were not understood, in place of an answer that would ignore them. */
export const nameUnclearParts: Skill = {
  run: async ({ run, step }) => {
    const parts = step.args['parts'] as readonly string[];
    await run.streamText(writeUnclearParts(parts, answerLanguageOf(run.progress.question)));
  },
};

/** The sentence that names the parts of a question that were not understood. */
export function writeUnclearParts(parts: readonly string[], language: AnswerLanguage): string {
  const clean = parts.map((part) => escapeTags(part.slice(0, 120)));
  switch (language) {
    case 'de':
      return `Ich konnte ${clean.map((part) => `„${part}“`).join(', ')} nicht anwenden und habe die Daten deshalb nicht abgefragt. Ein Beispiel, das ich verstehe: „Durch welche Länder fließt die Donau?“`;
    case 'fr':
      return `Je n’ai pas pu appliquer ${clean.map((part) => `« ${part} »`).join(', ')} ; je n’ai donc pas interrogé les données. Un exemple que je comprends : « Quels pays le Danube traverse-t-il ? »`;
    case 'zh':
      return `我没有理解${clean.map((part) => `“${part}”`).join('、')}，因此没有查询数据库。请换一种说法，例如“多瑙河流经哪些国家？”。`;
    case 'en':
      return `I could not apply ${clean.map((part) => `“${part}”`).join(', ')}, so I did not query the data. An example that I understand: “Which countries does the Danube flow through?”`;
  }
}
