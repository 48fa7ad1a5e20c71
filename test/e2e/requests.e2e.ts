/** Requests of the agent and its tools, answered by keyboard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import { openVisitor, type ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';

const getFixture = setupDemo();

/** Returns the tag name and the label or text of the focused element inside the chat. */
function focused(chat: ChatPage): Promise<string> {
  return chat.page.evaluate(() => {
    const active = document.querySelector('ubik-chat')?.shadowRoot?.activeElement;
    return `${active?.localName ?? ''} ${active?.getAttribute('aria-label') ?? active?.textContent?.trim() ?? ''}`;
  });
}

/** Sends a message that causes a request, and moves from the composer into its form with Shift+Tab. */
async function askAndReach(chat: ChatPage, wanted: string, questions: number): Promise<void> {
  await chat.ask(`Ask me for a ${wanted}`);
  await chat.waitForEvent('ubik-input-required', questions);
  await chat.find('.request form');
  // A request never takes the focus, because the user may be typing.
  assert.match(await focused(chat), /^textarea Message/);
  for (let presses = 0; !(await isInForm(chat)); presses += 1) {
    assert.ok(presses < 12, 'the form is reached by Shift+Tab');
    await chat.page.keyboard.down('Shift');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.up('Shift');
  }
}

const isInForm = (chat: ChatPage): Promise<boolean> =>
  chat.page.evaluate(
    () =>
      document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.closest('.request form') !=
      null,
  );

/** Moves to the first control of the form. */
async function moveToFirstControl(chat: ChatPage): Promise<void> {
  while (await isInForm(chat)) {
    await chat.page.keyboard.down('Shift');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.up('Shift');
  }
  await chat.page.keyboard.press('Tab');
}

const tab = (chat: ChatPage): Promise<void> => chat.page.keyboard.press('Tab');

/** Presses nothing: the choice is a button that submits the form. */
const chooseLater = (): Promise<void> => Promise.resolve();

/**
 * Kinds of requests, how to answer them, the texts of the agent and of the collapsed request afterwards, and the button that submits if it is
 * not Submit.
 */
const QUESTIONS = [
  ['name', async ({ page }: ChatPage) => page.keyboard.type('Ann'), 'Ann', 'Ann'],
  ['long text', async ({ page }: ChatPage) => page.keyboard.type('By boat'), 'By boat', 'By boat'],
  ['number', async ({ page }: ChatPage) => page.keyboard.type('12'), '12', '12'],
  [
    'date',
    async ({ page }: ChatPage) => page.keyboard.type('05012026'),
    '2026-05-01',
    '2026-05-01',
  ],
  ['choice', chooseLater, 'Rhine', 'Rhine', 'Rhine'],
  [
    'choices',
    async (chat: ChatPage) => {
      await chat.page.keyboard.press('Space');
      await tab(chat);
      await tab(chat);
      await chat.page.keyboard.press('Space');
    },
    '["Danube","loire"]',
    '["Danube","loire"]',
  ],
  ['yes or no', chooseLater, 'false', 'No', 'No'],
  [
    'json',
    async ({ page }: ChatPage) => page.keyboard.type('{"speed": [1]}'),
    '{"speed":[1]}',
    '{"speed":[1]}',
  ],
  [
    'form',
    async (chat: ChatPage) => {
      await chat.page.keyboard.press('ArrowUp');
      await tab(chat);
      await chat.page.keyboard.type('3');
    },
    '{"river":"Rhine","days":3,"by_bike":false}',
    '{"river":"Rhine","days":3,"by_bike":false}',
  ],
] as const;

test('requests for every kind of value are answered by keyboard, and the answers are shown after a reload', async () => {
  const chat = await getFixture().open();
  for (const [index, [wanted, fill, told, collapsed, button = 'Submit']] of QUESTIONS.entries()) {
    await askAndReach(chat, wanted, index + 1);
    await moveToFirstControl(chat);
    await fill(chat);
    while (!(await focused(chat)).startsWith(`button ${button}`)) await tab(chat);
    await chat.page.keyboard.press('Enter');
    await chat.waitForEvent('ubik-run-completed', index + 1);
    await chat.waitForText(`You told me: ${told}`);
    const summaries = await chat.waitForTexts(
      'ubik-chat',
      '.request[data-state=answered] summary',
      index + 1,
    );
    assert.ok(summaries.at(-1)?.includes(collapsed), wanted);
    // The form was removed, and the focus has moved to the next control.
    assert.match(await focused(chat), /^textarea Message/);
    assert.deepEqual(
      (await chat.events()).filter((type) => type.startsWith('ubik-input')).slice(-3),
      ['ubik-input-required', 'ubik-input-provide', 'ubik-input-provided'],
    );
  }
  await getFixture().demo.restart();
  await chat.reload();
  for (const [, , told] of QUESTIONS) await chat.waitForText(`You told me: ${told}`);
  assert.deepEqual(chat.pageErrors, []);
});

