import { relative, resolve } from 'node:path';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

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

/**
 * A reporter of node:test: prints failures, counts tests (not suites) and writes the tally for `npm test`.
 *
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* report(source) {
  const tally = emptyTally();
  /** Number of tests so far in the current file, where several files share a process. */
  let testsInFile = 0;
  for await (const { type, data } of source) {
    if (type === 'test:stderr' || type === 'test:stdout')
      yield /** @type {string} */ (data.message);
    if (type === 'test:pass' || type === 'test:fail') {
      const end = /** @type {TestEnd} */ (data);
      const outcome = isEmpty(end, testsInFile) ? 'failed' : outcomeOf(type, end);
      testsInFile = end.nesting === 0 ? 0 : testsInFile + 1;
      if (outcome === 'failed') yield describeFailure(end);
      if (outcome) tally[outcome] += 1;
    }
  }
  writeTally(tally);
  yield `${formatTally(tally)}\n`;
}

/**
 * @param {string} type
 * @param {TestEnd} test
 * @returns {'passed' | 'failed' | 'skipped' | undefined} undefined for an entry that is not counted
 */
function outcomeOf(type, test) {
  if (test.skip !== undefined || test.todo !== undefined) return 'skipped';
  // Suites, and parents that fail only because of their children, would count the children twice.
  if (test.details.error?.failureType === 'subtestsFailed') return undefined;
  if (test.details.type === 'suite' && type === 'test:pass') return undefined;
  // Node reports a file as a test only if it reports none of its tests: the file ended early, or has no tests.
  return type === 'test:pass' && !isFile(test) ? 'passed' : 'failed';
}

/** Whether an entry is a file that shares a process, which is a suite named like the file (`bundle-tests.mjs`). @param {TestEnd} test */
const sharesProcess = ({ name, details }) => details.type === 'suite' && name.endsWith('.ts');

/** Whether an entry is a file without tests that shares a process. @param {TestEnd} test @param {number} tests */
const isEmpty = (test, tests) => sharesProcess(test) && !test.details.error && tests === 0;

/** @param {TestEnd} test */
const isFile = (test) =>
  sharesProcess(test) || (test.file !== undefined && resolve(test.name) === test.file);

/** Returns the path of the source of a test file, which may be compiled (`bundle-tests.mjs`). @param {string} file */
const sourceOf = (file) =>
  relative(process.cwd(), file).replace(/^\.cache\/tests-\w+\/(.+)\.js$/, '$1.ts');

/** @param {TestEnd} test */
function describeFailure(test) {
  const { name, file = '', line = 0, details } = test;
  const location = isFile(test) ? sourceOf(name) : `${sourceOf(file)}:${String(line)}`;
  const cause = details.error?.cause;
  const error = cause instanceof Error ? cause : details.error;
  const text = error?.stack ?? (isFile(test) ? 'No test of this file ran to its end.' : 'failed');
  return `\n✖ ${isFile(test) ? sourceOf(name) : name}\n  ${location}\n${indent(text)}\n`;
}

/** @param {string} text */
const indent = (text) => text.slice(0, 4000).replace(/^/gm, '  ');
