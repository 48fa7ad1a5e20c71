/**
 * Compares the gallery with the stored screenshots: `npm run visual`. `npm run visual -- --update` updates the screenshots. They are taken
 * only with the browser of `@sparticuz/chromium`, so that they are equal on every machine.
 */
import { runCommand } from './run-command.mjs';

const updates = process.argv.includes('--update');
const env = { ...process.env, ...(updates && { UPDATE_SCREENSHOTS: 'yes' }) };
const TEST = ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', '600'];
for (const step of [
  ['node', 'scripts/build.mjs', '--run-only'],
  [...TEST, 'test/visual/screenshots.visual.ts'],
]) {
  const { code } = await runCommand(step, { live: true, env });
  if (code !== 0) process.exit(code);
}
