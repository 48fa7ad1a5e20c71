import { textOf } from '../json.js';
import { keywordsOf } from '../plan/words.js';
import { ToolError } from '../run/run-errors.js';
import type { Skill } from '../run/skill.js';

/** Tries to fetch a web page. The agent has no network access, so the tool fails and the run continues without it. */
export const fetchPage: Skill = {
  run: async ({ run, step, tools }) => {
    const url = textOf(step.args['url']);
    try {
      await tools.call({
        name: 'fetch_page',
        input: { url },
        execute: async (tool) => {
          tool.update({ phase: 'SCRAPING_URLS', status: 'started', data: { url_count: 1 } });
          await tool.pause(600);
          throw new ToolError('This agent has no way out to the network.');
        },
      });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await run.streamOnNewLine(
        'The page could not be read. I go on with the documents that I have.',
      );
    }
    // The URL is not searched for: it would only match passages that quote it.
    run.progress.question = run.progress.question.replace(url, ' ');
    const words = keywordsOf(run.progress.question);
    run.progress.steps = run.progress.steps.map((each) =>
      each.skill === 'find_passages' ? { ...each, args: { ...each.args, words } } : each,
    );
  },
};
