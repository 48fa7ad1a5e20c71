import type { Skill } from '../run/skill.js';
import { listSessionDocuments } from '../store/documents.js';

/** Greets the user and lists example questions. */
export const greet: Skill = {
  run: async ({ run, step, database }) => {
    if (step.args['thanks'] === true) {
      await run.say('You are welcome. Ask on whenever you like.');
      return;
    }
    const documents = listSessionDocuments(database, run.task.session_id).length;
    await run.say(
      [
        'Hello. I am a small agent that plans by rules and really does the work. You can ask me',
        '',
        `- about the **${String(documents)} documents** of this conversation, or about one that you upload,`,
        '- about **European rivers**: “Which countries does the Danube flow through?”, “Draw a chart of the longest rivers”,',
        '- to **calculate**: “12.5 * (3 + 4)^2”,',
        '- to **summarise** documents, or to **remove** one (I ask first).',
        '',
        'After each step I set a checkpoint that you can go back to, with a hint.',
      ].join('\n'),
    );
  },
};
