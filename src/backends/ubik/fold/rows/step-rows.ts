import type { Key } from '../../../../model/json.js';
import { ACTIVITY, type StepActivityFields, type StepFields } from '../../../../model/part.js';
import { readCount, readFlag, readPercent, readText } from '../../wire/fields.js';
import type { EventRow, Lane } from '../event-row.js';
import type { FoldEvent } from '../fold-event.js';
import type { MessageFold } from '../message-fold.js';

/** A step begins: its block opens at this place of the main text, and the block before it is over. */
export const stepStartedRow: EventRow = {
  lanes: (event, fold) => ['main', ...blockLanes(event), ...openSteps(fold).map(textLane)],
  isAppend: () => false,
  construct: (event) => {
    const number = readCount(event.fields, 'step');
    return number === null ? null : { kind: 'step', name: String(number) };
  },
  reduce: (event, fold) => {
    const number = readCount(event.fields, 'step');
    const fields = readStep(event, number);
    const known = number === null ? undefined : fold.step(number);
    const adopted = known && !known.byEvent && !isDone(fold, known.key) ? known.key : null;
    if (number !== null) fold.constructs.tell({ kind: 'step', name: String(number) });
    closeSteps(fold, adopted);
    if (adopted === null) fold.openStep(fields, true);
    else adopt(fold, adopted, fields);
    if (number !== null) putActivity(event, fold, number, { state: 'running', endedAt: null });
  },
};

/** How far a step is. */
export const stepProgressRow: EventRow = {
  lanes: stateLane,
  isAppend: isKnownStep,
  reduce: (event, fold) => {
    const number = readCount(event.fields, 'step');
    if (number !== null) putActivity(event, fold, number, {});
  },
};

/** A step is done: what is open in its text is closed. */
export const stepCompletedRow: EventRow = {
  lanes: blockLanes,
  isAppend: isKnownStep,
  reduce: (event, fold) => {
    const number = readCount(event.fields, 'step');
    if (number === null) return;
    putActivity(event, fold, number, { progress: 100, state: 'completed', endedAt: event.at });
    const block = fold.step(number);
    if (!block) return;
    fold.outline.set(block.key, 'state', 'completed');
    closeText(fold, block.key);
  },
};

function stateLane({ fields }: FoldEvent): readonly Lane[] {
  const number = readCount(fields, 'step');
  return number === null ? ['run'] : [`step-state:${number}`];
}

/** The step's state and its text. */
function blockLanes({ fields }: FoldEvent): readonly Lane[] {
  const number = readCount(fields, 'step');
  return number === null ? ['run'] : [`step-state:${number}`, `step:${number}`];
}

function textLane(fields: StepFields): Lane {
  return `step:${fields.number ?? 0}`;
}

function isKnownStep({ fields }: FoldEvent, fold: MessageFold): boolean {
  const number = readCount(fields, 'step');
  return (
    number === null ||
    (fold.step(number)?.count === 1 && fold.outline.get(`@step:${number}`) !== undefined)
  );
}

function readStep({ fields }: FoldEvent, number: number | null): StepFields {
  const title = readText(fields, 'description') ?? '';
  const single = readFlag(fields, 'single_step_agent') ?? false;
  return { kind: 'step', number, title, single, state: 'running' };
}

/** A block that text or an earlier chunk has opened is the one that its event tells of. */
function adopt(fold: MessageFold, key: Key, fields: StepFields): void {
  fold.outline.set(key, 'title', fields.title);
  fold.outline.set(key, 'single', fields.single);
  if (fields.number !== null) fold.setStep(fields.number, key, true);
}

function isDone(fold: MessageFold, key: Key): boolean {
  const fields = fold.outline.get(key)?.fields;
  return fields?.kind === 'step' && fields.state === 'completed';
}

function openSteps(fold: MessageFold): StepFields[] {
  return [...fold.steps()].flatMap(({ key }) => {
    const fields = fold.outline.get(key)?.fields;
    return fields?.kind === 'step' && fields.state === 'running' ? [fields] : [];
  });
}

function closeSteps(fold: MessageFold, except: Key | null): void {
  for (const { key } of fold.steps()) {
    const fields = fold.outline.get(key)?.fields;
    if (key === except || fields?.kind !== 'step' || fields.state !== 'running') continue;
    fold.outline.set(key, 'state', 'open-ended');
    closeText(fold, key);
  }
}

/** Thoughts and tools end with their step. Plain text does not: a late chunk may be the rest of its last word. */
function closeText(fold: MessageFold, step: Key): void {
  const isOpen = fold.outline.children(step).some((key) => {
    const fields = fold.outline.get(key)?.fields;
    if (fields?.kind === 'thinking') return fields.state === 'open';
    return fields?.kind === 'tool' && fields.state === 'running';
  });
  if (isOpen) fold.texts.closeOpen(step);
}

/** What an event does not say stays as it was. */
function putActivity(
  event: FoldEvent,
  fold: MessageFold,
  number: number,
  set: Partial<StepActivityFields>,
): void {
  const key = `@step:${number}`;
  const known = fold.outline.get(key)?.fields;
  const before = known?.kind === 'step-activity' ? known : null;
  const { fields } = event;
  fold.outline.put(key, ACTIVITY, {
    kind: 'step-activity',
    number,
    title: readText(fields, 'description') ?? before?.title ?? '',
    progress: readPercent(fields, 'progress') ?? before?.progress ?? null,
    status: readText(fields, 'message') ?? before?.status ?? '',
    state: before?.state ?? 'running',
    startedAt: before?.startedAt ?? event.at,
    endedAt: before?.endedAt ?? null,
    ...set,
  });
}
