import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVisitor } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();

test('chat answers a question about documents with citations, and shows the same after a reload', async () => {
  const chat = await getFixture().open();
  await chat.ask('How does an answer survive a broken network?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Sources');
  await chat.find('button[part~=citation]');
  const live = await chat.transcript();
  await chat.reload();
  await chat.waitForText('Sources');
  assert.equal(await chat.transcript(), live);
  assert.deepEqual(chat.pageErrors, []);
});

test('chat answers a question about the database with a table', async () => {
  const chat = await getFixture().open();
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('td');
  const cells = await chat.page.$$eval('ubik-chat >>> td', (all) =>
    all.map((cell) => cell.textContent),
  );
  assert.ok(cells.includes('Hungary') && cells.includes('Ukraine'), cells.join());
  assert.ok((await chat.page.$$('ubik-chat >>> th[scope]')).length > 0);
});

test(
  'phases of a tool and results of a step are shown, and dispatched to the host page',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    await chat.page.evaluate(() => {
      const dispatched: unknown[] = [];
      Object.assign(window, { dispatched });
      for (const type of ['ubik-step-completed', 'ubik-run-completed'])
        document.addEventListener(type, ({ detail }: CustomEventInit) => dispatched.push(detail));
    });
    await chat.ask('How does an answer survive a broken network?');
    await chat.waitForEvent('ubik-run-completed');
    const json = await chat.page.evaluate(() => JSON.stringify(Reflect.get(window, 'dispatched')));
    const details = JSON.parse(json) as { step?: number; results?: object; result?: object }[];
    const steps = details.filter(({ step }) => step !== undefined);
    assert.deepEqual(
      steps.map(({ step }) => step),
      steps.map((_, index) => index + 1),
    );
    assert.ok(steps.length > 0);
    for (const { results } of steps) assert.ok(results && 'found' in results);
    assert.deepEqual(details.at(-1)?.result, { status: 'completed', steps: steps.length });
    await chat.waitForRendering();
    const tool = await chat.find('.tool');
    await tool.evaluate((node) => {
      (node as HTMLDetailsElement).open = true;
    });
    // The code that renders the content is loaded with the first tool.
    await tool.waitForSelector('.phases li');
    const shown = await chat.page.$eval('ubik-chat', (chat) => {
      const root = chat.shadowRoot;
      const rows = [...(root?.querySelectorAll('.tool[open] .phases li bdi:first-of-type') ?? [])];
      return {
        phases: rows.map(({ textContent }) => textContent),
        reports: root?.querySelectorAll('.step > .results > .report').length,
      };
    });
    assert.ok(shown.phases.includes('Preparing the search'), shown.phases.join());
    assert.equal(shown.reports, steps.length);
  },
);

test('agent asks a question and continues with the answer from the form', async () => {
  const chat = await getFixture().open();
  await chat.ask('Which is the biggest river in Europe?');
  await chat.waitForEvent('ubik-run-paused');
  // A choice is a button that sends the answer.
  await chat.focus('.request .choice-button');
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Volga');
  const events = await chat.events();
  for (const type of ['ubik-input-required', 'ubik-input-provided', 'ubik-run-paused']) {
    assert.equal(events.filter((seen) => seen === type).length, 1, type);
  }
  const live = await chat.transcript();
  await chat.reload();
  await chat.waitForText('Volga');
  assert.equal(await chat.transcript(), live);
});

test('question of the agent is still open after a reload and can be answered in the composer', async () => {
  const chat = await getFixture().open();
  await chat.ask('Which is the biggest river in Europe?');
  await chat.waitForEvent('ubik-run-paused');
  await chat.reload();
  await chat.find('.request .choice-button');
  await chat.ask('discharge');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('By discharge');
});

test('failed tool is shown with its reason, and the run continues', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  await chat.ask('Read https://example.com/page and tell me what it says about networks');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('no way out to the network');
  assert.deepEqual(chat.pageErrors, []);
});

test('run is stopped during a tool call', async () => {
  const chat = await getFixture().open();
  await getFixture().demo.control({ pause: { point: 'tool' } });
  await chat.ask('Which countries does the Danube flow through?');
  await getFixture().demo.control({ whenPaused: true });
  await chat.pressButton('Stop');
  await chat.waitForText('Stopping…');
  await getFixture().demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-stopped');
  const events = await chat.events();
  assert.equal(
    events.filter((type) => /^ubik-run-(completed|failed|interrupted)$/.test(type)).length,
    0,
  );
});

