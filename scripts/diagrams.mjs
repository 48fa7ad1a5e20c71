/**
 * Writes the state diagram and the table of transitions of a run to `docs/run-states.md`: `npm run diagrams`. A test fails when they are
 * out of date.
 */
import { writeMarked } from './marked-lines.mjs';

/**
 * A transition with the fields that are used: `Row` of `src/controller/run/run-machine.ts`.
 *
 * @typedef {object} Row
 * @property {Function} [when]
 * @property {string} [to]
 * @property {object} [set]
 * @property {readonly string[]} [do]
 */

/** Rows by phase and event. @typedef {Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>} RunTable */

/** Returns the name of a state in Mermaid, which does not allow dashes. @param {string} phase */
const idOf = (phase) => phase.replaceAll('-', '_');

/** Returns the diagram of the transitions that change the phase, with one line per pair of phases. @param {RunTable} table */
export function drawRunStates(table) {
  /** @type {Map<string, Set<string>>} */
  const arrows = new Map();
  for (const [from, events] of Object.entries(table)) {
    for (const [event, rows] of Object.entries(events)) {
      for (const { to } of rows) {
        // Transitions to `closed` are omitted, because most phases have one.
        if (to === undefined || to === from || to === 'closed') continue;
        const arrow = `${idOf(from)} --> ${idOf(to)}`;
        arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event));
      }
    }
  }
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> idle',
    ...[...arrows].map(([arrow, events]) => `  ${arrow}: ${[...events].join(', ')}`),
    '```',
  ].join('\n');
}

/** Formats the data that a transition sets, such as `stop: requested`. @param {object} set */
const listData = (set) =>
  Object.entries(set)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');

/** Returns the whole table: phase, event, condition, next phase, changed data, effects. @param {RunTable} table */
export function listTransitions(table) {
  const rows = Object.entries(table).flatMap(([from, events]) =>
    Object.entries(events).flatMap(([event, choices]) =>
      choices.map(
        ({ when, to, set = {}, do: effects = [] }) =>
          `| ${from} | ${event} | ${when?.name ?? ''} | ${to ?? from} | ${listData(set)} | ${effects.join(', ')} |`,
      ),
    ),
  );
  return [
    '| phase | event | condition | next phase | sets | effects |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

if (process.argv[1]?.endsWith('diagrams.mjs')) {
  // A computed specifier, which the type checker does not resolve, because scripts are checked without browser types.
  const machine = new URL('../src/controller/run/run-machine.ts', import.meta.url);
  const { RUN_TABLE } = await import(machine.href);
  writeMarked('docs/run-states.md', 'diagram', drawRunStates(RUN_TABLE));
  writeMarked('docs/run-states.md', 'transitions', listTransitions(RUN_TABLE));
}
