import { escapeTags } from '../json.js';
import { namesDocument } from '../plan/planner.js';
import { wordsOf } from '../plan/words.js';
import type { LiveRun } from '../run/live-run.js';
import { InputRequiredError } from '../run/run-errors.js';
import { inLanguageOf } from './answer-language.js';
import { recall, type KnownDocument } from './memory.js';
import { readOrdinal } from './ordinal.js';

/** Returns the document to which a text refers by its name, or by its position, such as "the second one"; undefined when it does neither. */
export function findMentionedDocument<T extends Pick<KnownDocument, 'name'>>(
  text: string,
  documents: readonly T[],
): T | undefined {
  const plain = wordsOf(text).join(' ');
  const ordinal = readOrdinal(plain, documents.length);
  return (
    documents.find(({ name }) => namesDocument(plain, name)) ??
    (ordinal === null ? undefined : documents[ordinal])
  );
}

/** Whether the user has declined to choose a document, so that the question must not be asked again. */
export function hasDeclined(run: LiveRun): boolean {
  return 'answer' in run.progress.memory && recall<string>(run, 'answer') === null;
}

/**
 * Asks the user for a document by throwing an `InputRequiredError`. After an answer that names none, first writes why the question is asked
 * again.
 */
export async function askForDocument(
  run: LiveRun,
  documents: readonly Pick<KnownDocument, 'name'>[],
  prompt: string,
): Promise<never> {
  const answer = recall<string>(run, 'answer');
  if (answer !== null) {
    const shown = escapeTags(answer.slice(0, 100));
    await run.streamText(
      inLanguageOf(
        run,
        `“${shown}” is none of the documents of this conversation, so I ask again.`,
        '此对话中没有这个文档，请再次选择。',
        {
          de: `„${shown}“ ist keines der Dokumente dieser Unterhaltung, deshalb frage ich noch einmal.`,
          fr: `« ${shown} » n’est aucun des documents de cette conversation ; je redemande donc.`,
        },
      ),
    );
  }
  throw new InputRequiredError({
    prompt,
    types: ['choice'],
    topic: 'which document',
    more: { options: documents.map(({ name }) => name) },
  });
}
