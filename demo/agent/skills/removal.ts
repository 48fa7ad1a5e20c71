import { isJsonObject, escapeTags, type Json, type JsonObject } from '../json.js';
import type { ToolAnswer } from '../store/executions.js';
import { ToolError } from '../run/run-errors.js';
import type { Skill, SkillContext } from '../run/skill.js';
import type { ToolContext } from '../run/tool-caller.js';
import { listSessionDocuments, unlinkDocument } from '../store/documents.js';
import { askForDocument, findMentionedDocument, hasDeclined } from './document-choice.js';
import { recall, remember, type KnownDocument } from './memory.js';

/**
 * Finds the document that the user refers to; asks if the text refers to none. If the user declines, the step `confirm_removal` is removed from
 * the plan.
 */
export const pickDocument: Skill = {
  run: async ({ run, database }) => {
    const documents = listSessionDocuments(database, run.task.session_id);
    if (hasDeclined(run)) {
      run.progress.steps = run.progress.steps.filter(({ skill }) => skill !== 'confirm_removal');
      return;
    }
    const answer = recall<string>(run, 'answer');
    const meant = findMentionedDocument(answer ?? run.progress.question, documents);
    if (meant === undefined) {
      const prompt = 'Which document should be removed from this conversation?';
      return askForDocument(run, documents, prompt);
    }
    delete run.progress.memory['answer'];
    remember(run, 'document', { id: meant.id, name: meant.name });
    await run.streamText(`You mean **${escapeTags(meant.name)}**.`);
  },
};

/** Asks for confirmation; if it is given, removes the document from the session. */
export const confirmRemoval: Skill = {
  run: async (work) => {
    const document = recall<KnownDocument>(work.run, 'document');
    if (document === null) throw new ToolError('No document was chosen.');
    await work.run.streamText('Removing cannot be undone by me, so I ask first.');
    const result = await work.tools.call({
      name: 'human_confirmation',
      input: { action: 'Remove from this conversation', document: document.name },
      execute: async (tool) => {
        tool.update({ phase: 'CONFIRMATION', status: 'started' });
        const question = { question: `Remove “${document.name}” from this conversation?` };
        const answer = await tool.requestInput(question, { input_types: ['boolean'] });
        return removeDocument(work, tool, answer);
      },
    });
    rememberOutcome(work, result);
  },
  resume: async (work, executionId, answer) => {
    const [outcome] = await work.tools.endResumedCalls({ executionId, answer }, (tool, given) =>
      removeDocument(work, tool, given),
    );
    rememberOutcome(work, outcome ?? null);
  },
};

async function removeDocument(
  work: SkillContext,
  tool: ToolContext,
  answer: ToolAnswer,
): Promise<Json> {
  const document = recall<KnownDocument>(work.run, 'document');
  if (answer === null) return { confirmed: false, status: 'cancelled' };
  const confirmed = isYes(answer.input);
  tool.update({ phase: 'CONFIRMATION', status: 'completed', data: { confirmed } });
  if (!confirmed || document === null) return { confirmed: false, status: 'declined' };
  await tool.pause(300);
  const removed = unlinkDocument(work.database, work.run.task.session_id, document.id);
  return { confirmed: true, status: removed ? 'removed' : 'was not linked any more' };
}

function isYes(input: Json): boolean {
  if (input === true) return true;
  if (isJsonObject(input)) return isYes(input['confirmed'] ?? input['answer'] ?? null);
  return (
    typeof input === 'string' &&
    /^\s*(?:y|yes|ok(?:ay)?|sure|oui|ja|true|proceed|confirm(?:ed)?)\b/iu.test(input)
  );
}

function rememberOutcome({ run }: SkillContext, result: Json): void {
  remember(run, 'outcome', result);
}

/** Tells the user whether the document was removed. */
export const writeRemoval: Skill = {
  run: async ({ run }) => {
    const document = recall<KnownDocument>(run, 'document');
    const outcome = recall<JsonObject>(run, 'outcome');
    const name = escapeTags(document?.name ?? 'the document');
    await run.streamText(
      outcome?.['confirmed'] === true
        ? `Done: **${name}** is no longer part of this conversation. It still exists and can be linked again.`
        : document === null
          ? 'Nothing was removed.'
          : `Nothing was removed; **${name}** stays.`,
    );
  },
};
