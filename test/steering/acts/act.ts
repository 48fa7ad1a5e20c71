import type { GatePoint } from '../../../demo/agent/run/gate.js';
import { pickIndex, pickOne, type Random } from '../../helpers/seeded-random.js';
import type { Tab } from '../world/tab.js';
import type { World } from '../world/world.js';

/** One thing that a person, or chance, does. */
export interface Act {
  /** How often it is done, beside the others. */
  readonly weight: number;
  /** Its arguments, chosen by chance. */
  readonly choose?: (random: Random) => string[];
  /** Does it, as far as there is anything to do it to. */
  do(world: World, tab: Tab, ...args: string[]): void | Promise<void>;
}

/** Questions by their kind; each holds a word of its own. */
const QUESTIONS: ReadonlyMap<string, (word: string) => string> = new Map([
  ['hello', (word) => `Hello ${word}`],
  ['sum', (word) => `What is 1 + ${word.slice(1)}?`],
  ['failing', (word) => `What is ${word.slice(1)} / 0?`],
  ['rivers', (word) => `Which are the longest rivers, ${word}?`],
  ['asking', (word) => `Which is the biggest river, ${word}?`],
  ['tool', (word) => `Ask me for text and number, ${word}`],
  ['search', (word) => `How does an answer survive a broken network, ${word}?`],
]);
const KINDS = [...QUESTIONS.keys()];
/** Where runs are held; mostly nowhere. */
export const HOLDS = ['-', '-', '-', 'start', 'step', 'tool', 'text', 'end'];

/** A number that chooses one of a list. */
export const number = (random: Random): string => `${pickIndex(random, 6)}`;
/** The same as arguments. */
export const aNumber = (random: Random): string[] => [number(random)];
/** A kind of question, and where its run is held. */
export const question = (random: Random): string[] => [
  pickOne(random, KINDS),
  pickOne(random, HOLDS),
];

/** One of a list by a number that may be too large; undefined when there is none. */
export function pick<T>(items: readonly T[], which = '0'): T | undefined {
  return items[Number(which) % items.length];
}

/** The text of a question that nobody has asked yet. */
export function ask(world: World, kind: string): { readonly text: string; readonly word: string } {
  const word = world.word();
  return { text: QUESTIONS.get(kind)?.(word) ?? word, word };
}

/** Holds the runs of the person at a point. */
export function hold({ service, person }: World, point: string): void {
  if (point !== '-') service.gates.hold(person, point as GatePoint);
}
