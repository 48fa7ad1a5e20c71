import { writeFileSync } from 'node:fs';

/** Preloaded into a test of Node: writes which mutants it came by, and how often, when it ends. */
process.once('exit', () => {
  const file = process.env['UBIK_MUTANT_HITS'];
  const { ubikMutants } = /** @type {import('./switch.mjs').Place} */ (globalThis);
  if (file) writeFileSync(file, JSON.stringify([...(ubikMutants?.hits ?? [])]));
});
