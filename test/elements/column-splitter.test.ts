import { expect } from '@open-wc/testing';
import { resetMouse, sendMouse } from '@web/test-runner-commands';
import { ColumnSplitter } from '../../src/elements/sides/column-splitter.js';
import { readColumnState } from '../../src/elements/sides/column-state.js';

/** A column of 300 px in a chat of 1,000 px. */
function setup({ side = 'start', dir = 'ltr', canCollapse = true } = {}) {
  const chat = document.body.appendChild(document.createElement('div'));
  const column = chat.appendChild(document.createElement('div'));
  chat.dir = dir;
  chat.style.width = '1000px';
  column.className = side;
  column.style.cssText = 'position: relative; width: var(--_side-width, 300px)';
  let changes = 0;
  const splitter = new ColumnSplitter(column, () => (changes += 1), canCollapse);
  return {
    column,
    splitter,
    changes: () => changes,
    /** Presses a key and returns whether it was handled. */
    press: (key: string, init: KeyboardEventInit = {}): boolean =>
      !splitter.node.dispatchEvent(
        new KeyboardEvent('keydown', { key, cancelable: true, ...init }),
      ),
    remove: () => chat.remove(),
  };
}

describe('splitter of a column', () => {
  for (const [side, dir, wider] of [
    ['start', 'ltr', 'ArrowRight'],
    ['end', 'ltr', 'ArrowLeft'],
    ['start', 'rtl', 'ArrowLeft'],
    ['end', 'rtl', 'ArrowRight'],
  ] as const) {
    it(`makes the column at the ${side} wider with ${wider} in a ${dir} page`, () => {
      const { changes, column, press, remove, splitter } = setup({ side, dir });
      expect(press(wider)).to.equal(true);
      expect([column.offsetWidth, splitter.state.width, changes()]).to.deep.equal([316, 316, 1]);
      const other = wider === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
      press(other);
      press(other);
      expect([column.offsetWidth, changes()]).to.deep.equal([284, 3]);
      remove();
    });
  }

  it('keeps the column between 160 px and half of the chat', () => {
    const { column, press, remove } = setup();
    for (let turn = 0; turn < 20; turn += 1) press('ArrowRight');
    expect(column.offsetWidth).to.equal(500);
    for (let turn = 0; turn < 30; turn += 1) press('ArrowLeft');
    expect(column.offsetWidth).to.equal(160);
    remove();
  });

  it('follows a dragged pointer, and reports the change when it is released', async () => {
    for (const [side, width] of [
      ['start', 350],
      ['end', 250],
    ] as const) {
      const { changes, column, remove, splitter } = setup({ side });
      splitter.node.style.cssText = 'position: absolute; inset: 0 auto; width: 9px; height: 40px';
      column.style.height = '40px';
      const { left, top } = splitter.node.getBoundingClientRect();
      await sendMouse({ type: 'move', position: [Math.round(left) + 4, Math.round(top) + 9] });
      await sendMouse({ type: 'down' });
      await sendMouse({ type: 'move', position: [Math.round(left) + 54, Math.round(top) + 30] });
      expect([column.offsetWidth, changes()], side).to.deep.equal([width, 0]);
      await sendMouse({ type: 'up' });
      expect(changes()).to.equal(1);
      await sendMouse({ type: 'move', position: [Math.round(left) + 4, Math.round(top) + 9] });
      expect(column.offsetWidth).to.equal(width);
      await resetMouse();
      remove();
    }
  });

  it('collapses the column with Enter and with its button', () => {
    const { changes, column, press, remove, splitter } = setup();
    expect(press('Enter')).to.equal(true);
    expect(column.classList.contains('is-collapsed')).to.equal(true);
    splitter.setCollapsed(false);
    expect(column.classList.contains('is-collapsed')).to.equal(false);
    column.querySelector('button')?.click();
    expect([splitter.state.isCollapsed, changes()]).to.deep.equal([true, 3]);
    remove();
  });

  it('does not collapse a column that always stays, and ignores other keys', () => {
    const { changes, column, press, remove } = setup({ canCollapse: false });
    expect(press('Enter')).to.equal(false);
    expect(press('a')).to.equal(false);
    expect(column.querySelector('button')).to.equal(null);
    expect(changes()).to.equal(0);
    remove();
  });

  it('leaves keys with a modifier to the browser, such as Alt and an arrow key that goes back', () => {
    const { changes, press, remove } = setup();
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey'])
      for (const key of ['ArrowLeft', 'ArrowRight', 'Enter'])
        expect(press(key, { [modifier]: true }), `${modifier} ${key}`).to.equal(false);
    expect(changes()).to.equal(0);
    remove();
  });

  it('describes the width to assistive technology', () => {
    const { column, remove, splitter } = setup();
    const { node } = splitter;
    const values = () => [node.ariaValueMin, node.ariaValueNow, node.ariaValueMax];
    splitter.applyState({});
    expect(values()).to.deep.equal(['160', '300', '500']);
    splitter.applyState({ width: 700 });
    expect(values()).to.deep.equal(['160', '700', '700']);
    splitter.applyState({ isCollapsed: false });
    expect(column.style.getPropertyValue('--_side-width')).to.equal('');
    splitter.setLabels('Resize', 'Collapse');
    expect([node.ariaLabel, column.querySelector('button')?.title]).to.deep.equal([
      'Resize',
      'Collapse',
    ]);
    remove();
  });
});

describe('readColumnState', () => {
  it('reads a width within bounds and whether the column is collapsed', () => {
    const widths = [159, 160, 9999, 10_000, '300', null].map((width) => readColumnState({ width }));
    expect(widths.map(({ width }) => width)).to.deep.equal([
      undefined,
      160,
      9999,
      undefined,
      undefined,
      undefined,
    ]);
    expect(readColumnState({ isCollapsed: true })).to.deep.equal({ isCollapsed: true });
    for (const stored of [null, undefined, 'x', [], { isCollapsed: 1 }]) {
      expect(readColumnState(stored)).to.deep.equal({ isCollapsed: false });
    }
  });
});
