import { expect } from '@open-wc/testing';
import { part, setupStage, text } from './message-stage.js';

const COUNT = 450;
const checkpoint = (index: number) =>
  part(`checkpoint:${String(index)}`, { kind: 'checkpoint', name: `point ${String(index)}` });

describe('a message of very many parts', () => {
  it('shows the first ones at once and the rest in the coming frames, in order', () => {
    const { take, root, frames } = setupStage();
    take(...Array.from({ length: COUNT }, (_, index) => checkpoint(index)));
    const shown = (): string[] =>
      [...root.querySelectorAll('[part~=checkpoint]')].map(({ textContent }) => textContent.trim());
    expect(shown().length).to.be.within(50, 200);
    const first = shown();
    frames.frame(1);
    expect(shown().length).to.be.within(first.length + 1, COUNT - 1);
    frames.flush();
    expect(shown()).to.have.length(COUNT);
    expect(shown().slice(0, first.length)).to.deep.equal(first);
    shown().forEach((words, index) => expect(words).to.contain(`point ${String(index)}`));
  });

  it('shows parts at their places that come while it is not whole', () => {
    const { take, root, frames } = setupStage();
    take(
      ...Array.from({ length: COUNT }, (_, index) => checkpoint(index)),
      part('late', { kind: 'text' }, null, 'checkpoint:400'),
      text('late', 'Late words'),
      part('early', { kind: 'text' }, null, 'checkpoint:1'),
      text('early', 'Early words'),
    );
    frames.flush();
    const nodes = [...root.querySelectorAll('[part~=checkpoint], [part~=text]')];
    const at = (words: string): number =>
      nodes.findIndex(({ textContent }) => textContent.includes(words));
    expect(at('Early words')).to.equal(1);
    expect(at('Late words')).to.equal(401);
    expect(nodes).to.have.length(COUNT + 2);
  });
});
