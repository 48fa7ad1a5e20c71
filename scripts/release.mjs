/**
 * Prepares a release: `npm run release` tags the commit with the version of package.json. When the tag is pushed, `release.yml` publishes
 * it. With `--dry` it creates no tag: it builds and packs as usual, and prints what would be published, and what prevents it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packPackage } from './pack.mjs';
import { ROOT, runCommand } from './run-command.mjs';

/** @param {string} path */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** @param {readonly string[]} words */
const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();

/** @param {readonly string[]} words */
async function mustRun(...words) {
  const { code } = await runCommand(words, { live: true });
  if (code !== 0) process.exit(code);
}

/** Builds twice, because a build that depends on more than the sources cannot be verified by others. */
async function buildTwice() {
  await mustRun('npm', 'run', '--silent', 'build');
  const first = read('dist/manifest.json');
  await mustRun('npm', 'run', '--silent', 'build');
  return read('dist/manifest.json') === first;
}

/** @param {string} tag */
const tagExists = (tag) => git('tag', '--list', tag) !== '';

const isDry = process.argv.includes('--dry');
const { version, repository } = JSON.parse(read('package.json'));
const tag = `v${version}`;
const changes = git('status', '--porcelain');
const isReproducible = await buildTwice();
const packed = await packPackage();

const blockers = [
  ...(changes ? [`There are uncommitted changes:\n${changes}`] : []),
  ...(tagExists(tag) ? [`The tag ${tag} exists.`] : []),
  ...(read('CHANGELOG.md').includes(`\n## ${version}`)
    ? []
    : [`CHANGELOG.md has no section for ${version}.`]),
  ...(read('src/elements/define-element.ts').includes(`VERSION = '${version}'`)
    ? []
    : ['VERSION in src/elements/define-element.ts is another version.']),
  ...(repository
    ? []
    : [
        'package.json has no `repository`: npm does not publish with provenance, and the pictures of the README do not resolve.',
      ]),
  ...(isReproducible ? [] : ['Two builds of the same sources differ.']),
];

console.log(packed.paths.map((path) => `  ${path}`).join('\n'));
console.log(
  `ubik-elements ${version}: ${String(packed.paths.length)} files, ${String(packed.size)} bytes`,
);
if (blockers.length > 0) {
  console.log(`This version cannot be published:\n${blockers.map((one) => `- ${one}`).join('\n')}`);
  process.exit(isDry ? 0 : 1);
}
if (isDry) console.log(`\`npm run release\` would create the tag ${tag}.`);
else {
  git('tag', '--annotate', tag, '--message', `ubik-elements ${version}`);
  console.log(`Created the tag ${tag}. Publish it with: git push origin ${tag}`);
}