test('form is shown when its code is loaded, also after a failed attempt', async () => {
  const chat = await getFixture().open();
  let isBlocking = true;
  await chat.page.setRequestInterception(true);
  chat.page.on('request', (request) => {
    const isForm = request.url().includes('/parts/answer-');
    void (isForm && isBlocking ? request.abort() : request.continue());
  });
  await chat.ask('Ask me for a number');
  await chat.find('.request [role=alert]');
  assert.equal(await openForms(chat), 0);
  isBlocking = false;
  await chat.pressButton('Retry');
  await (await chat.find('.request input[type=number]')).type('7');
  await chat.pressButton('Submit');
  await chat.waitForText('You told me: 7');
});

test('several requests are pending at once: each is answered once, in any order, also after a reload and in a second tab', async () => {
  const visitor = await openVisitor();
  const { open } = getFixture();
  const first = await open(visitor);
  await first.ask('Ask me for a number, a date and a choice');
  await first.waitForEvent('ubik-input-required', 3);
  await waitForForms(first, 3);
  const second = await open(visitor);
  await second.waitForEvent('ubik-input-required', 3);
  await waitForForms(second, 3);
  await answer(first, 'How many days', '3');
  await first.waitForEvent('ubik-input-provided');
  // The other tab is updated.
  await waitForForms(second, 2);
  await first.reload();
  await first.waitForEvent('ubik-input-required', 2);
  await waitForForms(first, 2);
  await answer(first, 'When do you want', '2026-05-01');
  await first.waitForEvent('ubik-input-provided');
  await getFixture().demo.restart('SIGKILL');
  await first.reload();
  await first.waitForEvent('ubik-input-required');
  await first.find('.request .choice-button');
  await first.pressButton('Danube');
  await first.waitForEvent('ubik-run-completed');
  for (const told of ['3', '2026-05-01', 'Danube']) await first.waitForText(`You told me: ${told}`);
});

test('question with choices shows them in a browser that has not received its event', async () => {
  const chat = await getFixture().open();
  await chat.ask('Ask me yourself for a choice');
  await chat.find('.request .choice-button');
  await chat.page.evaluate(() => {
    const names = Object.keys(localStorage).filter((name) => name.includes('questions'));
    if (names.length === 0) throw new Error('The browser has stored no question.');
    for (const name of names) localStorage.removeItem(name);
  });
  await chat.reload();
  await chat.waitForTexts('ubik-chat', '.request .choice-button', 3);
  await chat.pressButton('Rhine');
  await chat.waitForText('You told me: Rhine');
  assert.deepEqual(chat.pageErrors, []);
});

