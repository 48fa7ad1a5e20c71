import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import { registerPartRenderer } from '../../src/message/parts/part-renderers.js';
import { part, set, setupMessageView, step, text, tool } from './message-fixture.js';

describe('part renderer of the host page', () => {
  let unregister = (): void => undefined;
  afterEach(() => unregister());

  it('gets a light DOM element that exists as long as the part', () => {
    const calls: string[] = [];
    unregister = registerPartRenderer('tool', {
      mount: (box, first) => {
        calls.push(`mount ${first.toolId}`);
        box.textContent = first.name;
        return {
          update: (changed) => void calls.push(`update ${changed.state}`),
          unmount: () => void calls.push('unmount'),
        };
      },
    });
    const { run, host, query } = setupMessageView();
    run(part('step:1', step(1)));
    run(part('tool:1', tool('1'), 'step:1'));
    const box = host.children[0] as HTMLElement;
    expect(box.textContent).to.equal('rag_search');
    expect(query<HTMLSlotElement>('.step slot').assignedElements()).to.deep.equal([box]);
    run(set('tool:1', 'state', 'done'), set('step:1', 'state', 'completed'), text('tool:1', ''));
    expect(host.children[0]).to.equal(box);
    run({ type: 'remove', message: 'm', part: 'step:1' });
    expect(calls).to.deep.equal(['mount 1', 'update done', 'unmount']);
    expect(host.childElementCount).to.equal(0);
  });

  it('leaves child parts to their own views', () => {
    unregister = registerPartRenderer('step', { mount: () => undefined });
    const { run, query } = setupMessageView();
    run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
    expect(query('.host .tool')).not.to.equal(null);
  });

  for (const [when, renderer] of [
    [
      'mounting',
      {
        mount: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'updating',
      {
        mount: () => ({
          update: () => {
            throw new Error('no');
          },
        }),
      },
    ],
  ] as const) {
    it(`falls back to plain text when it throws while ${when}`, () => {
      unregister = registerPartRenderer('text', renderer);
      const { run, root, errors, host } = setupMessageView();
      run(
        part('t', { kind: 'text' }),
        text('t', 'still readable'),
        part('c', { kind: 'checkpoint', name: 'c' }),
      );
      expect(root.querySelector('.host')?.textContent).to.equal('still readable');
      expect(root.querySelector('.checkpoint')).not.to.equal(null);
      expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
        ['renderer', 'text'],
      ]);
      expect(host.childElementCount).to.equal(0);
      run(text('t', ', and grows', 14));
      expect(root.querySelector('.host')?.textContent).to.equal('still readable, and grows');
    });
  }

  it('is replaced by the built-in view after it is unregistered', () => {
    unregister = registerPartRenderer('tool', { mount: () => undefined });
    unregister();
    const { run, query } = setupMessageView();
    run(part('tool:1', tool('1')));
    expect(query('.tool')).not.to.equal(null);
  });

  it('keeps the renderer that was registered last when an earlier one is unregistered', () => {
    const unregisterFirst = registerPartRenderer('tool', { mount: () => undefined });
    unregister = registerPartRenderer('tool', {
      mount: (box) => {
        box.textContent = 'Second';
        return undefined;
      },
    });
    unregisterFirst();
    const { run, host } = setupMessageView();
    run(part('tool:1', tool('1')));
    expect(host.textContent).to.equal('Second');
  });

  it('has its box in the language of the content', () => {
    unregister = registerPartRenderer('tool', { mount: () => undefined });
    const { run, query, context, view } = setupMessageView();
    run(part('tool:1', tool('1')));
    expect(query('slot').hasAttribute('lang')).to.equal(false);
    context.locale = findLocale('en', 'fr');
    view.redraw();
    expect(query('slot').lang).to.equal('fr');
  });

  it('reports an error while it is unmounted', () => {
    unregister = registerPartRenderer('tool', {
      mount: () => ({
        unmount: () => {
          throw new Error('no');
        },
      }),
    });
    const { run, errors, host } = setupMessageView();
    run(part('tool:1', tool('1')));
    run({ type: 'remove', message: 'm', part: 'tool:1' });
    expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
      ['renderer', 'tool'],
    ]);
    expect(host.childElementCount).to.equal(0);
  });

  it('is no longer updated after it was unmounted', () => {
    const calls: string[] = [];
    unregister = registerPartRenderer('tool', {
      mount: () => ({
        update: () => void calls.push('update'),
        unmount: () => void calls.push('unmount'),
      }),
    });
    const { run, apply, frames } = setupMessageView();
    run(part('tool:1', tool('1')));
    calls.length = 0;
    apply(set('tool:1', 'state', 'done'), { type: 'remove', message: 'm', part: 'tool:1' });
    frames.flush();
    expect(calls).to.deep.equal(['unmount']);
  });

  it('is no longer called after it has thrown', () => {
    let updates = 0;
    unregister = registerPartRenderer('text', {
      mount: () => ({
        update: () => {
          updates += 1;
          throw new Error('no');
        },
        unmount: () => (updates += 100),
      }),
    });
    const { run, view } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', 'One'));
    run(text('t', ' two', 3));
    view.redraw();
    view.dispose();
    expect(updates).to.equal(1);
  });
});
