import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawRunStates, listTransitions } from '../../scripts/diagrams.mjs';
import { readMarked } from '../../scripts/marked-lines.mjs';
import { RUN_TABLE, type Row } from '../../src/controller/run/run-machine.js';

test('docs/run-states.md shows the table of the state machine; `npm run diagrams` writes it', () => {
  assert.equal(readMarked('docs/run-states.md', 'diagram'), drawRunStates(RUN_TABLE));
  assert.equal(readMarked('docs/run-states.md', 'transitions'), listTransitions(RUN_TABLE));
});

test('docs/run-states.md explains every phase, event, condition and effect of the state machine', () => {
  const [explanations = ''] = readFileSync('docs/run-states.md', 'utf8').split('## Transitions');
  const firstCells = [...explanations.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const explained = new Set(firstCells.flatMap((cell) => cell.match(/[\w-]+/g) ?? []));
  const used = Object.entries(RUN_TABLE).flatMap(([phase, events]) => {
    const rows = Object.values(events).flat() as readonly Row[];
    const names = rows.flatMap((row) => [...(row.when ? [row.when.name] : []), ...(row.do ?? [])]);
    return [phase, ...Object.keys(events), ...names];
  });
  assert.deepEqual(
    [...new Set(used)].filter((name) => !explained.has(name)),
    [],
  );
});
