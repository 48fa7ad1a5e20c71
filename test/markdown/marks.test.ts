import { expect } from '@open-wc/testing';
import { setupView, renderAtOnce } from './setup-view.js';

const mark = (key: string): Node => {
  const node = document.createElement('sup');
  node.textContent = key.slice(0, 8);
  return node;
};
const MARK = '\ue000key:1\ue001';

describe('inline mark', () => {
  it('is withheld until it is complete in every kind of block', () => {
    const texts = [
      `A fact${MARK}, and more${MARK}${MARK}.`,
      `**Bold${MARK}** and *soft*${MARK} and [link${MARK}](https://a.test/).`,
      `- item${MARK}\n- [x] task${MARK}\n\n> quote${MARK}\n\n# Head${MARK} #`,
      `| a${MARK} | b |\n|---|---|\n| c${MARK} | ${MARK} |`,
      `a[^1]${MARK}\n\n[^1]: note${MARK}\n\n    more${MARK}`,
    ];
    for (const text of texts) {
      const { box, add } = setupView({ renderMark: mark });
      for (let at = 0; at < text.length; at += 1) {
        add(text.charAt(at));
        const soFar = text.slice(0, at + 1);
        expect(box.innerHTML, soFar).to.equal(renderAtOnce(soFar, false, { renderMark: mark }));
        const shown = box.textContent.replaceAll('key:1', '');
        expect(shown, soFar).not.to.match(/[\ue000\ue001]|key?$/);
      }
    }
  });

  it('is not withheld when its start delimiter is repeated', () => {
    const { box, add } = setupView({ renderMark: mark });
    add('a \ue000b\ue000');
    expect(box.textContent.trim()).to.equal('a b');
  });

  it('is at most 4,096 characters long', () => {
    for (const [length, count] of [
      [4094, 1],
      [4095, 0],
    ] as const) {
      const text = `a \ue000${'k'.repeat(length)}\ue001 b`;
      for (const size of [1, 100, 5000]) {
        const { box, view, frames, add } = setupView({ renderMark: mark });
        for (let at = 0; at < text.length; at += size) {
          add(text.slice(at, at + size));
          if (at + size < 4096) expect(box.textContent).to.equal('a');
        }
        void view.end();
        frames.flush();
        expect(box.querySelectorAll('sup')).to.have.length(count);
        expect(box.textContent).not.to.match(/[\ue000\ue001]/);
      }
    }
  });

  it('is dropped in code, HTML and addresses', () => {
    const { box, view, frames, add } = setupView({ renderMark: mark });
    for (const text of [
      `\`code${MARK}\`\n\n`,
      `\`\`\`\nfence${MARK}\n\`\`\`\n\n`,
      `    indented${MARK}\n\n`,
      `<div title="${MARK}">${MARK}</div>\n\n`,
      `![alt${MARK}](https://a.test/x.png) [a](https://a.test/${MARK} "t${MARK}")\n\n`,
    ]) {
      for (const sign of text) add(sign);
    }
    void view.end();
    frames.flush();
    expect(box.innerHTML).not.to.match(/[\ue000\ue001]/);
    expect(box.querySelector('sup')).to.equal(null);
  });
});
