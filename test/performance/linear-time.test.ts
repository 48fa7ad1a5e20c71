import { expect } from '@open-wc/testing';
import { setUpView } from '../markdown/set-up-view.js';

/** Inputs that are cheap to write and dear to read for a parser that looks back. */
const INPUTS: Readonly<Record<string, (count: number) => string>> = {
  'list markers': (count) => `${'- '.repeat(count)}x`,
  'quote markers': (count) => `${'> '.repeat(count)}x`,
  'runs of backticks': (count) => {
    let text = '';
    for (let length = 1; text.length < count * 4; length += 1) text += `${'`'.repeat(length)} `;
    return text;
  },
  'two kinds of emphasis': (count) => '*a _b '.repeat(count),
  'strong emphasis': (count) => '**a '.repeat(count),
  'emphasis in emphasis': (count) => '*a **b '.repeat(count / 2) + '** *'.repeat(count / 2),
  'links in links': (count) => '[a]('.repeat(count),
  'open brackets': (count) => '['.repeat(count * 2) + ']'.repeat(count * 2),
  'open images': (count) => '!['.repeat(count) + '[a](u)'.repeat(count / 2),
  references: (count) => '[a][b]'.repeat(count),
  definitions: (count) => '[a]: /u\n"t\n'.repeat(count / 3),
  'open tags': (count) => '<a b="'.repeat(count),
  'open comments': (count) => '<!-- '.repeat(count),
  'open marks': (count) => '\ue000a'.repeat(count),
  addresses: (count) => 'www.a@b:https:'.repeat(count / 2),
  'one long word': (count) => 'word'.repeat(count),
  'one long line': (count) => 'word '.repeat(count),
  'nested lists': (count) =>
    Array.from({ length: count / 10 }, (_, index) => `${'  '.repeat(index % 150)}- a`).join('\n'),
  rows: (count) => `| a | b |\n|---|---|\n${'| x | y |\n'.repeat(count / 20)}`,
  'lines of code': (count) => `\`\`\`\n${'some code\n'.repeat(count / 2)}`,
};

function timeOf(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function atOnce(text: string): void {
  const { view, frames, add } = setUpView();
  add(text);
  void view.end();
  frames.flush();
}

function inPieces(text: string): void {
  const { view, frames, add } = setUpView();
  const length = 512;
  for (let from = 0; from < text.length; from += length) add(text.slice(from, from + length));
  void view.end();
  frames.flush();
}

/** 2.5 for each doubling. */
const MOST = 2.5 * 2.5;

/**
 * How much dearer four times the input is: 4 when the time is linear, 16 when it is quadratic. Four short runs are held against a long
 * one, so that both take about as long and other work on the machine touches them alike. Of a fixed number of rounds the shortest time of
 * each counts: whatever else runs can only add to it.
 */
function growth(
  make: (count: number) => string,
  run: (text: string) => void,
  count: number,
  rounds = 6,
): number {
  const small = make(count);
  const large = make(count * 4);
  let short = Infinity;
  let long = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const fourTimes = timeOf(() => {
      for (let time = 0; time < 4; time += 1) run(small);
    });
    short = Math.min(short, fourTimes / 4);
    long = Math.min(
      long,
      timeOf(() => run(large)),
    );
  }
  // Below some ms the clock and the collector of garbage tell nothing.
  return long / Math.max(short, 4);
}

describe('The time that a text takes', function () {
  this.timeout(60_000);

  for (const [name, make] of Object.entries(INPUTS)) {
    it(`grows no faster than the text: ${name}`, () => {
      expect(growth(make, atOnce, 4000), 'at once').to.be.lessThan(MOST);
      expect(growth(make, inPieces, 4000), 'in pieces').to.be.lessThan(MOST);
    });
  }

  it('is caught when it is quadratic', () => {
    const drawnAnew = (text: string): void => {
      for (let end = 512; end <= text.length; end += 512) atOnce(text.slice(0, end));
    };
    const make = INPUTS['strong emphasis'];
    if (make === undefined) throw new Error('The input is gone.');
    expect(growth(make, drawnAnew, 4000, 3)).to.be.greaterThan(MOST);
  });
});
