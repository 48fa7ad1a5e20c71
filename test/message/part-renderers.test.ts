import { expect } from '@open-wc/testing';
import {
  hasMarkdown,
  messageMarkdown,
  messagePlainText,
} from '../../src/message/message-formats.js';
import { MessageView } from '../../src/message/message-view.js';
import { findLocale } from '../../src/locales/locale.js';
import { lazyHostPart } from '../../src/message/parts/host-parts.js';
import {
  registerPartRenderer,
  registerToolRenderer,
} from '../../src/message/parts/part-renderers.js';
import type {
  PartContext,
  ToolContext,
  ToolMatch,
  ToolRenderer,
} from '../../src/message/parts/renderer-types.js';
import { ACTIVITY } from '../../src/model/part.js';
import { Deferred } from '../helpers/deferred.js';
import {
  part,
  phaseActivity,
  request,
  set,
  setupMessageView,
  step,
  text,
  tool,
  toolActivity,
  type MessageViewOptions,
} from './message-fixture.js';

/** A renderer that writes what `draw` returns, and records its calls. */
function createRecorder(draw: (context: ToolContext) => string = ({ tool }) => tool.state) {
  const calls: string[] = [];
  const renderer: ToolRenderer = {
    mount: (box, context) => {
      calls.push('mount');
      box.textContent = draw(context);
      return {
        update: (changed) => {
          calls.push('update');
          box.textContent = draw(changed);
        },
        unmount: () => void calls.push('unmount'),
      };
    },
  };
  return { calls, renderer };
}

