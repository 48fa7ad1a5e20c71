/**
 * Compares the gallery with the pictures that are kept: `npm run visual`; `npm run visual -- --renew` keeps what it looks like now.
 * Only the browser of the package makes them, so that they are the same on every machine.
 */
import { runCommand } from './run-command.mjs';

const renews = process.argv.includes('--renew');
const env = { ...process.env, ...(renews && { RENEW_PICTURES: 'yes' }) };
const TEST = ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', '600'];
for (const step of [
  ['node', 'scripts/build.mjs', '--run-only'],
  [...TEST, 'test/visual/pictures.visual.ts'],
]) {
  const { code } = await runCommand(step, { live: true, env });
  if (code !== 0) process.exit(code);
}
