import { expect } from '@open-wc/testing';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import type { Json } from '../../src/model/json.js';
import type { PartTree } from '../../src/model/part.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { loadDataView } from '../message/message-fixture.js';
import { pressKey, setupChat, setupController } from './chat-fixture.js';
import { recordObservations } from './observations.js';

const TABLE: PartTree = {
  kind: 'table',
  key: 'tool:1/0',
  title: 'Stock',
  description: '',
  columns: [{ name: 'depot', type: 'text' }],
  rows: [['North'], ['South']],
  total: null,
  source: 'SELECT depot FROM stock',
};

const call = (key: string, more: object = {}): PartTree => ({
  ...{ kind: 'tool', key, name: 'text2sql', toolType: 'sql_query', toolId: key, state: 'done' },
  ...{ input: '{"query":"stock?"}', result: '{"rows":2}', parts: [TABLE] },
  ...(more as { title?: string }),
});

const CALLS: readonly PartTree[] = [
  call('tool:1', { title: 'Stock per depot' }),
  call('tool:2', { name: 'lookup', toolType: undefined, parts: [], result: 'Found' }),
];

/** A chat of this width with an answer that has called two tools, whose disclosures are open. */
async function setupCalls(width = 1300, state?: Json, parts = CALLS) {
  await loadDataView('table');
  const fixture = await setupChat((chat) => {
    chat.style.width = `${width}px`;
    if (state !== undefined) chat.controller?.storage.set('details', state);
  });
  const { backend, controller, settle, root, query } = fixture;
  const answer = { ...stored('a', 'assistant', ''), parts };
  backend.threads.set('t', contentOf('t', [stored('q', 'user', 'Stock?'), answer]));
  backend.threads.set('t2', contentOf('t2', [stored('q2', 'user', 'Else')]));
  await controller.openThread('t');
  const settleFully = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await settle();
  };
  await settleFully();
  for (const details of root.querySelectorAll<HTMLDetailsElement>('.tool')) details.open = true;
  await settleFully();
  const buttons = [...root.querySelectorAll<HTMLElement>('.open-details')];
  const open = async (at = 0): Promise<HTMLElement> => {
    const button = buttons[at] as HTMLElement;
    button.focus();
    button.click();
    await settleFully();
    return button;
  };
  const press = async (target: Element | null, key: string): Promise<void> => {
    target?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }),
    );
    await settleFully();
  };
  return {
    ...fixture,
    settleFully,
    open,
    press,
    isOpen: () => root.querySelector('.tool-details') !== null,
    panel: () => query('.tool-details'),
  };
}

