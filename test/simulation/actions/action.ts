import type { PausePoint } from '../../../demo/agent/run/pause-points.js';
import { pickIndex, pickOne, type Random } from '../../helpers/seeded-random.js';
import type { Tab } from '../world/tab.js';
import type { World } from '../world/world.js';

/** An action of the user, a fault of the network or of the page, or the release of held runs. */
export interface Action {
  /** Its probability relative to the others. */
  readonly weight: number;
  /** Chooses its arguments at random. */
  readonly choose?: (random: Random) => string[];
  /** Executes it. Does nothing when there is no target. */
  execute(world: World, tab: Tab, ...args: string[]): void | Promise<void>;
}

/** Questions by kind. Each contains a unique word, or its number (`q12`: 12). */
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
/** Points at which runs are held. `-`, none, is listed three times, so that it is chosen more often. */
export const HOLD_POINTS = ['-', '-', '-', 'start', 'step', 'tool', 'text', 'end'];

/** Chooses an index for {@link pick}. */
export const chooseNumber = (random: Random): string => `${pickIndex(random, 6)}`;
/** Chooses an index for {@link pick} as the only argument. */
export const chooseNumberArgument = (random: Random): string[] => [chooseNumber(random)];
/** Chooses a kind of question and the point at which its run is held. */
export const chooseQuestion = (random: Random): string[] => [
  pickOne(random, KINDS),
  pickOne(random, HOLD_POINTS),
];
/** Chooses a kind of question as the only argument: a queued message starts no run yet, so none is held. */
export const chooseKind = (random: Random): string[] => chooseQuestion(random).slice(0, 1);

/** An item by an index that wraps around at the end of the list; undefined when the list is empty. */
export function pick<T>(items: readonly T[], which = '0'): T | undefined {
  return items[Number(which) % items.length];
}

/** Creates a unique question of a kind. */
export function createQuestion(
  world: World,
  kind: string,
): { readonly text: string; readonly word: string } {
  const word = world.createWord();
  return { text: QUESTIONS.get(kind)?.(word) ?? word, word };
}

/** Holds the runs of the user at a point; `-` holds none. */
export function holdRuns({ service, user }: World, point: string): void {
  if (point !== '-') service.pauses.hold(user, point as PausePoint);
}
