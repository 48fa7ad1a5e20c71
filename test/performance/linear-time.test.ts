import { expect } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';
import { setupView } from '../markdown/setup-view.js';

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
  spaces: (count) => `${' '.repeat(count * 4)}x`,
  'spaces behind text': (count) => `a${' '.repeat(count * 4)}x`,
  'the end of a heading': (count) => `# a ${'#'.repeat(count * 4)}`,
  'late definitions': (count) => {
    const names = Array.from({ length: count / 8 }, (_, index) => `[r${index}]`);
    return `${names.join(' ')}\n\n${names.map((name) => `${name}: /u`).join('\n\n')}\n`;
  },
  'references to one footnote': (count) =>
    `${'word[^a] '.repeat(count / 8)}\n\n[^b]: B.\n\n[^a]: A.\n\n${'[^b] [^a] '.repeat(count / 8)}`,
  'one long row': (count) => `| a | b |\n|---|---|\n${'| x '.repeat(count)}`,
  'one long line of code': (count) => `\`\`\`\n${'word '.repeat(count)}`,
  'lines of code': (count) => `\`\`\`\n${'some code\n'.repeat(count / 2)}`,
};

/** CPU seconds of the page's main thread so far. Other work on the machine does not count. */
const cpuSeconds = (): Promise<number> => executeServerCommand('cpu-seconds');

async function costOf(run: () => void): Promise<number> {
  const start = await cpuSeconds();
  run();
  return (await cpuSeconds()) - start;
}

function atOnce(text: string): void {
  const { view, frames, add } = setupView();
  add(text);
  void view.end();
  frames.flush();
}

/** Each piece in a frame of its own. */
function inPieces(text: string, length = 16): void {
  const { view, frames, add } = setupView();
  for (let from = 0; from < text.length; from += length) add(text.slice(from, from + length));
  void view.end();
  frames.flush();
}

/** 2.5 for each doubling. */
const MOST = 2.5 * 2.5;
/** Below so many seconds the collector of garbage tells more than the input. */
const LEAST = 0.01;

/**
 * How much dearer four times the input is: 4 when the time is linear, 16 when it is quadratic. Of some rounds the least of each
 * counts; after the first `rounds` they end as soon as the growth is small enough, which more of them would not change.
 */
async function growth(
  make: (count: number) => string,
  run: (text: string) => void,
  count: number,
  rounds = 1,
): Promise<number> {
  const small = make(count);
  const large = make(count * 4);
  let short = Infinity;
  let long = Infinity;
  let grown = Infinity;
  for (let round = 0; round < rounds || (round < 12 && grown >= MOST); round += 1) {
    short = Math.min(short, await costOf(() => run(small)));
    long = Math.min(long, await costOf(() => run(large)));
    grown = long / Math.max(short, LEAST);
  }
  return grown;
}

describe('The time that a text takes', function () {
  this.timeout(900_000);

  for (const [name, make] of Object.entries(INPUTS)) {
    it(`grows no faster than the text: ${name}`, async () => {
      expect(await growth(make, atOnce, 4000), 'at once').to.be.lessThan(MOST);
      expect(await growth(make, inPieces, 2000), 'in pieces').to.be.lessThan(MOST);
    });
  }

  for (const kind of ['', '# ', '- ', '> ', '```\n', '<div>', '    ', 'a | b\n--|--\n']) {
    it(`grows no faster than a megabyte without a line break behind ${JSON.stringify(kind)}`, async () => {
      const make = (count: number): string => kind + 'word '.repeat(count / 5);
      const inFrames = (text: string): void => inPieces(text, 64);
      expect(await growth(make, atOnce, 250_000), 'at once').to.be.lessThan(MOST);
      expect(await growth(make, inFrames, 250_000), 'in pieces').to.be.lessThan(MOST);
    });
  }

  it('is caught when it is quadratic', async () => {
    const drawnAnew = (text: string): void => {
      for (let end = 2048; end <= text.length; end += 2048) atOnce(text.slice(0, end));
    };
    const make = (count: number): string => '**a '.repeat(count);
    // The first, small input may meet code that is not compiled yet, and look dear.
    expect(await growth(make, drawnAnew, 4000, 3)).to.be.greaterThan(MOST);
  });
});
