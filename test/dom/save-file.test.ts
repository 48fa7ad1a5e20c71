import { expect } from '@open-wc/testing';
import { saveFile, toFileName } from '../../src/dom/save-file.js';

describe('saveFile', () => {
  it('keeps the object URL for a minute after the click, then revokes it', async () => {
    let tick = (): void => undefined;
    const timers = new Set<number>();
    const page = {
      Date: { now: () => 0 },
      setInterval: (callback: () => void) => {
        tick = callback;
        timers.add(1);
        return 1;
      },
      clearInterval: (timer: number) => void timers.delete(timer),
    };
    const originalClick = HTMLAnchorElement.prototype.click;
    const saved: HTMLAnchorElement[] = [];
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this);
    };
    saveFile(new Blob(['bytes']), 'a.txt', page);
    HTMLAnchorElement.prototype.click = originalClick;
    const [link] = saved;
    expect(link?.download).to.equal('a.txt');
    for (let second = 1; second < 60; second += 1) tick();
    expect(await (await fetch(link?.href ?? '')).text()).to.equal('bytes');
    tick();
    const error = await fetch(link?.href ?? '').catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(TypeError);
    expect(timers.size).to.equal(0);
  });
});

describe('toFileName', () => {
  it('keeps all words of a title, without characters that are invalid on some platform', () => {
    const cases: readonly [string, string][] = [
      ['Rivers/2024', 'Rivers 2024'],
      ['a\\b: "c" <d>|e*f?', 'a b c d e f'],
      [' two\n lines\u2028', 'two lines'],
      ['..', ''],
      ['v1.2', 'v1 2'],
      ['bill\u202efdp', 'bill fdp'],
      ['می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
      ['🏞'.repeat(100), '🏞'.repeat(80)],
      [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
    ];
    for (const [title, name] of cases) expect(toFileName(title)).to.equal(name);
  });
});
