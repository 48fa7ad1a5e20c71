/**
 * Draws the states of a run from the table of the state machine into `docs/run-states.md`: `npm run diagrams`. A test fails when the
 * drawing is out of date.
 */
import { writeMarked } from './marked-lines.mjs';

/** @typedef {typeof import('../src/controller/run/run-machine.js')['RUN_TABLE']} RunTable */

/** Mermaid has no dashes in names of states. @param {string} phase */
const idOf = (phase) => phase.replaceAll('-', '_');

/** The transitions that change the phase, those of one pair of phases in one line. @param {RunTable} table */
export function drawRunStates(table) {
  /** @type {Map<string, Set<string>>} */
  const arrows = new Map();
  for (const [from, events] of Object.entries(table)) {
    for (const [event, rows] of Object.entries(events)) {
      for (const { to } of /** @type {readonly { to?: string }[]} */ (rows)) {
        // Every phase can be closed with its thread.
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

/** The whole table: phase, event, next phase, effects. @param {RunTable} table */
export function listTransitions(table) {
  const rows = Object.entries(table).flatMap(([from, events]) =>
    Object.entries(events).flatMap(([event, choices]) =>
      /** @type {readonly import('../src/controller/run/run-machine.js').Row[]} */ (choices).map(
        ({ when, to, do: effects = [] }) =>
          `| ${from} | ${event} | ${when?.name ?? ''} | ${to ?? from} | ${effects.join(', ')} |`,
      ),
    ),
  );
  return [
    '| phase | event | condition | next phase | effects |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

if (process.argv[1]?.endsWith('diagrams.mjs')) {
  const { RUN_TABLE } = await import('../src/controller/run/run-machine.js');
  writeMarked('docs/run-states.md', 'diagram', drawRunStates(RUN_TABLE));
  writeMarked('docs/run-states.md', 'transitions', listTransitions(RUN_TABLE));
}