/** Sets a tool, renderers and Markdown extensions of the page before the chat has messages. Runs in the page. */
function addToolAndRenderers(): void {
  const count = (name: string): number => {
    const next = Number(localStorage.getItem(name) ?? '0') + 1;
    localStorage.setItem(name, String(next));
    return next;
  };
  document.addEventListener('DOMContentLoaded', () => {
    const chat = document.querySelector('ubik-chat');
    if (!chat) return;
    chat.context = { title: 'Loire', data: { river: 'Loire' } };
    chat.tools = {
      ask_person: {
        description: 'Fills in the form of this page.',
        schema: { type: 'object', required: ['question'] },
        run: () => ({ river: 'Danube', run: count('runs') }),
      },
    };
    chat.markdownExtensions = [
      {
        extensions: [
          {
            name: 'number',
            level: 'inline',
            start: (source: string) => source.search(/\d/),
            tokenizer(source: string) {
              const [raw] = /^\d+/.exec(source) ?? [];
              return raw === undefined ? undefined : { type: 'number', raw };
            },
            renderer: ({ raw }: { raw: string }) => `<b class="page-number">${raw}</b>`,
          },
        ],
      },
      {
        walkTokens: (token: { type: string }) => {
          if (token.type === 'list') Object.assign(token, { type: 'notes' });
        },
        extensions: [
          {
            name: 'notes',
            renderer(this: { parser: { parse(tokens: unknown): string } }, token: object) {
              const list = Object.assign({}, token, { type: 'list' });
              return `<section class="notes">${this.parser.parse([list])}</section>`;
            },
          },
        ],
      },
    ];
    chat.renderers = [
      {
        tool: 'ask_person',
        renderer: {
          mount: (box, context) => {
            const title = document.createElement('h4');
            title.textContent = 'Asked by the page';
            box.append(title, context.standard());
          },
        },
      },
      {
        tool: 'calculate',
        renderer: {
          mount: (box, context) => {
            const { expression } = Object(context.tool.input) as { expression?: string };
            if (!expression?.startsWith('7')) return context.decline();
            box.textContent = `Sevens: ${expression}`;
            return undefined;
          },
        },
      },
      {
        tool: ['calculate'],
        renderer: {
          mount: async (box, { tool }) => {
            if (count('loads') === 1) throw new Error('The first attempt fails.');
            const draw = (call: typeof tool): void => {
              box.textContent = `${call.rawInput ?? ''} = ${call.rawResult ?? '?'}`;
            };
            draw(tool);
            return Promise.resolve({ update: (changed) => draw(changed.tool) });
          },
        },
      },
    ];
  });
}

/** Runs in the page: what the page shows in the chat, with the state of built-in views in it. */
const readBoxes = (): string[] =>
  [...document.querySelectorAll('ubik-chat > [slot^=ubik-]')].map((box) => {
    const standard = box.querySelector('div')?.shadowRoot?.querySelector('.tool');
    return `${box.textContent} ${standard?.getAttribute('data-state') ?? ''}`;
  });

/** Runs in the page: the text of the message field, and whether it has the focus. */
const readField = () => {
  const root = document.querySelector('ubik-chat')?.shadowRoot;
  const field = root?.querySelector<HTMLTextAreaElement>('.field textarea');
  return { value: field?.value, isFocused: root?.activeElement === field };
};

/** Runs in the page: the chip of the context; null without one. */
const readContextChip = (): string | null =>
  document
    .querySelector('ubik-chat')
    ?.shadowRoot?.querySelector('.context .chip')
    ?.textContent.trim() ?? null;

/** Runs in the page: what Markdown extensions have drawn in the chat. */
const readExtensions = (): string[] =>
  [
    ...(document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('.ubik-extension') ?? []),
  ].map((box) => `${box.firstElementChild?.className ?? ''} ${box.textContent.trim()}`);

