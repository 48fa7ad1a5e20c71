import { escapeTags, type Json, type JsonObject, textOf } from '../json.js';
import { namesDocument } from '../plan/planner.js';
import { readDataQuestion, type DataQuestion } from '../plan/data-question.js';
import { keywordsOf, wordsOf } from '../plan/words.js';
import type { DataQuery } from '../query/query.js';
import { tableOf } from '../query/schema.js';
import type { Skill, SkillContext } from '../run/skill.js';
import { listSessionDocuments } from '../store/documents.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { inLanguageOf } from './answer-language.js';
import { queryData } from './data.js';
import { recall, remember, type KnownDocument, type KnownPassage } from './memory.js';
import { readOrdinal } from './ordinal.js';
import { searchCall } from './search.js';

/** Applies the user's hint for a restored checkpoint to the following steps. */
export function createTakeHint(rivers: RiverDatabase): Skill {
  return {
    run: async (work) => {
      const { run, step } = work;
      const hint = textOf(step.args['hint']);
      await run.streamText(
        `<<thinking>>\nBack at this point I was told: “${escapeTags(hint)}”.\n<</thinking>>`,
      );
      const plain = wordsOf(hint).join(' ');
      if (/\b(?:short|shorter|brief|briefly|one sentence|less)\b/u.test(plain))
        remember(run, 'quotes', 1);
      if (/\b(?:more|longer|detail(?:s|ed)?)\b/u.test(plain)) remember(run, 'quotes', 8);
      switch (recall<string>(run, 'flow')) {
        case 'data':
          await applyToData(work, rivers, hint);
          return;
        case 'summary':
          await applyToSummary(work, hint, plain);
          return;
        default:
          await applyToSearch(work, hint, plain);
      }
    },
  };
}

/** Words such as "only", which mark a hint as a restriction and are left out when it is read. */
const RESTRICTION = /(?<!\p{L})(?:only|just|nur|seulement|uniquement)(?!\p{L})/giu;

/** Combines the question of the run with the conditions, the measure and the number of rows of the hint. */
async function applyToData(work: SkillContext, rivers: RiverDatabase, hint: string): Promise<void> {
  const { run } = work;
  const before = recall<Json>(run, 'question') as unknown as DataQuestion | null;
  if (before === null) return;
  const noun = tableOf(rivers.schema, before.query.table).many.en;
  const plain = hint.replaceAll(RESTRICTION, ' ');
  const read = [plain, `${plain} ${noun}`]
    .map((text) => readDataQuestion(text, [{ id: null, schema: rivers.schema }]))
    .find((reading) => reading.kind === 'query');
  const added = read?.kind === 'query' ? read.question.query : null;
  if (added === null || before.source !== null || added.table !== before.query.table) {
    await run.streamOnNewLine(
      inLanguageOf(
        run,
        `I could not apply “${escapeTags(hint)}” to the data, so the answer stays.`,
        `我无法将“${escapeTags(hint)}”用于数据，因此回答不变。`,
      ),
    );
    return;
  }
  await queryData(work, rivers, { ...before, query: combine(before.query, added) });
}

function combine(before: DataQuery, added: DataQuery): DataQuery {
  const filters = [...before.filters, ...added.filters];
  const { show } = added;
  if (show.kind === 'rows' || show.kind === 'count') return { ...before, filters };
  if (show.kind !== 'rank' || before.show.kind !== 'rank') return { ...before, filters, show };
  const concept = show.concept ?? before.show.concept;
  return { ...before, filters, show: { ...show, concept } };
}

/** A document that the plan reads, with its place in the summary. */
interface PlannedDocument {
  readonly id: string;
  readonly name: string;
  readonly place: number;
}

/**
 * The documents of the plan, those already read and those still to be read: a hint at the first checkpoint may refer to a document that is read
 * later.
 */
function listPlannedDocuments({ run }: SkillContext): PlannedDocument[] {
  const read = (recall<readonly JsonObject[]>(run, 'digests') ?? []).map((digest) => ({
    id: textOf(digest['id']),
    name: textOf(digest['name']),
    place: Number(digest['place'] ?? 0),
  }));
  const planned = run.progress.steps
    .filter((step) => step.skill === 'read_document')
    .map(({ args }) => ({
      id: textOf(args['document_id']),
      name: textOf(args['name']),
      place: Number(args['place'] ?? 0),
    }));
  const missing = planned.filter(({ id }) => read.every((each) => each.id !== id));
  return [...read, ...missing].sort((one, other) => one.place - other.place);
}

async function applyToSummary(work: SkillContext, hint: string, plain: string): Promise<void> {
  const { run } = work;
  const known = listPlannedDocuments(work);
  const meant = findMentionedDocuments(plain, known).flatMap((index) => known[index] ?? []);
  if (meant.length > 0) {
    remember(
      run,
      'only',
      meant.map(({ place }) => place),
    );
    const names = meant.map(({ name }) => escapeTags(name));
    await run.streamOnNewLine(`From here on I use only ${names.join(', ')}.`);
    // Steps that read other documents are removed.
    const wanted = new Set(meant.map(({ id }) => id));
    run.progress.steps = run.progress.steps.filter(
      (step, index) =>
        index <= run.progress.cursor ||
        step.skill !== 'read_document' ||
        wanted.has(textOf(step.args['document_id'])),
    );
    return;
  }
  remember(run, 'focus', hint);
  await run.streamOnNewLine(
    `What is about ${escapeTags(keywordsOf(hint).join(', ') || 'that')} comes first.`,
  );
}

async function applyToSearch(work: SkillContext, hint: string, plain: string): Promise<void> {
  const { run, database, tools } = work;
  const passages = recall<readonly KnownPassage[]>(run, 'passages') ?? [];
  const sources = new Map(passages.map((passage) => [passage.document_id, passage.document]));
  const linked = listSessionDocuments(database, run.task.session_id);
  // "The second document" refers to the sources of the answer; a name may be that of any linked document.
  const known: KnownDocument[] = [
    ...[...sources].map(([id, name]) => ({ id, name })),
    ...linked.filter((each) => !sources.has(each.id)).map(({ id, name }) => ({ id, name })),
  ];
  const meant = findMentionedDocuments(plain, known).map((index) => known[index]?.id ?? '');
  const added = keywordsOf(hint);
  // A hint that names documents restricts the search to them; the keywords of any other hint replace the query.
  const narrows = meant.length > 0 || added.length === 0;
  const words = narrows ? keywordsOf(run.progress.question) : added;
  const found = (await tools.call(
    searchCall(work, words, meant.length > 0 ? meant : null),
  )) as JsonObject;
  remember(run, 'passages', found['passages'] ?? []);
  if (!narrows) run.progress.question = hint;
}

/** Indexes of the documents that a hint refers to by name or position; empty if there are none. */
function findMentionedDocuments(
  plain: string,
  known: readonly { readonly name: string }[],
): number[] {
  const named = known.flatMap((each, index) => (namesDocument(plain, each.name) ? [index] : []));
  if (named.length > 0) return named;
  if (!/\b(?:documents?|sources?|files?|only|one)\b/u.test(plain)) return [];
  const ordinal = readOrdinal(plain, known.length);
  return ordinal === null ? [] : [ordinal];
}