describe('details of a tool call', () => {
  it('show its label, subject, state, name, input, result and the parts in it', async () => {
    const { open, panel, text } = await setupCalls();
    await open();
    expect(text('.tool-details h2')).to.equal('Query the database');
    expect(text('.tool-details .subject')).to.equal('Stock per depot');
    expect(text('.tool-details .call-state')).to.equal('done');
    expect(text('.tool-details .call-facts')).to.equal('Tool text2sql');
    const sections = [...panel().querySelectorAll('.payload h3')];
    expect(sections.map(({ textContent }) => textContent)).to.deep.equal(['Input', 'Result']);
    expect(text('.tool-details .data-scroller tbody')).to.equal('NorthSouth');
    const query = panel().querySelector<HTMLDetailsElement>('figure .report');
    expect(query?.open).to.equal(true);
    expect(panel().querySelector('.open-details')).to.equal(null);
  });

  it('show the parts beside the call that are its result', async () => {
    await loadDataView('metric');
    const metric: PartTree = {
      ...{ kind: 'metric', key: 'tool:1/below', tool: 'tool:1', title: 'Stock', unit: 'pcs' },
      ...{ query: '', columns: [{ name: 'qty', type: 'number' }], rows: [[7]] },
    };
    const parts = [
      call('tool:1', { parts: [], input: null, result: null }),
      metric,
      call('tool:2'),
    ];
    const { open, root, panel } = await setupCalls(1300, undefined, parts);
    const texts = [...root.querySelectorAll('.tool .payload')].map(
      ({ textContent }) => textContent,
    );
    expect(texts.join()).to.not.contain('Nothing');
    await open();
    expect(panel().querySelector('.body')?.textContent).to.contain('Stock');
    await open(1);
    expect(panel().querySelector('.body')?.textContent).to.not.contain('pcs');
  });

  it('are a region beside the messages with the focus, and Escape returns it to the button', async () => {
    const { open, panel, query, root, press, isOpen } = await setupCalls();
    const button = await open();
    expect(panel().role).to.equal('complementary');
    expect(root.activeElement).to.equal(panel());
    expect(button.ariaExpanded).to.equal('true');
    const heading = root.getElementById(panel().getAttribute('aria-labelledby') ?? '');
    expect(heading?.localName).to.equal('h2');
    const { left } = panel().getBoundingClientRect();
    expect(query('.main').getBoundingClientRect().right).to.equal(left);
    expect(query('.main').inert).to.equal(false);
    await press(panel(), 'Escape');
    expect(isOpen()).to.equal(false);
    expect(root.activeElement).to.equal(button);
    expect(button.ariaExpanded).to.equal(null);
  });

  it('have the width of the column that they replace', async () => {
    const { open, panel, query, chat, settleFully } = await setupCalls(1400);
    const column = chat.appendChild(document.createElement('div'));
    column.slot = 'end';
    await settleFully();
    const { offsetWidth } = query('.end');
    expect(offsetWidth).to.be.greaterThan(0);
    await open();
    expect(panel().offsetWidth).to.equal(offsetWidth);
    expect(query('.end').offsetWidth).to.equal(0);
  });

  it('are closed by their button', async () => {
    const { open, panel, root, isOpen } = await setupCalls();
    const button = await open();
    const close = panel().querySelector<HTMLElement>('.head button');
    close?.focus();
    close?.click();
    expect(isOpen()).to.equal(false);
    expect(root.activeElement).to.equal(button);
  });

  it('are a modal dialog that fills a narrow chat', async () => {
    const { open, panel, query, press } = await setupCalls(360);
    await open();
    expect([panel().role, panel().ariaModal]).to.deep.equal(['dialog', 'true']);
    expect(panel().offsetWidth).to.equal(query('.ubik').clientWidth);
    expect(query('.main').inert).to.equal(true);
    expect(query('.details-area > .side-edge').checkVisibility()).to.equal(false);
    await press(panel(), 'Escape');
    expect(query('.main').inert).to.equal(false);
  });

  it('take the focus from what they begin to cover, but not from the page around the chat', async () => {
    const { chat, box, field, open, panel, root, settleFully } = await setupCalls();
    const outside = box.appendChild(document.createElement('button'));
    await open();
    for (const [node, expected] of [
      [field, panel()],
      [outside, null],
    ] as const) {
      chat.style.width = '1300px';
      await settleFully();
      node.focus();
      chat.style.width = '360px';
      await settleFully();
      expect(root.activeElement).to.equal(expected);
    }
    expect(document.activeElement).to.equal(outside);
  });

  it('do not make live regions, dialogs and popovers inert while the details are modal, and what was inert before stays inert', async () => {
    const { chat, open, query, root, settleFully } = await setupCalls();
    await open();
    const [dialog, menu] = [document.createElement('dialog'), document.createElement('div')];
    menu.popover = 'manual';
    query('.ubik').append(dialog, menu);
    dialog.showModal();
    query('.side.end').inert = true;
    const inert = (): string[] =>
      [...query('.ubik').children]
        .filter((node) => (node as HTMLElement).inert)
        .map(({ className }) => className);
    for (const width of [360, 340]) {
      chat.style.width = `${width}px`;
      await settleFully();
      expect(inert()).to.deep.equal(['side start', 'main', 'side end']);
    }
    expect(root.querySelector('[aria-live]')?.closest('[inert]')).to.equal(null);
    chat.style.width = '1300px';
    await settleFully();
    expect(inert()).to.deep.equal(['side end']);
    dialog.close();
  });

  it('close when a drawer opens, which they would cover', async () => {
    const { chat, open, query, root, isOpen, settleFully } = await setupCalls(1000);
    for (const slot of ['start', 'end']) {
      const column = chat.appendChild(document.createElement('div'));
      column.slot = slot;
    }
    await settleFully();
    await open();
    query('.side-toggle-end').click();
    await settleFully();
    expect(isOpen()).to.equal(false);
    expect([query('.main').inert, root.activeElement]).to.deep.equal([true, query('.side.end')]);
  });

  it('stay open on an Escape in a dialog inside, which closes itself', async () => {
    const { open, panel, isOpen } = await setupCalls();
    await open();
    const dialog = document.createElement('dialog');
    const inside = panel().appendChild(document.createElement('div'));
    inside.attachShadow({ mode: 'open' }).append(dialog);
    dialog.showModal();
    expect(pressKey(dialog, 'Escape').defaultPrevented).to.equal(false);
    expect(isOpen()).to.equal(true);
    dialog.close();
  });

  it('return the focus from content of the page in a slot', async () => {
    const { chat, open, panel, press, root } = await setupCalls();
    const button = await open();
    const slot = panel().appendChild(document.createElement('slot'));
    slot.name = 'inside';
    const link = chat.appendChild(document.createElement('button'));
    link.slot = 'inside';
    link.focus();
    expect(document.activeElement).to.equal(link);
    await press(link, 'Escape');
    expect(root.activeElement).to.equal(button);
  });

  it('return the focus to their button in a step that has ended meanwhile', async () => {
    const { chat, start, panel, query, root, press, settleFully, backend } = await setupCalls();
    chat.steps = 'list';
    await start('More');
    const message = backend.stream.keys.answer;
    const put = (part: string, parent: string | null, value: object): void => {
      const change = { type: 'part', message, part, parent, before: null, value } as never;
      backend.stream.push(change);
    };
    const { parts: _parts, key: _key, ...fields } = call('tool:9');
    put('step:1', null, {
      kind: 'step',
      number: 1,
      title: 'Look',
      single: false,
      state: 'running',
    });
    put('tool:9', 'step:1', fields);
    await settleFully();
    const details = query<HTMLDetailsElement>('.step .tool');
    details.open = true;
    await settleFully();
    const button = query('.step .open-details');
    button.focus();
    button.click();
    await settleFully();
    expect(root.activeElement).to.equal(panel());
    backend.stream.push({
      type: 'set',
      message,
      part: 'step:1',
      path: ['state'],
      value: 'completed',
    });
    await settleFully();
    await press(panel(), 'Escape');
    expect(root.activeElement).to.equal(button);
  });

  it('show another call instead of the first one', async () => {
    const { open, panel, root, text } = await setupCalls();
    const first = await open();
    const second = await open(1);
    expect(root.querySelectorAll('.tool-details')).to.have.length(1);
    expect(text('.tool-details h2')).to.equal('Lookup');
    expect(panel().querySelector('table')).to.equal(null);
    expect([first.ariaExpanded, second.ariaExpanded]).to.deep.equal([null, 'true']);
  });

  it('observe the conversation only while they are open, and once', async () => {
    const { open, panel, press, controller, chat, settleFully } = await setupCalls();
    const observations = recordObservations({}, [controller]);
    const closed = observations.list();
    await open();
    const node = panel();
    const opened = observations.list();
    expect(opened.length).to.equal(closed.length + 1);
    await open(1);
    expect(observations.list(), 'another call').to.deep.equal(opened);
    expect(panel(), 'the same area').to.equal(node);
    await press(node, 'Escape');
    expect(observations.list()).to.deep.equal(closed);
    chat.style.width = '360px';
    await settleFully();
    expect(chat.shadowRoot?.querySelector<HTMLElement>('.main')?.inert, 'closed').to.equal(false);
  });

  it('have their role and width before they get the focus, which scrolls nothing', async () => {
    const { open, panel, press, root, settleFully } = await setupCalls(360);
    const seen: unknown[] = [];
    root.addEventListener('focusin', (event) => {
      const { role, ariaModal, classList } = event.target as HTMLElement;
      if (!classList.contains('tool-details')) return;
      const width = panel().querySelector('.side-edge')?.ariaValueNow;
      seen.push(role, ariaModal, width === null || width === '0');
    });
    const { focus } = HTMLElement.prototype;
    const options: unknown[] = [];
    try {
      const button = await open();
      expect(seen).to.deep.equal(['dialog', 'true', false]);
      HTMLElement.prototype.focus = function record(given) {
        options.push([this, given]);
        focus.call(this, given);
      };
      await press(panel(), 'Escape');
      expect(options).to.deep.equal([[button, { preventScroll: true }]]);
      button.click();
      for (let turn = 0; turn < 4; turn += 1) await settleFully();
      expect(options.at(-1)).to.deep.equal([panel(), { preventScroll: true }]);
    } finally {
      HTMLElement.prototype.focus = focus;
    }
  });

  for (const [width, role] of [
    [767, 'dialog'],
    [768, 'complementary'],
  ] as const) {
    it(`have the role ${role} in a chat of ${width} px`, async () => {
      const { open, panel } = await setupCalls(width);
      await open();
      expect(panel().role).to.equal(role);
    });
  }

  for (const [size, width, role] of [
    ['20px', 1023, 'dialog'],
    ['20px', 1024, 'complementary'],
    ['12px', 614, 'dialog'],
    ['12px', 615, 'complementary'],
  ] as const) {
    it(`have the role ${role} in a chat of ${width} px with text of ${size}, where the style sheet changes their layout`, async () => {
      const { chat, open, panel } = await setupCalls(width);
      chat.style.setProperty('--ubik-font-size', size);
      await open();
      expect(panel().role).to.equal(role);
      expect(panel().offsetWidth === width).to.equal(role === 'dialog');
    });
  }

  it('are closed by an Escape that does not reach the chat', async () => {
    const { open, panel, chat } = await setupCalls();
    await open();
    const keys: string[] = [];
    chat.addEventListener('keydown', ({ key }) => keys.push(key));
    const event = pressKey(panel(), 'Escape');
    expect([event.defaultPrevented, keys]).to.deep.equal([true, []]);
  });

  it('keep what they show when the chat is updated', async () => {
    const { open, panel, chat, settleFully } = await setupCalls();
    await open();
    const records: MutationRecord[] = [];
    const observer = new MutationObserver((found) => records.push(...found));
    observer.observe(panel(), { childList: true, subtree: true, characterData: true });
    chat.requestUpdate();
    await settleFully();
    expect(records).to.deep.equal([]);
    observer.disconnect();
  });

  it('keep the width of the column that they replace for another call, but not without the column', async () => {
    const { open, panel, chat, press, settleFully } = await setupCalls(1400);
    const column = chat.appendChild(document.createElement('div'));
    column.slot = 'end';
    await settleFully();
    await open();
    const width = panel().offsetWidth;
    expect(width).to.not.equal(384);
    await open(1);
    expect(panel().offsetWidth, 'another call').to.equal(width);
    await press(panel(), 'Escape');
    column.remove();
    await settleFully();
    await open();
    expect(panel().offsetWidth, 'without the column').to.equal(384);
  });

  it('close when the transcript shows a branch without their message', async () => {
    const { box, controller, settleFully } = await setupCalls();
    const transcript = document.createElement('ubik-transcript');
    transcript.controller = controller;
    box.append(transcript);
    await settleFully();
    const root = transcript.renderRoot as ShadowRoot;
    for (const details of root.querySelectorAll<HTMLDetailsElement>('.tool')) details.open = true;
    await settleFully();
    root.querySelector<HTMLElement>('.open-details')?.click();
    await settleFully();
    expect(root.querySelectorAll('.tool-details').length).to.equal(1);
    const [question] = controller.thread?.messages.values() ?? [];
    transcript.head = question?.key ?? null;
    await settleFully();
    expect(root.querySelectorAll('.message').length).to.equal(1);
    expect(root.querySelectorAll('.tool-details').length).to.equal(0);
  });

  it('move the focus to the message field when their button is gone', async () => {
    const { open, root, field, panel, press } = await setupCalls();
    const button = await open();
    button.remove();
    await press(panel(), 'Escape');
    expect(root.activeElement).to.equal(field);
  });

  it('are resized with the keyboard, and restore their width', async () => {
    const { open, panel, query, press, controller } = await setupCalls();
    await open();
    const edge = (): HTMLElement => query('.details-area > .side-edge');
    expect([edge().role, edge().ariaOrientation]).to.deep.equal(['separator', 'vertical']);
    expect([edge().ariaValueMin, edge().ariaValueNow, edge().ariaValueMax]).to.deep.equal([
      '160',
      '384',
      '650',
    ]);
    expect(edge().ariaLabel).to.equal('Width of Details panel');
    await press(edge(), 'ArrowLeft');
    expect(panel().offsetWidth).to.equal(400);
    expect(edge().ariaValueNow).to.equal('400');
    await press(edge(), 'Enter');
    expect(panel().offsetWidth).to.equal(400);
    const next = await setupCalls(1300, (await controller.storage.get('details')) as Json);
    await next.open();
    expect(next.panel().offsetWidth).to.equal(400);
  });

  it('are resized in the direction of the key in right-to-left text', async () => {
    const { chat, box, open, panel, query, press, settleFully } = await setupCalls();
    (box as HTMLElement).dir = 'rtl';
    await settleFully();
    await open();
    expect(panel().getBoundingClientRect().left).to.equal(chat.getBoundingClientRect().left);
    await press(query('.details-area > .side-edge'), 'ArrowRight');
    expect(panel().offsetWidth).to.equal(400);
  });

  it('are updated with the call', async () => {
    const { chat, backend, controller, write, press, root, settle, query, text } =
      await setupChat();
    chat.style.width = '1300px';
    write('Go');
    press('Enter');
    await settle();
    backend.stream.begin();
    const message = backend.stream.keys.answer;
    const put = (part: string, parent: string | null, value: object): void => {
      const change = { type: 'part', message, part, parent, before: null, value } as never;
      backend.stream.push(change);
    };
    const set = (part: string, name: string, value: string): void => {
      backend.stream.push({ type: 'set', message, part, path: [name], value });
    };
    const { parts: _parts, key: _key, ...fields } = call('tool:1', { state: 'running' });
    put('tool:1', null, { ...fields, result: null });
    await settle();
    await settle();
    query<HTMLDetailsElement>('.tool').open = true;
    await settle();
    await settle();
    query('.open-details').click();
    for (let turn = 0; turn < 4; turn += 1) await settle();
    expect(text('.tool-details .call-state')).to.equal('running');
    put('tool:1/0', 'tool:1', { kind: 'text' });
    backend.stream.push({ type: 'text', message, part: 'tool:1/0', at: 0, text: 'Half' });
    await settle();
    backend.stream.push({ type: 'text', message, part: 'tool:1/0', at: 4, text: ' done' });
    await settle();
    await settle();
    expect(text('.tool-details .text')).to.equal('Half done');
    set('tool:1', 'result', 'Two depots');
    set('tool:1', 'state', 'done');
    set('tool:1', 'title', 'Depots');
    await settle();
    await settle();
    expect(text('.tool-details .call-state')).to.equal('done');
    expect(text('.tool-details .subject')).to.equal('Depots');
    expect(text('.tool-details .payload')).to.contain('Two depots');
    put('other', null, { kind: 'text' });
    backend.stream.push({ type: 'text', message, part: 'other', at: 0, text: 'Beside' });
    await settle();
    expect(query('.tool-details').textContent).to.not.contain('Beside');
    backend.stream.push({ type: 'remove', message, part: 'tool:1' });
    await settle();
    expect(root.querySelector('.tool-details')).to.equal(null);
    controller.close();
  });

  it('are rendered in the new language when it changes', async () => {
    const { chat, open, panel, settleFully, text } = await setupCalls();
    await open();
    await loadLanguage('de');
    chat.lang = 'de';
    await settleFully();
    const german = findLocale('de');
    expect(text('.tool-details h2')).to.equal(german.find('tool_sql_query'));
    expect(text('.tool-details .call-state')).to.equal(german.text('toolDone'));
    const sections = [...panel().querySelectorAll('.payload h3')];
    expect(sections.map(({ textContent }) => textContent)).to.deep.equal([
      german.text('toolInput'),
      german.text('toolResult'),
    ]);
    expect(panel().querySelector<HTMLElement>('.head button')?.title).to.equal(
      german.text('close'),
    );
    expect(text('.tool-details .data-scroller tbody')).to.equal('NorthSouth');
  });

  it('become a modal dialog when the chat becomes narrow, and a region again', async () => {
    const { chat, open, panel, query, press, settleFully } = await setupCalls();
    await open();
    const mode = () => [panel().role, panel().ariaModal, query('.main').inert];
    expect(mode()).to.deep.equal(['complementary', null, false]);
    chat.style.width = '360px';
    await settleFully();
    expect(mode()).to.deep.equal(['dialog', 'true', true]);
    expect(panel().inert).to.equal(false);
    chat.style.width = '1300px';
    await settleFully();
    expect(mode()).to.deep.equal(['complementary', null, false]);
    chat.style.width = '360px';
    await settleFully();
    await press(panel(), 'Escape');
    expect(query('.main').inert).to.equal(false);
    expect(query('.ubik').classList.contains('with-details')).to.equal(false);
  });

  it('stay open on an Escape that was handled inside, or that belongs to a dialog', async () => {
    const { open, panel, press, isOpen } = await setupCalls();
    await open();
    const inner = panel().appendChild(document.createElement('div'));
    inner.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    await press(inner, 'Escape');
    expect(isOpen(), 'handled').to.equal(true);
    const dialog = inner.appendChild(document.createElement('dialog'));
    await press(dialog, 'Escape');
    expect(isOpen(), 'in a dialog').to.equal(true);
    await press(inner, 'Enter');
    expect(isOpen(), 'another key').to.equal(true);
    await press(inner, 'Escape');
    expect(isOpen()).to.equal(false);
  });

  it('leave the focus where the user has moved it when they close', async () => {
    const { open, panel, field, root, controller, settleFully, isOpen } = await setupCalls();
    await open();
    expect(panel().tabIndex).to.equal(-1);
    expect(panel().part.contains('tool-details')).to.equal(true);
    field.focus();
    await controller.openThread('t2');
    await settleFully();
    expect(isOpen()).to.equal(false);
    expect(root.activeElement).to.equal(field);
  });

  it('close when another controller is connected', async () => {
    const { open, isOpen, chat, settleFully } = await setupCalls();
    await open();
    chat.controller = setupController().controller;
    await settleFully();
    expect(isOpen()).to.equal(false);
  });

  it('close when another controller is connected, whose messages have the same keys', async () => {
    const { open, isOpen, backend, chat, settleFully } = await setupCalls();
    await open();
    const other = setupController();
    for (const [id, content] of backend.threads) other.backend.threads.set(id, content);
    await other.controller.openThread('t');
    chat.controller = other.controller;
    await settleFully();
    expect(isOpen()).to.equal(false);
  });

  it('close when another branch of the thread is shown', async () => {
    const { open, isOpen, controller, backend, settleFully } = await setupCalls();
    backend.capabilities.add('regenerate');
    await open();
    void controller.regenerate(controller.thread?.head ?? '', {});
    await settleFully();
    expect(backend.stream.method).to.equal('regenerate');
    expect(isOpen()).to.equal(false);
  });

  it('close when another thread is opened', async () => {
    const { open, controller, settleFully, isOpen } = await setupCalls();
    await open();
    await controller.openThread('t2');
    await settleFully();
    expect(isOpen()).to.equal(false);
  });

  it('close when the element is removed from the page', async () => {
    const { open, chat, box, settleFully, isOpen } = await setupCalls();
    await open();
    chat.remove();
    expect(isOpen()).to.equal(false);
    box.append(chat);
    await settleFully();
    expect(isOpen()).to.equal(false);
  });

  it('are omitted from a printed page', async () => {
    const { open, panel } = await setupCalls();
    await open();
    const { emulateMedia } = await import('@web/test-runner-commands');
    await emulateMedia({ media: 'print' });
    try {
      expect(panel().checkVisibility()).to.equal(false);
    } finally {
      await emulateMedia({ media: 'screen' });
    }
  });
});
