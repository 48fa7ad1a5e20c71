import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawRunStates, listTransitions } from '../../scripts/diagrams.mjs';
import { readMarked } from '../../scripts/marked-lines.mjs';
import { RUN_TABLE } from '../../src/controller/run/run-machine.js';

test('docs/run-states.md shows the table of the state machine; `npm run diagrams` writes it', () => {
  assert.equal(readMarked('docs/run-states.md', 'diagram'), drawRunStates(RUN_TABLE));
  assert.equal(readMarked('docs/run-states.md', 'transitions'), listTransitions(RUN_TABLE));
});
