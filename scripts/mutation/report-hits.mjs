import { writeFileSync } from 'node:fs';

/** Preloaded into a Node test: when it ends, writes how often each mutant was executed. */
process.once('exit', () => {
  const file = process.env['UBIK_MUTANT_HITS'];
  const { ubikMutants } = /** @type {import('./switch.mjs').MutantGlobals} */ (globalThis);
  if (file) writeFileSync(file, JSON.stringify([...(ubikMutants?.hits ?? [])]));
});
