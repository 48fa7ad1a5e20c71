/**
 * Writes `dist/manifest.json`: size and SRI hash of each script and style sheet in `dist/bundle/`. With `--readme`, also writes
 * the script tag with its hash to README.md; only the script `prepack` passes this option, because the hash changes with each change of the
 * code.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { writeMarked } from './marked-lines.mjs';
import { ROOT } from './run-command.mjs';

/** @typedef {{ size: number, integrity: string }} FileEntry with the size in bytes */

const FOLDER = join(ROOT, 'dist/bundle');
const SCRIPT = 'ubik-elements.min.js';

/** @param {string} name @returns {FileEntry} */
function describeFile(name) {
  const content = readFileSync(join(FOLDER, name));
  return {
    size: content.length,
    integrity: `sha256-${createHash('sha256').update(content).digest('base64')}`,
  };
}

const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const files = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:m?js|css)$/.test(file))
    .map((file) => file.split(sep).join('/'))
    .sort()
    .map((file) => [file, describeFile(file)]),
);
const script = files.get(SCRIPT);
if (!script) throw new Error(`dist/bundle/${SCRIPT} does not exist. Run \`npm run build\` first.`);
writeFileSync(
  join(ROOT, 'dist/manifest.json'),
  `${JSON.stringify({ name, version, files: Object.fromEntries(files) })}\n`,
);
if (process.argv.includes('--readme')) {
  const address = `https://unpkg.com/${name}@${version}/dist/bundle/${SCRIPT}`;
  writeMarked(
    'README.md',
    'integrity',
    `\`\`\`html\n<script defer src="${address}" crossorigin integrity="${script.integrity}"></script>\n\`\`\``,
  );
}
