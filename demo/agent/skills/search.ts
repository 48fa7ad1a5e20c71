import type { JsonObject } from '../json.js';
import { keywordsOf, stemOf, wordsOf } from '../plan/words.js';
import type { Skill, SkillContext } from '../run/skill.js';
import type { ToolCall } from '../run/tool-caller.js';
import { listSessionDocuments } from '../store/documents.js';
import { searchPassages, type FoundPassage } from '../store/passages.js';
import { escapeTags } from '../json.js';
import { answerLanguageOf } from '../plan/data-question.js';
import { detectOtherLanguage, NOT_READ_SENTENCES } from '../query/languages.js';
import type { LiveRun } from '../run/live-run.js';
import { inLanguageOf } from './answer-language.js';
import { writeUnclearParts } from './unclear-parts.js';
import { recall, remember, type KnownPassage } from './memory.js';
import { bestExcerpt, bestSentences, coverageOf, isRelevant } from './sentences.js';

/** Searches passages by the keywords of the step. */
export const findPassages: Skill = {
  run: async ({ run, step, tools, database }) => {
    const words = step.args['words'] as readonly string[];
    const documents = step.args['documents'] as readonly string[] | null;
    await run.streamText(
      inLanguageOf(
        run,
        `<<thinking>>\nThe question is about ${escapeTags(words.slice(0, 6).join(', ') || 'nothing that I can look up')}. I look for passages that hold these words, rare words counting more.\n<</thinking>>`,
        '<<thinking>>\n我在文档中查找含有这些词语的段落，少见的词语权重更高。\n<</thinking>>',
      ),
    );
    const call = searchCall({ run, step, tools, database }, words, documents);
    const found = (await tools.call(call)) as JsonObject;
    remember(run, 'passages', found['passages'] ?? []);
    remember(run, 'flow', 'documents');
  },
};

/** Creates a call of the search tool. */
export function searchCall(
  { run, database }: SkillContext,
  words: readonly string[],
  documents: readonly string[] | null,
): ToolCall {
  const query = words.join(' ');
  return {
    name: 'search_documents',
    input: documents === null ? { query } : { query, document_ids: documents },
    execute: async (tool) => {
      const sessionId = run.task.session_id;
      tool.update({ phase: 'SEARCH_PREPARATION', status: 'started', query });
      await tool.pause(250);
      const search = { sessionId, words, documentIds: documents, limit: 24 };
      const found = searchPassages(database, search);
      tool.update({
        phase: 'RETRIEVAL',
        status: 'completed',
        data: { retrieved_count: found.length },
      });
      await tool.pause(350);
      const kept = rerank(found, words).slice(0, 6);
      tool.update({
        phase: 'RERANKING',
        status: 'completed',
        data: {
          initial_count: found.length,
          reranked_count: found.length,
          kept_count: kept.length,
        },
      });
      await tool.pause(200);
      return {
        query,
        searched_documents: listSessionDocuments(database, sessionId).length,
        passages: kept.map(toKnownPassage),
      };
    },
  };
}

/** Ranks passages by the number of distinct keywords, two points each, plus their BM25 score. */
function rerank(found: readonly FoundPassage[], words: readonly string[]): FoundPassage[] {
  const stems = words.map(stemOf);
  const score = (passage: FoundPassage): number => {
    const own = new Set(wordsOf(`${passage.heading} ${passage.text}`).map(stemOf));
    // SQLite's BM25 scores are negative; the best one is the lowest.
    return stems.filter((stem) => own.has(stem)).length * 2 - passage.score;
  };
  return [...found].sort((one, other) => score(other) - score(one));
}

function toKnownPassage(passage: FoundPassage): KnownPassage {
  return {
    id: passage.id,
    document_id: passage.document_id,
    document: passage.document_name,
    page: passage.page,
    heading: passage.heading,
    text: passage.text,
  };
}

/** Keeps those of the found passages that are relevant to the question. */
export const filterPassages: Skill = {
  run: async ({ run, step }) => {
    const required = (step.args['required'] ?? []) as readonly string[];
    const passages = recall<readonly KnownPassage[]>(run, 'passages') ?? [];
    const searchWords = searchWordsOf(run.progress.question, run.progress.hint);
    for (const [index, passage] of passages.entries()) {
      const percent = Math.round(((index + 1) / passages.length) * 100);
      run.emit('agent_step_progress', {
        step: run.step,
        progress: percent,
        message: `Weighing ${passage.document}`,
      });
      await run.pause(120);
    }
    const fitting = passages.filter(
      (passage) =>
        bestSentences(passage.text, searchWords, 1).length > 0 &&
        isRelevant({ title: titleOf(passage), text: passage.text }, searchWords, required),
    );
    remember(run, 'passages', fitting);
    const documents = new Set(fitting.map((passage) => passage.document));
    await run.streamText(
      fitting.length === 0
        ? inLanguageOf(
            run,
            'None of the passages answers the question.',
            '没有段落能回答这个问题。',
            {
              de: 'Keine Stelle beantwortet die Frage.',
              fr: 'Aucun passage ne répond à la question.',
            },
          )
        : inLanguageOf(
            run,
            `${count(fitting.length, 'passage')} from ${count(documents.size, 'document')} can answer the question.`,
            `${String(documents.size)} 个文档中的 ${String(fitting.length)} 个段落可以回答这个问题。`,
            {
              de: `Passende Stellen: ${String(fitting.length)}, Dokumente: ${String(documents.size)}.`,
              fr: `Passages pertinents : ${String(fitting.length)}, documents : ${String(documents.size)}.`,
            },
          ),
    );
  },
};

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns the keywords of the question and of the hint, separated by spaces. */
export function searchWordsOf(question: string, hint: string | null): string {
  return keywordsOf(`${question} ${hint ?? ''}`).join(' ');
}

