import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import { exportThread } from '../../src/elements/menu/export-thread.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import type { RendererRule, ToolContext } from '../../src/message/parts/renderer-types.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';
import { pushPart } from './push-part.js';

/** Adds a light DOM element to a slot. */
function addToSlot(chat: UbikChat, slot: string): void {
  const node = document.createElement('p');
  node.slot = slot;
  node.textContent = `The page's ${slot}`;
  chat.append(node);
}

describe('content of the host page in a chat', () => {
  it('is shown in the slots header, empty and footer', async () => {
    const { chat, query, start } = await setupChat((element) => {
      for (const slot of ['header', 'empty', 'footer']) addToSlot(element, slot);
    });
    const tops = ['header', 'empty', 'footer'].map((name) => {
      const node = chat.querySelector(`[slot=${name}]`);
      expect(node?.checkVisibility()).to.equal(true);
      return node?.getBoundingClientRect().top ?? NaN;
    });
    expect(tops).to.deep.equal([...tops].sort((left, right) => left - right));
    expect(query('.greeting').checkVisibility()).to.equal(false);
    await start();
    expect(chat.querySelector('[slot=empty]')?.checkVisibility()).to.equal(false);
  });

  it('is rendered at each message, and cleaned up when the message is removed', async () => {
    const cleanups: string[] = [];
    const { chat, start, root, settle, controller } = await setupChat((element) => {
      element.messageAvatar = (box, { role }) => {
        box.textContent = role === 'user' ? 'Me' : 'Bot';
        return () => cleanups.push(role);
      };
      element.messageActions = (box) => {
        box.append(document.createElement('button'));
        return undefined;
      };
    });
    await start();
    const boxes = [...chat.children].filter(({ slot }) => slot.endsWith('-avatar'));
    expect(boxes.map(({ textContent }) => textContent)).to.deep.equal(['Me', 'Bot']);
    expect(boxes.every((box) => box.checkVisibility())).to.equal(true);
    expect(root.querySelectorAll('.message-footer > .actions').length).to.equal(2);
    controller.switchToNewThread();
    await settle();
    expect(cleanups).to.deep.equal(['user', 'assistant']);
    expect(chat.children.length).to.equal(0);
  });

  it('does not affect the message when a renderer throws', async () => {
    const { start, text, names } = await setupChat((element) => {
      element.messageAvatar = () => {
        throw new Error('The page is broken.');
      };
    });
    await start('A question');
    expect(text('.message.user')).to.contain('A question');
    expect(names()).to.include('ubik-error');
  });

  it('has links and images that the chat does not report as those of a message', async () => {
    const events: string[] = [];
    const { chat, start } = await setupChat((element) => {
      addToSlot(element, 'footer');
      element.messageActions = (box) => {
        box.append(document.createElement('a'));
        return undefined;
      };
    });
    await start();
    chat.addEventListener('ubik-link-open', (event) => {
      events.push(event.type);
      event.preventDefault();
    });
    chat.addEventListener('ubik-image-loaded', ({ type }) => events.push(type));
    const link = document.createElement('a');
    chat.querySelector('[slot=footer]')?.append(link);
    let prevented = 0;
    const finished = new AbortController();
    const handleClick = (event: Event): void => {
      prevented += Number(event.defaultPrevented);
      // The page of the tests must not be left.
      event.preventDefault();
    };
    document.addEventListener('click', handleClick, finished);
    const links = [link, ...chat.querySelectorAll<HTMLAnchorElement>('[slot$=-actions] a')];
    expect(links.length).to.equal(3);
    for (const each of links) {
      each.href = 'https://page.example/';
      each.click();
    }
    finished.abort();
    const image = new Image();
    Object.defineProperty(image, 'currentSrc', { value: 'https://page.example/a.png' });
    link.append(image);
    image.dispatchEvent(new Event('load'));
    expect([events, prevented]).to.deep.equal([[], 0]);
  });

  it('has Markdown whose links are reported once', async () => {
    const opened: string[] = [];
    const { chat, settle } = await setupChat((element) => {
      const text = document.createElement('ubik-markdown');
      text.slot = 'empty';
      text.content = '[docs](https://docs.example/a)';
      element.append(text);
    });
    await settle();
    chat.addEventListener('ubik-link-open', (event) => {
      opened.push(event.detail.url);
      event.preventDefault();
    });
    for (let turn = 0; turn < 3; turn += 1) await settle();
    chat.querySelector('ubik-markdown')?.shadowRoot?.querySelector('a')?.click();
    expect(opened).to.deep.equal(['https://docs.example/a']);
  });

  describe('as a renderer of parts', () => {
    type Setup = Awaited<ReturnType<typeof setupChat>>;

    const CALL = {
      ...{ kind: 'tool', name: 'get_weather', toolId: '1', state: 'done' },
      ...{ input: null, result: '{"temperature":21}' },
    };

    /** Adds a tool call to the answer. */
    const pushTool = (setup: Setup, more: object = {}): Promise<void> =>
      pushPart(setup, 'tool:1', { ...CALL, ...more });

    it('shows a call of its tool, also when the thread is loaded again', async () => {
      const setup = await setupChat((element) => {
        element.renderers = [
          {
            tool: 'get_weather',
            renderer: {
              mount: (box, { tool }) => {
                box.textContent = JSON.stringify(tool.result);
                return undefined;
              },
            },
          },
        ];
      });
      const { chat, start, controller, backend, settle, root } = setup;
      await start();
      await pushTool(setup);
      const check = (): void => {
        expect(chat.childElementCount).to.equal(1);
        expect(chat.children[0]?.textContent).to.equal('{"temperature":21}');
        expect(chat.children[0]?.checkVisibility()).to.equal(true);
        expect(root.querySelector('.call')).to.equal(null);
      };
      check();
      backend.stream.finish('complete');
      await settle();
      controller.switchToNewThread();
      await settle();
      expect(chat.childElementCount).to.equal(0);
      const answer = stored('m2', 'assistant', 'It is warm.');
      const call = { ...CALL, key: 'tool:1' } as StoredMessage['parts'][number];
      const messages = [stored('m1', 'user', 'Question'), { ...answer, parts: [call] }];
      backend.threads.set('again', contentOf('again', messages));
      await controller.openThread('again');
      await settle();
      check();
    });

    for (const [replay, pieces] of [
      ['an equal replay', ['The weather ', 'in Vienna: ']],
      ['a replay in other pieces', ['The w', 'eather in', ' Vienna: ']],
    ] as const) {
      it(`keeps its box after ${replay} of an interrupted run, and is called once`, async () => {
        const calls: string[] = [];
        const setup = await setupChat((element) => {
          const mount = (box: HTMLElement, { tool }: ToolContext) => {
            calls.push('mount');
            box.textContent = tool.rawResult ?? tool.state;
            return {
              update: (changed: ToolContext) => {
                box.textContent = changed.tool.rawResult ?? changed.tool.state;
              },
              unmount: () => void calls.push('unmount'),
            };
          };
          element.renderers = [{ tool: 'get_weather', renderer: { mount } }];
        });
        const { chat, start, backend, settle, environment } = setup;
        /** Emits the text before the call in pieces, then the call. */
        const emit = async (texts: readonly string[], more: object): Promise<void> => {
          let at = 0;
          for (const text of texts) {
            backend.stream.append(at, text);
            at += text.length;
          }
          await pushTool(setup, more);
        };
        await start();
        await emit(['The weather ', 'in Vienna: '], { state: 'running', result: null });
        const [box] = chat.children;
        expect(box?.textContent).to.equal('running');
        backend.stream.fail();
        await settle();
        while (backend.stream.method !== 'rejoin') {
          await environment.advance(1000);
          await settle();
        }
        backend.stream.begin();
        await emit(pieces, { state: 'running', result: null });
        expect([...chat.children]).to.deep.equal([box]);
        await pushTool(setup);
        backend.stream.finish('complete');
        await settle();
        expect([...chat.children]).to.deep.equal([box]);
        expect(box?.textContent).to.equal('{"temperature":21}');
        expect(calls).to.deep.equal(['mount']);
      });
    }

    it('keeps its box when the chat is moved', async () => {
      let unmounts = 0;
      const setup = await setupChat((element) => {
        const mount = (target: HTMLElement) => {
          target.textContent = 'drawn once';
          return { unmount: () => void (unmounts += 1) };
        };
        element.renderers = [{ tool: 'get_weather', renderer: { mount } }];
      });
      const { chat, box, start, settle } = setup;
      await start();
      await pushTool(setup);
      const [drawn] = chat.children;
      const place = document.createElement('section');
      box.append(place);
      place.append(chat);
      await settle();
      expect([...chat.children]).to.deep.equal([drawn]);
      expect([drawn?.checkVisibility(), unmounts]).to.deep.equal([true, 0]);
    });

    it('asks the page, and sends messages', async () => {
      let context: ToolContext | undefined;
      const setup = await setupChat((element) => {
        const mount = (_box: HTMLElement, given: ToolContext): undefined => void (context = given);
        element.renderers = [{ tool: 'get_weather', renderer: { mount } }];
        element.addEventListener('ubik-part-ask', (event) => {
          if (event.detail.name === 'price') event.respondWith(Promise.resolve(event.detail.data));
        });
      });
      const { start, backend, settle, names } = setup;
      await start();
      await pushTool(setup);
      const asked = { product: 'tea' };
      expect(await context?.ask?.('price', asked)).to.deep.equal({ product: 'tea' });
      expect(Object.isFrozen(asked)).to.equal(false);
      expect(await context?.ask?.('unknown')).to.equal(undefined);
      backend.stream.finish('complete');
      await settle();
      void context?.send?.('Another question');
      await settle();
      expect(names().filter((name) => name === 'ubik-message-send').length).to.equal(2);
    });

    it('with the built-in view in its box dispatches the events of links in it', async () => {
      const { start, backend, settle, chat } = await setupChat((element) => {
        element.renderers = [
          {
            kind: 'text',
            renderer: {
              mount: (box, context) => {
                if (context.message.role === 'user') return context.decline();
                box.append(context.standard());
                return undefined;
              },
            },
          },
        ];
      });
      await start();
      backend.stream.append(0, '[docs](https://docs.example/a)');
      backend.stream.finish('complete');
      await settle();
      const opened: string[] = [];
      chat.addEventListener('ubik-link-open', (event) => {
        opened.push(event.detail.url);
        event.preventDefault();
      });
      const link = chat.children[0]?.children[0]?.shadowRoot?.querySelector('a');
      link?.click();
      expect(opened).to.deep.equal(['https://docs.example/a']);
    });

    it('defines the Markdown of its parts in exports', async () => {
      const rule: RendererRule = {
        tool: 'get_weather',
        renderer: {
          mount: () => undefined,
          toMarkdown: ({ tool }) => `Weather: **${tool.rawResult ?? ''}**`,
        },
      };
      const setup = await setupChat();
      await setup.start();
      await pushTool(setup);
      const { controller } = setup;
      const options = { renderers: [rule] };
      expect(await exportThread(controller, 'markdown', options)).to.contain(
        'Weather: **{"temperature":21}**',
      );
      expect(await exportThread(controller, 'html', options)).to.contain('<strong>');
      expect(await exportThread(controller, 'markdown')).not.to.contain('Weather');
    });
  });
});
