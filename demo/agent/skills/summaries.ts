import { escapeTags, type JsonObject, textOf } from '../json.js';
import { ToolError } from '../run/run-errors.js';
import type { Skill, SkillContext } from '../run/skill.js';
import { listSessionDocuments } from '../store/documents.js';
import { listPassages } from '../store/passages.js';
import { askForDocument, findMentionedDocument, hasDeclined } from './document-choice.js';
import { recall, remember, type KnownDocument } from './memory.js';
import { bestSentences, sentencesOf } from './sentences.js';

/** Extracted main points of one document. */
interface Digest extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly place: number;
  readonly points: readonly {
    readonly text: string;
    readonly passage: string;
    readonly heading: string;
  }[];
}

/** Reads one document and stores the first sentence of each section, for at most twelve sections. */
export const readWholeDocument: Skill = {
  run: async (work) => {
    const id = textOf(work.step.args['document_id']);
    const name = textOf(work.step.args['name']);
    await readOne(work, { id, name }, Number(work.step.args['place']));
  },
};

async function readOne(work: SkillContext, document: KnownDocument, place: number): Promise<void> {
  const { run, tools, database } = work;
  const result = (await tools.call({
    name: 'read_document',
    input: { document_id: document.id, name: document.name },
    execute: async (tool) => {
      const passages = listPassages(database, document.id);
      if (passages.length === 0)
        throw new ToolError('The document has no text that could be read.');
      tool.update({
        phase: 'READING',
        status: 'started',
        data: { passage_count: passages.length },
      });
      const points = [];
      const seen = new Set<string>();
      for (const passage of passages) {
        await tool.pause(60);
        const [first] = sentencesOf(passage.text);
        if (first === undefined || seen.has(passage.heading)) continue;
        seen.add(passage.heading);
        points.push({
          text: escapeTags(first),
          passage: passage.id,
          heading: escapeTags(passage.heading),
        });
        tool.appendOutput(`${first}\n`, 'response');
      }
      tool.update({ phase: 'READING', status: 'completed' });
      return { name: document.name, points: points.slice(0, 12) };
    },
  })) as JsonObject;
  const digests = recall<readonly Digest[]>(run, 'digests') ?? [];
  const points = result['points'] as Digest['points'];
  remember(run, 'digests', [...digests, { id: document.id, name: document.name, place, points }]);
  remember(run, 'flow', 'summary');
  await run.streamOnNewLine(
    `**${escapeTags(document.name)}** has ${String(points.length)} main points.`,
  );
}

/** Asks which document to read, then reads it. */
export const askDocument: Skill = {
  run: async (work) => {
    const { run, database } = work;
    const documents = listSessionDocuments(database, run.task.session_id);
    if (hasDeclined(run)) {
      await run.streamText('Then I’ll leave it.');
      return;
    }
    const meant = findMentionedDocument(recall<string>(run, 'answer') ?? '', documents);
    if (meant === undefined) {
      return askForDocument(run, documents, 'Which document do you mean?');
    }
    delete run.progress.memory['answer'];
    await run.streamText(`You mean **${escapeTags(meant.name)}**.`);
    await readOne(work, { id: meant.id, name: meant.name }, 0);
  },
};

/** Writes the main points of each document, with citations, and how many of the documents were left out. */
export const writeSummary: Skill = {
  run: async ({ run, step }) => {
    const only = recall<readonly number[]>(run, 'only');
    const digests = chosen(recall<readonly Digest[]>(run, 'digests') ?? [], only);
    if (digests.length === 0) {
      await run.streamText('There is nothing to summarise.');
      return;
    }
    let number = 0;
    for (const [index, digest] of digests.entries()) {
      await run.streamText(`${index === 0 ? '' : '\n\n'}### ${escapeTags(digest.name)}\n`);
      for (const point of focus(digest.points, recall<string>(run, 'focus')).slice(0, 6)) {
        number += 1;
        await run.streamText(
          `\n- ${point.text} <citation id="${point.passage}">[${String(number)}]</citation>`,
        );
      }
    }
    if (only === null) await reportLeftOut(run, step, digests.length);
  },
};

/** Writes one text with the first points of each document, with citations, and how many of the documents were left out. */
export const writeNewsletter: Skill = {
  run: async ({ run, step }) => {
    const only = recall<readonly number[]>(run, 'only');
    const digests = chosen(recall<readonly Digest[]>(run, 'digests') ?? [], only);
    const names = digests.map((digest) => `**${escapeTags(digest.name)}**`).join(', ');
    await run.streamText(`## Newsletter\n\nThis issue draws on ${names}.`);
    let number = 0;
    for (const digest of digests) {
      const [lead, ...rest] = focus(digest.points, recall<string>(run, 'focus'));
      if (lead === undefined) continue;
      number += 1;
      await run.streamText(
        `\n\n### ${lead.heading === '' ? escapeTags(digest.name) : lead.heading}\n\n${lead.text} <citation id="${lead.passage}">[${String(number)}]</citation>`,
      );
      for (const point of rest.slice(0, 2)) {
        number += 1;
        await run.streamText(
          ` ${point.text} <citation id="${point.passage}">[${String(number)}]</citation>`,
        );
      }
    }
    if (only === null) await reportLeftOut(run, step, digests.length);
  },
};

async function reportLeftOut(
  run: SkillContext['run'],
  step: SkillContext['step'],
  count: number,
): Promise<void> {
  const available = Number(step.args['available'] ?? 0);
  if (available <= count) return;
  await run.streamText(
    `\n\nThese are the first ${String(count)} of ${String(available)} documents. Name others to have them summarised.`,
  );
}

function chosen(digests: readonly Digest[], only: readonly number[] | null): readonly Digest[] {
  return only === null ? digests : digests.filter((digest) => only.includes(digest.place));
}

/** Sorts points about the topic first. */
function focus(points: Digest['points'], about: string | null): Digest['points'] {
  if (about === null) return points;
  const fits = (point: Digest['points'][number]): number =>
    bestSentences(`${point.heading}. ${point.text}`, about, 1)[0]?.score ?? 0;
  return [...points].sort((one, other) => fits(other) - fits(one));
}
