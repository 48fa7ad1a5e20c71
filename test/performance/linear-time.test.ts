import { expect } from '@open-wc/testing';
import { isExhaustive } from '../helpers/sample.js';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';
import { setupView } from '../markdown/setup-view.js';

/** Inputs that are expensive for a parser that backtracks. */
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
  'unclosed elements': (count) => '<sub>a <kbd>b '.repeat(count / 3),
  'crossing elements': (count) => '<sub>a <sup>b</sub> c</sup> '.repeat(count / 6),
  'nested disclosures': (count) =>
    '<details>\n<summary>a</summary>\n'.repeat(count / 12) + '</details>\n'.repeat(count / 12),
  'ends of disclosures': (count) => `<details>\n${'a</details>\n</details>\n'.repeat(count / 8)}`,
  alerts: (count) => '> [!NOTE]\n> a\n\n'.repeat(count / 6),
  'open comments': (count) => '<!-- '.repeat(count),
  'open marks': (count) => '\ue000a'.repeat(count),
  addresses: (count) => 'www.a@b:https:'.repeat(count / 2),
  'one long word': (count) => 'word'.repeat(count),
  'one long line': (count) => 'word '.repeat(count),
  'nested lists': (count) =>
    Array.from({ length: count / 10 }, (_, index) => `${'  '.repeat(index % 150)}- a`).join('\n'),
  rows: (count) => `| a | b |\n|---|---|\n${'| x | y |\n'.repeat(count / 20)}`,
  spaces: (count) => `${' '.repeat(count * 4)}x`,
  'spaces after text': (count) => `a${' '.repeat(count * 4)}x`,
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

async function costOf(run: () => void): Promise<number> {
  const start = await readCpuSeconds();
  run();
  return (await readCpuSeconds()) - start;
}

function renderAtOnce(text: string): void {
  const { view, frames, add } = setupView();
  add(text);
  void view.end();
  frames.flush();
}

/** Renders each piece in its own frame. Longer pieces need fewer frames, with the same growth of the cost of each. */
function renderInPieces(text: string, length = isExhaustive ? 16 : 64): void {
  const { view, frames, add } = setupView();
  for (let from = 0; from < text.length; from += length) add(text.slice(from, from + length));
  void view.end();
  frames.flush();
}

/** A factor of 2.5 for each doubling. */
const LIMIT = 2.5 * 2.5;
/** Seconds below which garbage collection outweighs the input. */
const FLOOR = 0.01;

/** Cost of four times the input relative to the input: 4 when the time is linear, 16 when it is quadratic. */
async function growth(
  make: (count: number) => string,
  run: (text: string) => void,
  count: number,
  minRounds = 1,
): Promise<number> {
  const small = make(count);
  const large = make(count * 4);
  return measureCostRatio(
    () => costOf(() => run(small)),
    () => costOf(() => run(large)),
    { limit: LIMIT, minRounds, floor: FLOOR },
  );
}

describe('rendering time of Markdown', function () {
  this.timeout(900_000);

  for (const [name, make] of Object.entries(INPUTS)) {
    it(`grows linearly with ${name}`, async () => {
      expect(await growth(make, renderAtOnce, 4000), 'at once').to.be.lessThan(LIMIT);
      expect(await growth(make, renderInPieces, 2000), 'in pieces').to.be.lessThan(LIMIT);
    });
  }

  for (const kind of [
    '',
    '<details>\n',
    '# ',
    '- ',
    '> ',
    '```\n',
    '<div>',
    '    ',
    'a | b\n--|--\n',
  ]) {
    it(`grows linearly with a line of a megabyte after ${JSON.stringify(kind)}`, async () => {
      const make = (count: number): string => kind + 'word '.repeat(count / 5);
      const inFrames = (text: string): void => renderInPieces(text, 64);
      expect(await growth(make, renderAtOnce, 250_000), 'at once').to.be.lessThan(LIMIT);
      expect(await growth(make, inFrames, 250_000), 'in pieces').to.be.lessThan(LIMIT);
    });
  }

  (isExhaustive ? it : it.skip)('fails the measurement when the time is quadratic', async () => {
    const renderRepeatedly = (text: string): void => {
      for (let end = 2048; end <= text.length; end += 2048) renderAtOnce(text.slice(0, end));
    };
    const make = (count: number): string => '**a '.repeat(count);
    // Three rounds at least, because the first small input may include compilation.
    expect(await growth(make, renderRepeatedly, 4000, 3)).to.be.greaterThan(LIMIT);
  });
});
