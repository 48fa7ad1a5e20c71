import { relative, resolve } from 'node:path';
import { emptyTally, printTally, writeTally } from './tally.mjs';

/**
 * @typedef {object} TestEnd
 * @property {string} name
 * @property {string} [file]
 * @property {number} [line]
 * @property {number} nesting
 * @property {string | boolean} [skip]
 * @property {string | boolean} [todo]
 * @property {{ type?: string, error?: Error & { failureType?: string } }} details
 */

/** A reporter of node:test: prints what failed, counts tests (not suites) and writes the tally for `npm test`. */
/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* report(source) {
  const tally = emptyTally();
  /** Tests of the file of a group that runs. */
  let ofFile = 0;
  for await (const { type, data } of source) {
    if (type === 'test:stderr' || type === 'test:stdout')
      yield /** @type {string} */ (data.message);
    if (type === 'test:pass' || type === 'test:fail') {
      const end = /** @type {TestEnd} */ (data);
      const outcome = isEmpty(end, ofFile) ? 'failed' : judge(type, end);
      ofFile = end.nesting === 0 ? 0 : ofFile + 1;
      if (outcome === 'failed') yield describeFailure(end);
      if (outcome) tally[outcome] += 1;
    }
  }
  writeTally(tally);
  yield `${printTally(tally)}\n`;
}

/**
 * @param {string} type
 * @param {TestEnd} test
 * @returns {'passed' | 'failed' | 'skipped' | undefined} undefined for what is no test of its own
 */
function judge(type, test) {
  if (test.skip !== undefined || test.todo !== undefined) return 'skipped';
  // A parent that fails only because of its children, and a suite, would count the same thing twice.
  if (test.details.error?.failureType === 'subtestsFailed') return undefined;
  if (test.details.type === 'suite' && type === 'test:pass') return undefined;
  // Node reports a file itself only when none of its tests was reported: it ended early, or it holds none.
  return type === 'test:pass' && !isFile(test) ? 'passed' : 'failed';
}

/** A file that shares its process is a suite with its name (`bundle-tests.mjs`). @param {TestEnd} test */
const isSharing = ({ name, details }) => details.type === 'suite' && name.endsWith('.ts');

/** A file that shares its process and holds no test. @param {TestEnd} test @param {number} tests */
const isEmpty = (test, tests) => isSharing(test) && !test.details.error && tests === 0;

/** @param {TestEnd} test */
const isFile = (test) =>
  isSharing(test) || (test.file !== undefined && resolve(test.name) === test.file);

/** Where the source of a test lies, compiled or not (`bundle-tests.mjs`). @param {string} file */
const sourceOf = (file) =>
  relative(process.cwd(), file).replace(/^\.cache\/tests-\w+\/(.+)\.js$/, '$1.ts');

/** @param {TestEnd} test */
function describeFailure(test) {
  const { name, file = '', line = 0, details } = test;
  const place = isFile(test) ? sourceOf(name) : `${sourceOf(file)}:${String(line)}`;
  const cause = details.error?.cause;
  const error = cause instanceof Error ? cause : details.error;
  const text = error?.stack ?? (isFile(test) ? 'No test of this file ran to its end.' : 'failed');
  return `\n✖ ${isFile(test) ? sourceOf(name) : name}\n  ${place}\n${indent(text)}\n`;
}

/** @param {string} text */
const indent = (text) => text.slice(0, 4000).replace(/^/gm, '  ');
