import { escapeTags, type Json, type JsonObject, textOf } from '../json.js';
import { namesDocument } from '../plan/planner.js';
import { readLimit, readMeasure, readNames, type RiverQuery } from '../plan/river-question.js';
import { keywordsOf, wordsOf } from '../plan/words.js';
import type { Skill, SkillContext } from '../run/skill.js';
import { listSessionDocuments } from '../store/documents.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { recall, remember, type KnownDocument, type KnownPassage } from './memory.js';
import { readOrdinal } from './ordinal.js';
import { queryRivers } from './rivers.js';
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
        case 'rivers':
          await hintRivers(work, rivers, hint);
          return;
        case 'summary':
          await hintSummary(work, hint, plain);
          return;
        default:
          await hintDocuments(work, hint, plain);
      }
    },
  };
}

async function hintRivers(work: SkillContext, rivers: RiverDatabase, hint: string): Promise<void> {
  const before = recall<RiverQuery & { [name: string]: Json }>(work.run, 'query');
  if (before === null) return;
  const found = readNames(hint, rivers.names);
  const plain = wordsOf(hint).join(' ');
  const query: RiverQuery = {
    ...before,
    measure: readMeasure(hint) ?? before.measure,
    limit: readLimit(hint) ?? before.limit,
    ascending: /\b(?:shortest|smallest|least)\b/u.test(plain) || before.ascending,
    countries: found.countries.length > 0 ? found.countries : before.countries,
    rivers: found.rivers.length > 0 ? found.rivers : before.rivers,
    cities: found.cities.length > 0 ? found.cities : before.cities,
    mouth: found.mouth ?? before.mouth,
  };
  await queryRivers(work, rivers, query);
}

async function hintSummary({ run }: SkillContext, hint: string, plain: string): Promise<void> {
  const digests = recall<readonly JsonObject[]>(run, 'digests') ?? [];
  const known = digests.map((digest) => ({
    id: textOf(digest['id']),
    name: textOf(digest['name']),
  }));
  const meant = findMentionedDocuments(plain, known);
  if (meant.length > 0) {
    remember(
      run,
      'only',
      meant.map((index) => Number(digests[index]?.['place'] ?? index)),
    );
    const names = meant.map((index) => escapeTags(known[index]?.name ?? ''));
    await run.streamLine(`From here on I use only ${names.join(', ')}.`);
    // Steps that read other documents are removed.
    const wanted = new Set(meant.map((index) => known[index]?.id));
    run.progress.steps = run.progress.steps.filter(
      (step, index) =>
        index <= run.progress.cursor ||
        step.skill !== 'read_document' ||
        wanted.has(textOf(step.args['document_id'])),
    );
    return;
  }
  remember(run, 'focus', hint);
  await run.streamLine(
    `What is about ${escapeTags(keywordsOf(hint).join(', ') || 'that')} comes first.`,
  );
}

async function hintDocuments(work: SkillContext, hint: string, plain: string): Promise<void> {
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
  // A hint that names documents restricts the search to them; any other hint replaces the query.
  const narrows = meant.length > 0 || added.length === 0;
  const words = narrows ? keywordsOf(run.progress.question) : added;
  const found = (await tools.call(
    searchCall(work, words, meant.length > 0 ? meant : null),
  )) as JsonObject;
  remember(run, 'passages', found['passages'] ?? []);
  if (!narrows) run.progress.question = hint;
}

/** Indexes of the documents that a hint refers to by name or position; empty if there are none. */
function findMentionedDocuments(plain: string, known: readonly KnownDocument[]): number[] {
  const named = known.flatMap((each, index) => (namesDocument(plain, each.name) ? [index] : []));
  if (named.length > 0) return named;
  if (!/\b(?:documents?|sources?|files?|only|one)\b/u.test(plain)) return [];
  const ordinal = readOrdinal(plain, known.length);
  return ordinal === null ? [] : [ordinal];
}