test('run is rejoined after the network was disconnected during the answer', async () => {
  const { demo, proxy, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'text', skip: 3 } });
  await chat.ask('How does an answer survive a broken network?');
  await demo.control({ whenPaused: true });
  // The code that renders messages must be loaded before the network is disconnected.
  await chat.find('.message');
  proxy.disconnect();
  await chat.page.waitForFunction(() =>
    /connection was lost/i.test(document.querySelector('ubik-chat')?.shadowRoot?.textContent ?? ''),
  );
  proxy.reconnect();
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  const live = await chat.transcript();
  const events = await chat.events();
  assert.equal(events.filter((type) => type === 'ubik-run-started').length, 1);
  await chat.reload();
  await chat.waitForText('Sources');
  assert.equal(await chat.transcript(), live);
});

test('active run is rejoined after a reload', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'text', skip: 3 } });
  await chat.ask('How does an answer survive a broken network?');
  await demo.control({ whenPaused: true });
  await chat.reload();
  const { detail } = await chat.waitForEvent('ubik-run-started');
  assert.equal(detail['resumed'], true);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Sources');
});

test('conversation is restored after a restart of the server', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await chat.ask('What is 12 * (3 + 4)?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('84');
  const live = await chat.transcript();
  await demo.restart('SIGKILL');
  await chat.reload();
  await chat.waitForText('84');
  assert.equal(await chat.transcript(), live);
  await chat.ask('What is 2 + 2?');
  await chat.waitForEvent('ubik-run-completed');
});

test('conversation is shown in a second tab of its user, and not to another user', async () => {
  const visitor = await openVisitor();
  const first = await getFixture().open(visitor);
  await first.ask('What is 12 * (3 + 4)?');
  await first.waitForEvent('ubik-run-completed');
  const second = await getFixture().open(visitor);
  await second.waitForText('84');
  assert.equal(await second.transcript(), await first.transcript());
  const stranger = await getFixture().open();
  assert.equal(await stranger.transcript(), '');
});

test(
  'composer sends nothing during IME composition, nor with the Enter that ends it',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    const { page } = chat;
    await page.evaluate(() => {
      const node = document.querySelector('ubik-chat') as unknown as { mentions: unknown };
      node.mentions = [{ name: '山田' }, { name: '山本' }];
    });
    const field = await chat.find('.field textarea');
    await chat.focus('.field textarea');
    await chat.find('.suggestions');
    const session = await page.createCDPSession();
    const compose = (text: string): Promise<unknown> =>
      session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    // A browser reports a key that the input method has processed with the key code 229, Enter itself with 13.
    const key = { type: 'rawKeyDown', key: 'Enter', code: 'Enter' } as const;
    const readText = (): Promise<string> =>
      field.evaluate((node) => (node as HTMLTextAreaElement).value);
    await compose('6');
    await compose('6*');
    await session.send('Input.dispatchKeyEvent', { ...key, windowsVirtualKeyCode: 13 });
    await session.send('Input.dispatchKeyEvent', { ...key, windowsVirtualKeyCode: 229 });
    assert.equal(await readText(), '6*');
    await session.send('Input.insertText', { text: '6 * 7 = ? @' });
    await chat.find('.suggestions:popover-open [role=option]');
    await compose('やま');
    await session.send('Input.dispatchKeyEvent', { ...key, windowsVirtualKeyCode: 229 });
    assert.equal(await readText(), '6 * 7 = ? @やま');
    assert.deepEqual(await chat.events(), []);
    await session.send('Input.insertText', { text: '山' });
    await page.waitForFunction(
      () =>
        document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('[role=option]')
          .length === 2,
    );
    await (await chat.find('[role=option]:nth-child(2)')).click();
    assert.equal(await readText(), '6 * 7 = ? @山本 ');
    await chat.pressButton('Send');
    await chat.waitForEvent('ubik-message-sent');
    assert.deepEqual(chat.pageErrors, []);
  },
);

test(
  'composer sends on the Enter of a composition that the input method does not process',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    const field = await chat.find('.field textarea');
    await chat.focus('.field textarea');
    const session = await chat.page.createCDPSession();
    const text = '6 * 7 = ?';
    const [selectionStart, selectionEnd] = [text.length, text.length];
    await session.send('Input.imeSetComposition', { text, selectionStart, selectionEnd });
    // Unlike `rawKeyDown`, `keyDown` inserts its text.
    const key = { type: 'keyDown', key: 'Enter', code: 'Enter', text: '\r' } as const;
    await session.send('Input.dispatchKeyEvent', { ...key, windowsVirtualKeyCode: 13 });
    await chat.waitForEvent('ubik-message-sent');
    assert.equal(await field.evaluate((node) => (node as HTMLTextAreaElement).value), '');
    assert.deepEqual(chat.pageErrors, []);
  },
);