describe('renderers of the host page', () => {
  let cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const cleanup of cleanups.splice(0)) cleanup();
    cleanups = [];
  });

  const registerTool = (match: ToolMatch, renderer: ToolRenderer): void =>
    void cleanups.push(registerToolRenderer(match, renderer));
  const registerPart: typeof registerPartRenderer = (kind, renderer) => {
    const unregister = registerPartRenderer(kind, renderer);
    cleanups.push(unregister);
    return unregister;
  };

  /** A message view that is removed after the test. */
  const setup: typeof setupMessageView = (options) => {
    const view = setupMessageView(options);
    cleanups.push(view.remove);
    return view;
  };

  describe('the box', () => {
    it('is in the light DOM and exists as long as the part', () => {
      const { calls, renderer } = createRecorder(({ tool: call }) => call.name);
      registerTool('rag_search', renderer);
      const { run, host, query } = setup();
      run(part('step:1', step(1)));
      run(part('tool:1', tool('1'), 'step:1'));
      const box = host.children[0] as HTMLElement;
      expect(box.textContent).to.equal('rag_search');
      expect(query<HTMLSlotElement>('.step slot').assignedElements()).to.deep.equal([box]);
      run(set('tool:1', 'state', 'done'), set('step:1', 'state', 'completed'), text('tool:1', ''));
      expect(host.children[0]).to.equal(box);
      run({ type: 'remove', message: 'm', part: 'step:1' });
      expect(calls).to.deep.equal(['mount', 'update', 'unmount']);
      expect(host.childElementCount).to.equal(0);
    });

    it('is in the shadow root when the renderer asks for it', () => {
      registerTool('rag_search', { ...createRecorder().renderer, root: 'shadow' });
      const { run, host, query } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.host').textContent).to.equal('running');
      expect(host.childElementCount).to.equal(0);
    });

    it('of two views of one part in one element are different', () => {
      registerTool('rag_search', createRecorder().renderer);
      const { run, host, view, root } = setup();
      run(part('tool:1', tool('1')));
      const other = new MessageView(view.message, view.context);
      root.append(other.node);
      const slots = [...root.querySelectorAll<HTMLSlotElement>('.host > slot')];
      expect(slots.map((slot) => slot.assignedElements())).to.deep.equal(
        [...host.children].map((box) => [box]),
      );
      other.dispose();
    });

    it('has the language of the content', () => {
      registerTool('rag_search', createRecorder().renderer);
      const { run, query, context, view } = setup();
      run(part('tool:1', tool('1')));
      expect(query('slot').hasAttribute('lang')).to.equal(false);
      context.locale = findLocale('en', 'fr');
      view.redraw();
      expect(query('slot').lang).to.equal('fr');
    });

    it('stays when a call that only events have reported gets its content part', () => {
      const { calls, renderer } = createRecorder(({ tool: call }) => call.rawInput ?? '');
      registerTool('rag_search', renderer);
      const { run, host } = setup();
      run(part('@tool:1', toolActivity('1', null), ACTIVITY));
      const box = host.children[0];
      run(part('tool:1', tool('1', { input: '{"q":1}' })), set('@tool:1', 'part', 'tool:1'));
      expect([...host.children]).to.deep.equal([box]);
      expect(calls).to.deep.equal(['mount', 'update']);
      expect(box?.textContent).to.equal('{"q":1}');
    });

    it('stays when an event of the call comes together with its content part', () => {
      const { calls, renderer } = createRecorder();
      registerTool('rag_search', renderer);
      const { run, host } = setup();
      run(part('@tool:1', toolActivity('1', null), ACTIVITY));
      run(
        part('phase', phaseActivity('SEARCH'), '@tool:1'),
        part('tool:1', tool('1')),
        set('@tool:1', 'part', 'tool:1'),
      );
      expect(calls).to.deep.equal(['mount', 'update']);
      expect(host.childElementCount).to.equal(1);
    });
  });

  describe('the match', () => {
    it('is a name, a list of names, or a function', () => {
      const seen: string[] = [];
      const create = (name: string): ToolRenderer => ({
        mount: (_box, { tool: call }) => {
          seen.push(`${name} ${call.name}`);
          return undefined;
        },
      });
      registerTool('one', create('name'));
      registerTool(['two', 'three'], create('list'));
      registerTool(({ toolType }) => toolType === 'sql_query', create('type'));
      const { run, query } = setup();
      run(
        ...['one', 'two', 'three', 'four'].map((name) => part(name, tool(name, { name }))),
        part('five', tool('five', { name: 'five', toolType: 'sql_query' })),
      );
      expect(seen).to.deep.equal(['name one', 'list two', 'list three', 'type five']);
      expect(query('.call .tool')).not.to.equal(null);
    });

    it('that throws is reported and selects nothing', () => {
      registerTool(() => {
        throw new Error('no');
      }, createRecorder().renderer);
      const { run, query, errors } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.call')).not.to.equal(null);
      expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
        ['renderer', 'renderers'],
      ]);
    });

    it('of a chat takes precedence over those for all chats, and a later one over an earlier one', () => {
      const write = (content: string): ToolRenderer => ({
        mount: (box) => {
          box.textContent = content;
          return undefined;
        },
      });
      registerTool('rag_search', write('first'));
      const unregister = registerToolRenderer('rag_search', write('second'));
      const { run, host, context } = setup();
      run(part('tool:1', tool('1')));
      unregister();
      run(part('tool:2', tool('2')));
      Object.assign(context, { renderers: [{ tool: 'rag_search', renderer: write('own') }] });
      run(part('tool:3', tool('3')));
      expect([...host.children].map(({ textContent }) => textContent)).to.deep.equal([
        'second',
        'first',
        'own',
      ]);
    });

    it('of an unregistered renderer selects nothing', () => {
      registerPart('tool', createRecorder().renderer as never)();
      const { run, query } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.call')).not.to.equal(null);
    });
  });

  describe('the context', () => {
    /** Shows a call with the renderer and returns the latest context. */
    function record(options: MessageViewOptions = {}) {
      let latest: ToolContext | undefined;
      registerTool('rag_search', createRecorder((context) => ((latest = context), '')).renderer);
      const view = setup(options);
      return {
        ...view,
        latest: (): ToolContext => {
          if (!latest) throw new Error('The renderer was not called.');
          return latest;
        },
      };
    }

    it('has the parsed input and result, or why they are not JSON', () => {
      const { run, latest } = record();
      run(part('tool:1', tool('1')));
      expect([latest().tool.input, latest().tool.inputError]).to.deep.equal([undefined, '']);
      run(set('tool:1', 'input', '{"a":[1]}'), set('tool:1', 'result', '{"a":'));
      expect(latest().tool.input).to.deep.equal({ a: [1] });
      expect(latest().tool.result).to.equal(undefined);
      expect(latest().tool.resultError).to.match(/JSON/);
      expect(latest().tool.rawResult).to.equal('{"a":');
    });

    it('has the state, phases and partial outputs while the tool is running', () => {
      const { run, latest } = record();
      run(
        part('tool:1', tool('1')),
        part(
          '@tool:1',
          toolActivity('1', 'tool:1', { phase: 'SEARCH', message: 'Searching' }),
          ACTIVITY,
        ),
        part('@phase', phaseActivity('SEARCH'), '@tool:1'),
        part('@out', { kind: 'output-activity', outputKey: 'draft' }, '@tool:1'),
        text('@out', 'So far'),
      );
      const { phase, message, phases, outputs, state } = latest().tool;
      expect([phase, message, state]).to.deep.equal(['SEARCH', 'Searching', 'running']);
      expect(phases.map((one) => one.phase)).to.deep.equal(['SEARCH']);
      expect(outputs.map(({ name, text: output }) => [name, output.read()])).to.deep.equal([
        ['draft', 'So far'],
      ]);
      run(text('@out', ' and more', 6), set('@tool:1', 'state', 'failed'));
      expect(latest().tool.outputs[0]?.text.read(6)).to.equal(' and more');
      expect(latest().tool.state).to.equal('failed');
    });

    it('is frozen, so that a renderer cannot change the conversation', () => {
      const { run, latest, message } = record();
      run(part('tool:1', tool('1', { input: '{"a":[1]}' })));
      const { tool: call, part: own } = latest();
      const values = [latest(), own, call, call.input, latest().message, call.phases];
      expect(values.every(Object.isFrozen)).to.equal(true);
      expect(Object.isFrozen((call.input as { a: unknown }).a)).to.equal(true);
      expect(own).not.to.equal(message().parts.get('tool:1'));
      const live = latest().part.text as object | null;
      expect(live === null || !('append' in live)).to.equal(true);
    });

    it('has the message, the language and the appearance', () => {
      const { run, latest, host, frames } = record({ lang: 'ar', fields: { id: 'm-1' } });
      run(part('tool:1', tool('1')));
      expect([latest().message.id, latest().message.role]).to.deep.equal(['m-1', 'assistant']);
      expect(latest().locale).to.deep.equal({ lang: 'ar', contentLang: 'ar', direction: 'rtl' });
      expect(latest().theme).to.deep.equal({ colorScheme: 'light', density: 'comfortable' });
      host.style.colorScheme = 'dark';
      host.setAttribute('density', 'compact');
      return Promise.resolve().then(() => {
        frames.flush();
        expect(latest().theme).to.deep.equal({ colorScheme: 'dark', density: 'compact' });
      });
    });

    it('answers the question of its tool, and no other', async () => {
      const given: unknown[] = [];
      const provideInput = (...args: unknown[]): Promise<void> =>
        Promise.resolve(void given.push(args));
      const { run, latest } = record({ actions: { provideInput } });
      const question = { level: 'tool', toolName: 'rag_search', executionId: 'x' };
      run(part('tool:1', tool('1')), part('@other', request(null), ACTIVITY));
      expect([latest().request, latest().answer]).to.deep.equal([null, undefined]);
      run(part('@mine', request(null, question), ACTIVITY), set('tool:1', 'state', 'waiting'));
      expect(latest().request?.prompt).to.equal('Which year?');
      await latest().answer?.({ type: 'json', value: 12 });
      expect(given).to.deep.equal([['m', '@mine', { type: 'json', value: 12 }]]);
    });

    it('has the files of its tool, and loads them with `loadToolFile`', async () => {
      const file = { name: 'a.png', address: 'https://files.test/a.png', stored: true };
      const { run, latest } = record({
        actions: {
          findToolFiles: () => [file],
          loadToolFile: (address) => Promise.resolve(new Blob([address])),
        },
      });
      run(part('tool:1', tool('1', { result: '{}' })));
      expect(latest().files).to.deep.equal([file]);
      expect(await (await latest().loadFile?.(file.address))?.text()).to.equal(file.address);
    });

    it('of a step has the progress of the step, whose child parts are below the box', () => {
      let latest: PartContext<'step'> | undefined;
      registerPart('step', {
        mount: (_box, context) => {
          latest = context;
          return { update: (changed) => void (latest = changed) };
        },
      });
      const { run, query } = setup();
      run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
      run(
        part(
          '@step:1',
          {
            kind: 'step-activity',
            number: 1,
            title: '',
            progress: 40,
            status: '',
            results: null,
            state: 'running',
            startedAt: null,
            endedAt: null,
          },
          ACTIVITY,
        ),
      );
      expect(latest?.activity).to.include({ kind: 'step-activity', progress: 40 });
      expect(query('.host > .content .tool')).not.to.equal(null);
    });
  });

  describe('a renderer that declines', () => {
    it('is followed by the next one that matches, then by the built-in view', () => {
      registerTool('rag_search', createRecorder(() => 'next').renderer);
      registerTool('rag_search', { mount: (_box, context) => context.decline() });
      registerPart('text', { mount: (_box, context) => context.decline() });
      const { run, host, query } = setup();
      run(part('tool:1', tool('1')), part('t', { kind: 'text' }), text('t', '**bold**'));
      expect([...host.children].map(({ textContent }) => textContent)).to.deep.equal(['next']);
      expect(query('.body > .text strong').textContent).to.equal('bold');
    });

    it('is asked again when the fields have changed, so that a live part looks like a loaded one', () => {
      const { calls, renderer } = createRecorder(({ tool: call }) => call.rawInput ?? '');
      const declines = ({ tool: { input } }: ToolContext): boolean =>
        (input as { shown?: boolean } | undefined)?.shown !== true;
      registerTool('rag_search', {
        mount: (box, context) =>
          declines(context) ? context.decline() : renderer.mount(box, context),
      });
      const { run, host, query, root } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.body > .call')).not.to.equal(null);
      run(set('tool:1', 'input', '{"shown":true}'));
      expect(root.querySelector('.call')).to.equal(null);
      expect(host.textContent).to.equal('{"shown":true}');
      expect(calls).to.deep.equal(['mount']);
    });

    it('after it was mounted is unmounted, and its box is removed', () => {
      let decline = (): undefined => undefined;
      const unmounts: string[] = [];
      registerTool('rag_search', {
        mount: (_box, context) => {
          decline = () => context.decline();
          return { unmount: () => void unmounts.push('unmount') };
        },
      });
      const { run, host, query } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.host')).not.to.equal(null);
      decline();
      expect(query('.body > .call')).not.to.equal(null);
      expect(unmounts).to.deep.equal(['unmount']);
      expect(host.childElementCount).to.equal(0);
    });

    it('keeps the child parts of a step in their place', () => {
      registerPart('step', {
        mount: (box, context) => {
          if (context.part.state === 'completed') return context.decline();
          box.textContent = 'Own step';
          return {
            update: (changed) => void (changed.part.state === 'completed' && changed.decline()),
          };
        },
      });
      const { run, query } = setup();
      run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
      const child = query('.host .tool');
      run(set('step:1', 'state', 'completed'));
      expect(query('.step .content .tool')).to.equal(child);
      run(part('tool:2', tool('2'), 'step:1'));
      expect(query('.step').querySelectorAll('.content .tool').length).to.equal(2);
    });
  });

  describe('the built-in view in a box', () => {
    const wrap: ToolRenderer = {
      mount: (box, context) => {
        const heading = document.createElement('h4');
        heading.textContent = 'Ours:';
        box.append(heading, context.standard());
        return undefined;
      },
    };

    it('is updated, and has the style sheets of the element', () => {
      registerTool('rag_search', wrap);
      const { run, host, root } = setup({ styled: true });
      run(part('tool:1', tool('1')));
      const shown = host.children[0]?.children[1]?.shadowRoot?.querySelector<HTMLElement>('.call');
      expect(shown?.querySelector('.tool')?.getAttribute('data-state')).to.equal('running');
      expect(shown && getComputedStyle(shown.querySelector('summary') as Element).display).to.equal(
        'flex',
      );
      expect(root.querySelector('.call')).to.equal(null);
      run(set('tool:1', 'state', 'done'));
      expect(shown?.querySelector('.tool')?.getAttribute('data-state')).to.equal('done');
    });

    it('is inserted directly into a box in the shadow root', () => {
      registerTool('rag_search', { ...wrap, root: 'shadow' });
      const { run, query } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.host .call .tool')).not.to.equal(null);
    });

    it('is there once when a call that only events have reported gets its content part', () => {
      registerTool('rag_search', wrap);
      const { run, host } = setup();
      run(part('@tool:1', toolActivity('1', null), ACTIVITY));
      run(part('tool:1', tool('1')), set('@tool:1', 'part', 'tool:1'));
      const shown = host.children[0]?.children[1]?.shadowRoot;
      expect(shown?.querySelectorAll('.call')).to.have.length(1);
    });

    it('shows the child parts, whose views are removed with it', () => {
      registerPart('step', {
        mount: (box, context) => {
          box.append(context.standard());
          return undefined;
        },
      });
      const { run, host, view } = setup();
      run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'));
      const shown = host.children[0]?.children[0]?.shadowRoot;
      expect(shown?.querySelector('.step .tool')).not.to.equal(null);
      run({ type: 'remove', message: 'm', part: 'step:1' });
      expect(view.viewOf('tool:1')).to.equal(undefined);
      expect(host.childElementCount).to.equal(0);
    });
  });

  describe('an asynchronous renderer', () => {
    it('does not replace the built-in view before its promise resolves, and is then up to date', async () => {
      const { calls, renderer } = createRecorder();
      const { promise, resolve } = new Deferred<undefined>();
      registerTool('rag_search', {
        mount: async (box, context) => {
          await promise;
          return renderer.mount(box, context);
        },
      });
      const { run, host, query, root } = setup();
      run(part('tool:1', tool('1')));
      expect(query('.body > .call')).not.to.equal(null);
      run(set('tool:1', 'state', 'done'));
      resolve(undefined);
      await new Promise((done) => setTimeout(done));
      expect(root.querySelector('.call')).to.equal(null);
      expect(host.textContent).to.equal('done');
      expect(calls).to.deep.equal(['mount', 'update']);
    });

    it('opens the step around the part when it shows the part', async () => {
      const { promise, resolve } = new Deferred<undefined>();
      registerTool('rag_search', {
        mount: async (box) => {
          await promise;
          box.textContent = 'loaded';
          return undefined;
        },
      });
      const { run, query, frames } = setup();
      const done = { ...step(1), state: 'completed' } as ReturnType<typeof step>;
      run(part('step:1', done), part('tool:1', tool('1', { state: 'done' }), 'step:1'));
      run(set(null, 'status', 'complete'));
      expect(query<HTMLDetailsElement>('.step').open).to.equal(false);
      resolve(undefined);
      await new Promise((settle) => setTimeout(settle));
      frames.flush();
      expect(query<HTMLDetailsElement>('.step').open).to.equal(true);
    });

    it('that is rejected is reported, and asked again when the fields have changed', async () => {
      let attempts = 0;
      registerTool('rag_search', {
        mount: async (box) => {
          attempts += 1;
          if (attempts === 1) throw new Error('offline');
          box.textContent = 'loaded';
          return Promise.resolve(undefined);
        },
      });
      const { run, host, query, errors } = setup();
      run(part('tool:1', tool('1')));
      await new Promise((done) => setTimeout(done));
      expect(query('.body > .call')).not.to.equal(null);
      expect(errors.map(({ code }) => code)).to.deep.equal(['renderer']);
      run(set('tool:1', 'state', 'done'));
      await new Promise((done) => setTimeout(done));
      expect(host.textContent).to.equal('loaded');
    });

    it('does not replace another renderer, which shows the part, before its promise resolves', async () => {
      const { calls, renderer } = createRecorder();
      registerTool('rag_search', renderer);
      const asked: ((isDeclined: boolean) => void)[] = [];
      registerTool('rag_search', {
        mount: async (box, { tool: { state }, decline }) => {
          if (state === 'running') return decline();
          if (await new Promise<boolean>((answer) => void asked.push(answer))) return decline();
          box.textContent = `loaded for ${state}`;
          return undefined;
        },
      });
      const { run, host } = setup();
      const mounts = (): string[] => calls.filter((call) => call !== 'update');
      run(part('tool:1', tool('1')));
      run(set('tool:1', 'state', 'done'));
      expect(asked).to.have.lengthOf(1);
      run(set('tool:1', 'result', '1'));
      asked[0]?.(true);
      await new Promise((done) => setTimeout(done));
      expect(mounts()).to.deep.equal(['mount']);
      run(set('tool:1', 'result', '2'));
      expect(asked).to.have.lengthOf(2);
      asked[1]?.(false);
      await new Promise((done) => setTimeout(done));
      expect(mounts()).to.deep.equal(['mount', 'unmount']);
      expect([...host.children].map(({ textContent }) => textContent)).to.deep.equal([
        'loaded for done',
      ]);
    });

    it('shows the part when the renderer that has shown it declines meanwhile', async () => {
      registerTool('rag_search', {
        mount: (box, { decline }) => {
          box.textContent = 'first';
          return { update: ({ tool: { state } }) => void (state === 'failed' && decline()) };
        },
      });
      const { promise, resolve } = new Deferred<undefined>();
      registerTool('rag_search', {
        mount: (box, { tool: { state }, decline }) =>
          state === 'running' ? decline() : promise.then(() => void (box.textContent = 'second')),
      });
      const { run, host, query } = setup();
      run(part('tool:1', tool('1')));
      run(set('tool:1', 'state', 'done'));
      expect(query<HTMLSlotElement>('slot').assignedElements()[0]?.textContent).to.equal('first');
      run(set('tool:1', 'state', 'failed'));
      expect(query('.body > .call')).not.to.equal(null);
      resolve(undefined);
      await new Promise((done) => setTimeout(done));
      expect(host.textContent).to.equal('second');
    });

    it('is unmounted when the part was removed while another renderer showed it', async () => {
      const { calls, renderer } = createRecorder();
      registerTool('rag_search', createRecorder().renderer);
      const { promise, resolve } = new Deferred<undefined>();
      registerTool('rag_search', {
        mount: (box, context) =>
          context.tool.state === 'running'
            ? context.decline()
            : promise.then(() => renderer.mount(box, context)),
      });
      const { run, host } = setup();
      run(part('tool:1', tool('1')));
      run(set('tool:1', 'state', 'done'));
      run({ type: 'remove', message: 'm', part: 'tool:1' });
      expect(host.childElementCount).to.equal(0);
      resolve(undefined);
      await new Promise((done) => setTimeout(done));
      expect(calls).to.deep.equal(['mount', 'unmount']);
    });

    it('that settles after the part was removed is unmounted at once', async () => {
      const { calls, renderer } = createRecorder();
      const { promise, resolve } = new Deferred<undefined>();
      registerTool('rag_search', {
        mount: async (box, context) => {
          await promise;
          return renderer.mount(box, context);
        },
      });
      const { run, host, errors } = setup();
      run(part('tool:1', tool('1')));
      run({ type: 'remove', message: 'm', part: 'tool:1' });
      expect(host.childElementCount).to.equal(0);
      resolve(undefined);
      await new Promise((done) => setTimeout(done));
      expect(calls).to.deep.equal(['mount', 'unmount']);
      expect(errors).to.deep.equal([]);
    });
  });

  describe('a faulty renderer', () => {
    const fail = (): never => {
      throw new Error('no');
    };

    for (const [when, renderer] of [
      ['mounting', { mount: fail }],
      ['updating', { mount: () => ({ update: fail }) }],
      ['reading its methods', { mount: () => Object.defineProperty({}, 'update', { get: fail }) }],
    ] as const) {
      it(`that throws while ${when} is reported once, and the part has its built-in view`, () => {
        registerPart('text', renderer);
        const { run, query, errors, host } = setup();
        run(
          part('t', { kind: 'text' }),
          text('t', 'still **readable**'),
          part('c', { kind: 'checkpoint', name: 'c' }),
        );
        run(text('t', ', and grows', 18));
        run(set(null, 'status', 'complete'));
        expect(query('.body > .text').textContent).to.equal('still readable, and grows');
        expect(query('.checkpoint')).not.to.equal(null);
        expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
          ['renderer', 'text'],
        ]);
        expect(host.childElementCount).to.equal(0);
      });
    }

    for (const [what, rule] of [
      ['no renderer', { tool: 'rag_search' }],
      ['no function', { tool: 'rag_search', renderer: {} }],
      ['an unknown root', { tool: 'rag_search', renderer: { mount: fail, root: 'body' } }],
      [
        'a getter that throws',
        {
          kind: 'tool',
          renderer: {
            mount: fail,
            get root() {
              return fail();
            },
          },
        },
      ],
      ['null', null],
    ] as const) {
      it(`that is invalid (${what}) is reported, and the part has its built-in view`, () => {
        const { run, query, errors, host, context } = setup();
        Object.assign(context, { renderers: [rule] });
        run(part('tool:1', tool('1')), part('t', { kind: 'text' }), text('t', 'readable'));
        expect(query('.body > .call')).not.to.equal(null);
        expect(query('.body > .text').textContent).to.equal('readable');
        expect(
          errors.every(({ code, offender }) => code === 'renderer' && offender === 'renderers'),
        ).to.equal(true);
        expect(errors.length).to.be.at.least(1);
        expect(host.childElementCount).to.equal(0);
      });
    }

    for (const [what, result] of [
      ['a node', document.createElement('b')],
      ['a text', '<img src=x onerror=alert(1)>'],
      ['an object with a broken then', { then: 1 }],
      ['a thenable that throws', { then: fail }],
      ['a proxy that throws', new Proxy({}, { get: fail, has: fail })],
    ] as const) {
      it(`that returns ${what} affects nothing else`, async () => {
        registerPart('tool', { mount: () => result as never });
        const { run, view, host } = setup();
        run(part('tool:1', tool('1')), part('t', { kind: 'text' }), text('t', 'readable'));
        await new Promise((done) => setTimeout(done));
        run(set('tool:1', 'state', 'done'), text('t', '!', 8), set(null, 'status', 'complete'));
        run();
        expect(view.node.querySelector('.text')?.textContent).to.equal('readable!');
        expect(view.node.querySelectorAll('.call, .host').length).to.equal(1);
        expect(host.querySelector('img, b')).to.equal(null);
        run({ type: 'remove', message: 'm', part: 'tool:1' });
        expect(host.childElementCount).to.equal(0);
      });
    }

    it('that returns an element with methods of the same names has none of them called', () => {
      const calls: string[] = [];
      const node = Object.assign(document.createElement('b'), {
        update: () => void calls.push('update'),
        unmount: () => void calls.push('unmount'),
        focus: () => void calls.push('focus'),
      });
      registerPart('tool', { mount: (box) => box.appendChild(node) as never });
      const { run, view, host } = setup();
      run(part('tool:1', tool('1')));
      expect(host.textContent).to.equal('');
      expect(view.viewOf('tool:1')?.focus).to.equal(undefined);
      run(set('tool:1', 'state', 'done'));
      run({ type: 'remove', message: 'm', part: 'tool:1' });
      expect(calls).to.deep.equal([]);
      expect(host.childElementCount).to.equal(0);
    });

    it('that adds nodes to its box when it is unmounted, or later, shows none of them', () => {
      let leaked: HTMLElement | undefined;
      registerPart('tool', {
        mount: (box) => {
          leaked = box;
          return { unmount: () => box.append(document.createElement('i')) };
        },
      });
      const { run, host } = setup();
      run(part('tool:1', tool('1')));
      run({ type: 'remove', message: 'm', part: 'tool:1' });
      leaked?.append('still writing');
      expect(leaked?.isConnected).to.equal(false);
      expect(host.textContent).to.equal('');
    });

    it('cannot change the part or its message', () => {
      registerPart('tool', {
        mount: (_box, { part: own, message }) => {
          for (const target of [own, message]) {
            expect(() => Object.assign(target, { kind: 'text', role: 'user' })).to.throw(TypeError);
          }
        },
      });
      const { run, message, errors } = setup();
      run(part('tool:1', tool('1')));
      expect(message().parts.get('tool:1')?.kind).to.equal('tool');
      expect([message().role, errors]).to.deep.equal(['assistant', []]);
    });

    it('that throws while updating is unmounted, and not called again', () => {
      const calls: string[] = [];
      registerPart('text', {
        mount: () => ({
          update: () => {
            calls.push('update');
            fail();
          },
          unmount: () => void calls.push('unmount'),
        }),
      });
      const { run, view } = setup();
      run(part('t', { kind: 'text' }), text('t', 'One'));
      run(text('t', ' two', 3));
      view.redraw();
      view.dispose();
      expect(calls).to.deep.equal(['update', 'unmount']);
    });

    it('that throws while focusing is reported, and the focus moves to the built-in view', () => {
      registerPart('input-request', { mount: () => ({ focus: fail }) });
      const { run, view, root, errors, host } = setup({
        actions: { provideInput: () => Promise.resolve() },
      });
      run(
        part('q', {
          ...{ kind: 'input-request', prompt: 'Which year?', inputTypes: ['text'] },
          ...{ checkpointName: 'c', answer: null },
        }),
        part('@q', request('q'), ACTIVITY),
      );
      expect(host.childElementCount).to.equal(1);
      view.viewOf('q')?.focus?.();
      expect(host.childElementCount).to.equal(0);
      const field = root.querySelector('.request textarea');
      expect(field).not.to.equal(null);
      expect((root.getRootNode() as ShadowRoot).activeElement).to.equal(field);
      expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
        ['renderer', 'input-request'],
      ]);
      expect(root.querySelector('.host')).to.equal(null);
    });

    it('that throws while its focus method is read is reported, and the part has its built-in view', () => {
      const mounted = Object.defineProperty({}, 'focus', { get: fail });
      registerTool('rag_search', { mount: () => mounted });
      const { run, view, query, errors, host } = setup();
      run(part('tool:1', tool('1')));
      expect(view.viewOf('tool:1')?.focus).to.equal(undefined);
      expect(query('.body > .call')).not.to.equal(null);
      expect(errors.map(({ code }) => code)).to.deep.equal(['renderer']);
      expect(host.childElementCount).to.equal(0);
    });

    it('that throws while it is unmounted is reported', () => {
      registerTool('rag_search', { mount: () => ({ unmount: fail }) });
      const { run, errors, host } = setup();
      run(part('tool:1', tool('1')));
      run({ type: 'remove', message: 'm', part: 'tool:1' });
      expect(errors.map(({ code, offender }) => [code, offender])).to.deep.equal([
        ['renderer', 'tool'],
      ]);
      expect(host.childElementCount).to.equal(0);
    });
  });

  it('are no longer updated after the part was removed', () => {
    const { calls, renderer } = createRecorder();
    registerTool('rag_search', renderer);
    const { run, apply, frames } = setup();
    run(part('tool:1', tool('1')));
    calls.length = 0;
    apply(set('tool:1', 'state', 'done'), { type: 'remove', message: 'm', part: 'tool:1' });
    frames.flush();
    expect(calls).to.deep.equal(['unmount']);
  });

  it('replace the built-in view, at the same place, once their code is loaded', () => {
    registerPart('step', { mount: (box) => void (box.textContent = 'own') });
    const { value } = lazyHostPart;
    lazyHostPart.value = undefined;
    const { run, host, query, root, view } = setup();
    run(part('step:1', step(1)), part('tool:1', tool('1'), 'step:1'), part('step:2', step(2)));
    lazyHostPart.value = value;
    const child = query('.step .call');
    view.replaceView('step:1');
    expect(host.textContent).to.equal('own');
    expect(query('.body > .host .call')).to.equal(child);
    expect(
      [...query('.body').children].map(({ className }) => className.split(' ')[0]),
    ).to.deep.equal(['host', 'disclosure']);
    expect(root.querySelectorAll('.call').length).to.equal(1);
  });

  it('define the Markdown and the text of their parts', () => {
    registerTool('rag_search', {
      mount: () => undefined,
      toMarkdown: ({ tool: call }) => `*${JSON.stringify(call.input)}*`,
      toText: ({ tool: call }) => (call.rawInput === '"none"' ? undefined : (call.rawInput ?? '')),
    });
    registerTool('rag_search', { mount: () => undefined, toMarkdown: () => undefined });
    const { run, message } = setup();
    run(
      part('t', { kind: 'text' }),
      text('t', 'Answer'),
      part('tool:1', tool('1', { input: '"x"' })),
      part('tool:2', tool('2', { name: 'other' })),
    );
    expect(messageMarkdown(message())).to.equal('Answer\n\n*"x"*');
    expect(messagePlainText(message())).to.equal('Answer\n\n"x"');
  });

  it('can exclude all parts of a message from its Markdown, by returning an empty text for each', () => {
    const { run, message } = setup();
    run(part('t', { kind: 'text' }), text('t', 'Answer'));
    expect(hasMarkdown(message())).to.equal(true);
    registerPart('text', { mount: () => undefined, toMarkdown: () => '' });
    expect([messageMarkdown(message()), hasMarkdown(message())]).to.deep.equal(['', false]);
  });
});
