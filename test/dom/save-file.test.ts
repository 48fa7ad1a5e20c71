import { expect } from '@open-wc/testing';
import { saveFile } from '../../src/dom/save-file.js';

describe('saveFile', () => {
  it('keeps the object URL for a minute after the click, then revokes it', async () => {
    let tick = (): void => undefined;
    let stopped = 0;
    const clock = {
      now: () => 0,
      everySecond: (listener: () => void) => {
        tick = listener;
        return () => (stopped += 1);
      },
    };
    const originalClick = HTMLAnchorElement.prototype.click;
    const saved: HTMLAnchorElement[] = [];
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this);
    };
    saveFile(new Blob(['bytes']), 'a.txt', clock);
    HTMLAnchorElement.prototype.click = originalClick;
    const [link] = saved;
    expect(link?.download).to.equal('a.txt');
    for (let second = 1; second < 60; second += 1) tick();
    expect(await (await fetch(link?.href ?? '')).text()).to.equal('bytes');
    tick();
    const error = await fetch(link?.href ?? '').catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(TypeError);
    expect(stopped).to.equal(1);
  });
});
