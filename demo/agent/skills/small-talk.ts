import type { Skill } from '../run/skill.js';
import { listSessionDocuments } from '../store/documents.js';
import { inLanguageOf } from './answer-language.js';

/** Greets the user and lists example questions, or answers thanks. */
export const greet: Skill = {
  run: async ({ run, step, database }) => {
    if (step.args['thanks'] === true) {
      await run.streamText(
        inLanguageOf(run, 'You are welcome. Feel free to ask more.', '不客气，随时可以继续提问。'),
      );
      return;
    }
    const documents = listSessionDocuments(database, run.task.session_id).length;
    const chinese = [
      '你好！我是一个按规则规划、真正执行操作的小型智能体。您可以',
      '',
      `- 询问本对话的 **${String(documents)} 个文档**，或您上传的文档，`,
      '- 询问**欧洲河流**：“多瑙河流经哪些国家？”“画一个最长河流的柱状图”，',
      '- **计算**：“12.5 乘以 4”。',
      '',
      '每个步骤之后我会设置检查点，您可以带着提示返回到那里。',
    ].join('\n');
    await run.streamText(
      inLanguageOf(
        run,
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
        chinese,
      ),
    );
  },
};