/** The words that say what a passage is about: the name of its document and its heading. */
function titleOf(passage: KnownPassage): string {
  return `${passage.document.replaceAll(/[-_.]/gu, ' ')} ${passage.heading}`;
}

/** Answers with sentences from the passages, each with a citation. */
export const answerFromPassages: Skill = {
  run: async ({ run, step }) => {
    const passages = recall<readonly KnownPassage[]>(run, 'passages') ?? [];
    const searchWords = searchWordsOf(run.progress.question, null);
    const limit = recall<number>(run, 'quotes') ?? 4;
    const quotes = chooseQuotes(passages, searchWords, limit);
    if (quotes.length === 0) {
      const unclear = (step.args['unclear'] ?? []) as readonly string[];
      await run.streamText(writeNothingFound(run, unclear));
      return;
    }
    const names = [...new Set(quotes.map((quote) => quote.passage.document))];
    const english = `This is what ${listNames(names)} ${names.length === 1 ? 'says' : 'say'}:\n\n`;
    const bold = names.map((name) => `**${escapeTags(name)}**`).join('、');
    await run.streamText(
      inLanguageOf(run, english, `${bold} 中的相关内容：\n\n`, {
        de: `Das steht in ${names.map((name) => `**${escapeTags(name)}**`).join(', ')}:\n\n`,
        fr: `Voici ce que disent ${names.map((name) => `**${escapeTags(name)}**`).join(', ')} :\n\n`,
      }),
    );
    for (const [index, { text, passage }] of quotes.entries()) {
      const mark = `<citation id="${passage.id}">[${String(index + 1)}]</citation>`;
      await run.streamText(`${index === 0 ? '' : '\n\n'}> ${text} ${mark}`);
    }
    const places = quotes.map(
      ({ passage }, index) => `${String(index + 1)}. ${citationOf(passage)}`,
    );
    await run.streamText(
      `\n\n**${inLanguageOf(run, 'Sources', '来源', { de: 'Quellen' })}**\n\n${places.join('\n')}`,
    );
  },
};

/** Returns up to `limit` quotations, one for each relevant passage, best first; omits those with less than half of the best score. */
function chooseQuotes(
  passages: readonly KnownPassage[],
  question: string,
  limit: number,
): { text: string; passage: KnownPassage }[] {
  const scored = passages
    .map((passage) => ({
      passage,
      text: excerptOf(passage, question),
      score:
        coverageOf(`${passage.heading} ${passage.text}`, question) +
        coverageOf(passage.heading, question) / 2,
    }))
    .filter((quote) => quote.text !== '')
    .sort((one, other) => other.score - one.score);
  const least = (scored[0]?.score ?? 0) / 2;
  return scored.filter((quote) => quote.score >= least).slice(0, limit);
}

/**
 * Chooses the excerpt by those words of the question that are not in the title of the passage, because every sentence of the passage is
 * about the words of its title. If no sentence has one, chooses by all words of the question and the heading.
 */
function excerptOf(passage: KnownPassage, question: string): string {
  const title = new Set(wordsOf(titleOf(passage)).map(stemOf));
  const specific = keywordsOf(question).filter((word) => !title.has(stemOf(word)));
  const excerpt = bestExcerpt(passage.text, specific.join(' '));
  return excerpt === '' ? bestExcerpt(passage.text, `${question} ${passage.heading}`) : excerpt;
}

function citationOf(passage: KnownPassage): string {
  const page = passage.page === null ? '' : `, page ${String(passage.page)}`;
  const heading = passage.heading === '' ? '' : `, “${escapeTags(passage.heading)}”`;
  return `${escapeTags(passage.document)}${heading}${page}`;
}

/** Joins names, in bold, for use in an English sentence. */
export function listNames(names: readonly string[]): string {
  const bold = names.map((name) => `**${escapeTags(name)}**`);
  if (bold.length <= 1) return bold[0] ?? '';
  return `${bold.slice(0, -1).join(', ')} and ${bold.at(-1) ?? ''}`;
}

/** Returns the sentence that says that nothing was found, or that names the parts of a question about data that were not understood. */
function writeNothingFound(run: LiveRun, unclear: readonly string[]): string {
  const { question, hint } = run.progress;
  if (unclear.length > 0) return writeUnclearParts(unclear, answerLanguageOf(question));
  const other = detectOtherLanguage(question);
  if (other !== null) return NOT_READ_SENTENCES[other];
  const where =
    hint === null ? 'in the documents of this conversation' : 'where you told me to look';
  return inLanguageOf(
    run,
    `I found nothing about that ${where}. You can upload a document that knows more, or ask about European rivers: for example “Which countries does the Danube flow through?”`,
    '文档中没有相关内容。您可以上传文档，或询问欧洲河流，例如“多瑙河流经哪些国家？”。',
    {
      de: 'Dazu habe ich in den Dokumenten dieser Unterhaltung nichts gefunden. Sie können ein Dokument hochladen oder nach Flüssen in Europa fragen, zum Beispiel: „Durch welche Länder fließt die Donau?“',
      fr: 'Je n’ai rien trouvé à ce sujet dans les documents de cette conversation. Vous pouvez déposer un document ou poser une question sur les fleuves d’Europe, par exemple : « Quels pays le Danube traverse-t-il ? »',
    },
  );
}