test('tool of the page answers a call that the user allows, once, and renderers and Markdown extensions show the same after a reload', async () => {
  const { open, demo } = getFixture();
  const chat = await open(undefined, async (page) => {
    // The policy of the demo does not allow the sanitizer that extensions need.
    await page.setBypassCSP(true);
    await page.evaluateOnNewDocument(addToolAndRenderers);
  });
  const bodies: string[] = [];
  chat.page.on('request', (request) => bodies.push(request.postData() ?? ''));
  // The renderer whose promise was rejected is asked again when the tool has its result.
  await demo.control({ pause: { point: 'tool' } });
  await chat.ask('What is 12 * 3?');
  await chat.waitForEvent('ubik-error');
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  // The first renderer of the tool declines the calls with other inputs.
  await chat.ask('What is 7 * 6?');
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.page.evaluate(() =>
    document.querySelector('ubik-chat')?.compose({ text: 'Ask me for a form', focus: true }),
  );
  assert.deepEqual(await chat.page.evaluate(readField), {
    value: 'Ask me for a form',
    isFocused: true,
  });
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-input-required');
  await chat.waitForText('Fills in the form of this page.');
  assert.equal(await openForms(chat), 0);
  await chat.pressButton('Allow');
  await chat.waitForEvent('ubik-input-provided');
  await chat.waitForEvent('ubik-run-completed', 3);
  await chat.waitForText('Danube');
  await chat.page.waitForFunction(`(${readBoxes.toString()})().length === 3`);
  const live = await chat.page.evaluate(readBoxes);
  assert.match(live[0] ?? '', /12.*= .*36/);
  assert.equal(live[1], 'Sevens: 7 * 6 ');
  assert.match(live[2] ?? '', /^Asked by the page.*done$/);
  await chat.page.waitForFunction(`(${readExtensions.toString()})().length >= 3`);
  const drawn = await chat.page.evaluate(readExtensions);
  assert.deepEqual(drawn.slice(0, 2), ['page-number 36', 'page-number 42']);
  assert.match(drawn[2] ?? '', /^notes You told me: .*Danube/);
  // UBIK accepts no context: nothing is shown or sent, which is reported once.
  const reports = await chat.page.evaluate(() =>
    window.seenEvents.flatMap(({ type, detail: { code, offender } }) =>
      type === 'ubik-diagnostic' ? [[code, offender]] : [],
    ),
  );
  assert.deepEqual(reports, [['unsupported', 'context']]);
  assert.equal(await chat.page.evaluate(readContextChip), null);
  assert.ok(bodies.some((body) => body.includes('Ask me for a form')));
  assert.deepEqual(
    bodies.filter((body) => body.includes('"Loire"')),
    [],
  );
  await demo.restart();
  await chat.reload();
  await chat.waitForText('Danube');
  await chat.page.waitForFunction(`(${readBoxes.toString()})().length === 3`);
  assert.deepEqual(await chat.page.evaluate(readBoxes), live);
  await chat.page.waitForFunction(`(${readExtensions.toString()})().length >= 3`);
  assert.deepEqual(await chat.page.evaluate(readExtensions), drawn);
  assert.equal(await chat.page.evaluate(() => localStorage.getItem('runs')), '1');
  // The agent gets the reason why a call with a wrong input did not run.
  await chat.page.evaluate(() => {
    const element = document.querySelector('ubik-chat');
    if (element) {
      element.tools = { ask_person: { schema: { required: ['seat'] }, run: () => 'not called' } };
    }
  });
  await chat.ask('Ask me for a form');
  await chat.waitForText('invalid-input');
  assert.deepEqual(chat.pageErrors, []);
});

/** Sets a tool that runs without confirmation and counts its calls in all tabs. Runs in the page. */
function addCountingTool(): void {
  document.addEventListener('DOMContentLoaded', () => {
    const chat = document.querySelector('ubik-chat');
    if (!chat) return;
    chat.tools = {
      ask_person: {
        confirm: 'never',
        run: (_input, { id }) => {
          const runs = JSON.parse(localStorage.getItem('calls') ?? '[]') as unknown[];
          localStorage.setItem('calls', JSON.stringify([...runs, id]));
          return { river: 'Danube' };
        },
      },
    };
  });
}

test('tool of the page runs in one of several tabs, and its answer is shown in all', async () => {
  const visitor = await openVisitor();
  const prepare = async (page: ChatPage['page']): Promise<void> =>
    void (await page.evaluateOnNewDocument(addCountingTool));
  const first = await getFixture().open(visitor, prepare);
  await first.ask('What is 2 * 3?');
  await first.waitForEvent('ubik-run-completed');
  const second = await getFixture().open(visitor, prepare);
  await second.waitForText('6');
  await first.ask('Ask me for a form');
  for (const chat of [first, second]) await chat.waitForText('Danube');
  await first.waitForEvent('ubik-run-completed', 2);
  const calls = await second.page.evaluate(() => localStorage.getItem('calls') ?? '[]');
  assert.equal((JSON.parse(calls) as unknown[]).length, 1, calls);
  assert.deepEqual([first.pageErrors, second.pageErrors], [[], []]);
});

const openForms = (chat: ChatPage): Promise<number> => chat.page.evaluate(countForms);

/** Runs in the page: the number of forms of requests in the chat. */
const countForms = (): number =>
  document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('.request form').length ?? 0;

/** Waits until a number of forms are shown. Their code may be loaded after the requests are shown. */
async function waitForForms(chat: ChatPage, count: number): Promise<void> {
  await chat.page.waitForFunction(`(${countForms.toString()})() === ${count}`);
}

/** Fills in and submits the form of one of several requests. */
async function answer(chat: ChatPage, question: string, value: string): Promise<void> {
  const field = await chat.page.waitForFunction(
    (wanted) =>
      [...(document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('.request') ?? [])]
        .find((request) => request.textContent?.includes(wanted))
        ?.querySelector('input'),
    {},
    question,
  );
  const input = field.asElement() as ElementHandle<HTMLInputElement> | null;
  await input?.evaluate((control, text) => {
    control.value = text;
    control.form?.requestSubmit();
  }, value);
}
