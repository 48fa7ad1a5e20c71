import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadSummary } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import type { TestEnvironment } from '../helpers/test-environment.js';
import { recordKey } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController } from './setup-controller.js';

const TALK = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];

test('drafts are not stored beyond the tab without a userKey', async () => {
  const { controller, backend, environment } = setupController({ userKey: null });
  const storedKeys: string[] = [];
  environment.storage.set = (key) => Promise.resolve(void storedKeys.push(key));
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  controller.setDraft(draftOf('text'));
  await environment.advance(1_000);
  assert.deepEqual(storedKeys, []);
});

test('drafts are not stored beyond the tab with an empty or invalid userKey', async () => {
  for (const userKey of [undefined, '', NaN]) {
    const { controller, environment } = setupController({ userKey: userKey as string });
    const storedKeys: string[] = [];
    environment.storage.set = (key) => Promise.resolve(void storedKeys.push(key));
    controller.setDraft(draftOf('text'));
    await environment.advance(1_000);
    assert.deepEqual([storedKeys, controller.userKey], [[], null]);
  }
});

test('drafts are stored for a numeric userKey', async () => {
  const { controller, environment } = setupController({ userKey: 5 as unknown as string });
  const storedKeys: string[] = [];
  environment.storage.set = (key) => Promise.resolve(void storedKeys.push(key));
  controller.setDraft(draftOf('text'));
  await environment.advance(1_000);
  assert.deepEqual([storedKeys.length, controller.userKey], [1, '5']);
});

test('drafts are stored for a thread id with a lone surrogate', async () => {
  const { controller, backend } = setupController();
  const id = 'a\ud800';
  backend.threads.set(id, contentOf(id, TALK));
  await controller.openThread(id);
  controller.setDraft(draftOf('text'));
  controller.switchToNewThread();
  await controller.openThread(id);
  assert.equal(controller.getDraft().text, 'text');
});

test('drafts are separate for thread ids that differ in a lone surrogate', async () => {
  const { controller, backend } = setupController();
  for (const id of ['a\ud800', 'a\ud801']) backend.threads.set(id, contentOf(id, TALK));
  await controller.openThread('a\ud800');
  controller.setDraft(draftOf('text'));
  await controller.openThread('a\ud801');
  assert.equal(controller.getDraft().text, '');
});

test('drafts have the line ends of a text field, also those of a rejected message', async () => {
  const { controller, backend, environment } = setupController();
  controller.setDraft(draftOf('One\r\nTwo\rThree'));
  assert.equal(controller.getDraft().text, 'One\nTwo\nThree');
  backend.responses.set('createThread', () => Promise.reject(new UbikError('bad-request')));
  const draft = { text: 'One\r\nTwo', attachments: [{ id: 'd', name: 'a.txt' }] };
  controller.setDraft(draft);
  const sent = codeOf(controller.send(draft));
  await environment.settle();
  assert.equal(await sent, 'bad-request');
  assert.deepEqual(controller.getDraft(), { ...draft, text: 'One\nTwo' });
});

test('a document of a rejected message that was attached again meanwhile is in the draft once', async () => {
  const { controller, backend, environment } = setupController();
  const attachments = [{ id: 'd', name: 'a.txt' }];
  const creation = new Deferred<never>();
  backend.responses.set('createThread', () => creation.promise);
  const sent = codeOf(controller.send({ text: 'One', attachments }));
  controller.setDraft({ text: 'Two', attachments });
  creation.reject(new UbikError('bad-request'));
  await environment.settle();
  assert.equal(await sent, 'bad-request');
  assert.deepEqual(controller.getDraft(), { text: 'One\n\nTwo', attachments });
});

test('send removes the draft with the text of the message although its line ends differ', async () => {
  const { controller, environment } = setupController();
  controller.setDraft(draftOf('One\r\nTwo'));
  const sent = codeOf(controller.send(draftOf('One\r\nTwo')));
  await environment.settle();
  assert.equal(controller.getDraft().text, '');
  controller.close();
  assert.equal(await sent, 'aborted');
});

test('drafts are separate for each thread', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  backend.threads.set('b', contentOf('b', []));
  controller.setDraft(draftOf('none'));
  await controller.openThread('a');
  controller.setDraft(draftOf('for a'));
  await controller.openThread('b');
  assert.equal(controller.getDraft().text, '');
  await controller.openThread('a');
  assert.equal(controller.getDraft().text, 'for a');
  controller.switchToNewThread();
  assert.equal(controller.getDraft().text, 'none');
  await environment.advance(300);
  assert.equal(environment.timers, 0);
});

test('setDraft stores a draft after its delay, and a reload restores it', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  const written: string[] = [];
  const set = environment.storage.set.bind(environment.storage);
  environment.storage.set = (key, value) => {
    if (key.includes('draft')) written.push(value);
    return set(key, value);
  };
  for (const text of ['u', 'un', 'unsent']) controller.setDraft(draftOf(text));
  await environment.advance(299);
  assert.deepEqual(written, []);
  await environment.advance(1);
  assert.equal(written.length, 1);
  controller.close();
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('a', contentOf('a', TALK));
  await reloaded.controller.openThread('a');
  assert.equal(reloaded.controller.getDraft().text, 'unsent');
});

test('a reload restores the attachments of a draft', async () => {
  const { controller, environment } = setupController();
  const attachments = [{ id: 'd1', name: 'a.pdf' }];
  controller.setDraft({ text: 'See this', attachments });
  await environment.advance(300);
  controller.close();
  const reloaded = setupController({ environment });
  await environment.settle();
  reloaded.controller.switchToNewThread();
  await environment.settle();
  assert.deepEqual(reloaded.controller.getDraft(), { text: 'See this', attachments });
});

/** Closes a page while a second message is being sent. Returns its environment with its storage. */
async function closeWhileSending(text = 'On its way') {
  const { controller, backend, environment, start } = setupController();
  await start('First');
  backend.stream.finish('complete');
  await environment.settle();
  void controller.send(draftOf(text)).catch(() => undefined);
  await environment.settle();
  controller.close();
  return environment;
}

test('a text that is being sent is restored after a reload unless it was delivered', async () => {
  for (const arrived of [false, true]) {
    const environment = await closeWhileSending();
    const reloaded = setupController({ environment });
    const messages = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
    const more = arrived ? [stored('m3', 'user', 'On its way')] : [];
    reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', [...messages, ...more]));
    await reloaded.controller.openThread('thread-id-1');
    assert.equal(reloaded.controller.getDraft().text, arrived ? '' : 'On its way');
  }
});

test('a delivered text is not restored by any later reload', async () => {
  const environment = await closeWhileSending();
  const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
  const more = [stored('m3', 'user', 'On its way'), stored('m4', 'assistant', 'Here')];
  const content = contentOf('thread-id-1', [...talk, ...more]);
  for (const load of [1, 2]) {
    const reloaded = setupController({ environment });
    reloaded.backend.threads.set('thread-id-1', content);
    await reloaded.controller.openThread('thread-id-1');
    assert.equal(reloaded.controller.getDraft().text, '', `load ${load}`);
    reloaded.controller.close();
    await environment.settle();
  }
});

test('a text that is being sent and equals the last message is restored after a reload until it is delivered', async () => {
  const environment = await closeWhileSending('First');
  const messages = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
  for (const arrived of [false, false, true, true]) {
    const reloaded = setupController({ environment });
    const more = arrived ? [stored('m3', 'user', 'First')] : [];
    reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', [...messages, ...more]));
    await reloaded.controller.openThread('thread-id-1');
    assert.equal(reloaded.controller.getDraft().text, arrived ? '' : 'First');
    reloaded.controller.close();
    await environment.settle();
  }
});

for (const outcome of ['lost', 'delivered', 'accepted', 'rejected'] as const) {
  test(`an edited text ${outcome === 'lost' ? 'becomes the draft when the page is reloaded while it is being sent' : `that was ${outcome} is not restored after a reload`}`, async () => {
    const { backend, controller, environment } = setupController();
    const question = stored('m1', 'user', 'Question');
    backend.threads.set('a', contentOf('a', [question, stored('m2', 'assistant', 'Answer')]));
    await controller.openThread('a');
    controller.setDraft(draftOf('Changed'));
    const [key = ''] = controller.thread?.messages.keys() ?? [];
    const edited = codeOf(controller.edit(key, draftOf('Changed')));
    await environment.settle();
    assert.equal(controller.getDraft().text, 'Changed', 'the typed text is kept');
    controller.setDraft(draftOf(''));
    if (outcome === 'accepted') backend.stream.begin();
    if (outcome === 'rejected') backend.stream.fail(new UbikError('forbidden', 'no'));
    if (outcome !== 'lost' && outcome !== 'delivered') await edited;
    await environment.settle();
    controller.close();
    await environment.settle();
    const reloaded = setupController({ environment });
    const changed = [stored('m3', 'user', 'Changed'), stored('m4', 'assistant', '')];
    const unchanged = [question, stored('m2', 'assistant', '')];
    const messages = outcome === 'delivered' ? changed : unchanged;
    reloaded.backend.threads.set('a', contentOf('a', messages));
    await reloaded.controller.openThread('a');
    assert.equal(reloaded.controller.getDraft().text, outcome === 'lost' ? 'Changed' : '');
  });
}

test('drafts and runs work when the storage fails, which is a diagnostic', async () => {
  const { controller, backend, environment, start, notices } = setupController();
  environment.storage.set = () => Promise.reject(new Error('full'));
  await start();
  controller.setDraft(draftOf('next'));
  backend.stream.finish('complete');
  await environment.advance(300);
  assert.equal(controller.thread?.run.state, 'complete');
  assert.equal(controller.getDraft().text, 'next');
  assert.ok(notices.some((n) => n.type === 'diagnostic' && n.error.code === 'storage'));
});

test('a text typed before the stored draft is read follows it, and both are stored', async () => {
  const { environment, controller } = setupController();
  controller.setDraft(draftOf('stored'));
  await environment.advance(1_000);
  controller.close();
  await environment.settle();
  const { get } = environment.storage;
  const reading = new Deferred<void>();
  environment.storage.get = async (key) => {
    await reading.promise;
    return get.call(environment.storage, key);
  };
  const slow = setupController({ environment });
  slow.controller.setDraft(draftOf('typed'));
  await environment.advance(1_000);
  reading.resolve();
  await environment.settle();
  assert.equal(slow.controller.getDraft().text, 'stored\n\ntyped');
  slow.controller.close();
  await environment.settle();
  environment.storage.get = get;
  const next = setupController({ environment });
  await environment.settle();
  assert.equal(next.controller.getDraft().text, 'stored\n\ntyped');
});

test('persistDrafts false stores no unsent text and removes what was stored before', async () => {
  const { environment } = setupController();
  const storedTexts = new Map<string, string>();
  environment.storage.get = (key) => Promise.resolve(storedTexts.get(key) ?? null);
  environment.storage.set = (key, value) => Promise.resolve(void storedTexts.set(key, value));
  environment.storage.remove = (key) => Promise.resolve(void storedTexts.delete(key));
  const open = async (persistDrafts: boolean) => {
    const fixture = setupController({ environment, persistDrafts });
    fixture.backend.threads.set('a', contentOf('a', TALK));
    await fixture.controller.openThread('a');
    return fixture;
  };
  const before = await open(true);
  before.controller.setDraft(draftOf('My number is 4711'));
  await environment.advance(1_000);
  assert.match([...storedTexts.values()].join(), /4711/);
  before.controller.close();
  const { controller, backend } = await open(false);
  assert.equal(controller.getDraft().text, '');
  assert.doesNotMatch([...storedTexts.values()].join(), /4711/);
  void controller.send(draftOf('Question'));
  await environment.settle();
  backend.stream.begin();
  await environment.settle();
  void controller.enqueue(draftOf('Number 4712'));
  controller.setDraft(draftOf('Number 4713'));
  await environment.advance(1_000);
  assert.equal(controller.thread?.list('queue').size, 1);
  controller.close();
  await environment.settle();
  assert.doesNotMatch([...storedTexts.values()].join(), /471/);
  assert.equal((await open(false)).controller.getDraft().text, '');
});

test('the draft of a new thread is stored under its id before the record without an id is removed', async () => {
  const { controller, environment } = setupController();
  const writes: string[] = [];
  const nameOf = (key: string): string => key.split('|').slice(-2).join('|');
  environment.storage.set = async (key) => void writes.push(`set ${nameOf(key)}`);
  environment.storage.remove = async (key) => void writes.push(`remove ${nameOf(key)}`);
  controller.setDraft(draftOf('First'));
  void controller.send(draftOf('First')).catch(() => undefined);
  await environment.settle();
  const drafts = writes.filter((write) => / draft\|/.test(write));
  assert.ok(drafts.indexOf('set draft|thread-id-1') >= 0, drafts.join());
  assert.ok(
    drafts.indexOf('set draft|thread-id-1') < drafts.indexOf('remove draft|'),
    drafts.join(),
  );
  controller.close();
});

test('a draft moves to the thread that an upload creates', async () => {
  const { controller, environment } = setupController();
  controller.setDraft(draftOf('typed'));
  const sending = controller.uploadDocument(new File(['text'], 'a.txt'), () => undefined);
  assert.equal(controller.getDraft().text, 'typed');
  await sending;
  await environment.advance(300);
  assert.equal(controller.thread?.id, 'thread-id-1');
  assert.equal(controller.getDraft().text, 'typed');
});

test('an empty draft removes the stored one', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('thread-id-1', contentOf('thread-id-1', TALK));
  await controller.openThread('thread-id-1');
  controller.setDraft(draftOf('text'));
  await environment.advance(1_000);
  assert.match((await environment.storage.get(recordKey('draft'))) ?? '', /text/);
  controller.setDraft(draftOf(''));
  await environment.advance(1_000);
  assert.equal(await environment.storage.get(recordKey('draft')), null);
});

/** A controller whose first thread is being created while a new thread is current. The test settles the requests that create threads. */
async function setupCreation() {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  const creations: Deferred<ThreadSummary>[] = [];
  backend.responses.set('createThread', () => {
    const creation = new Deferred<ThreadSummary>();
    creations.push(creation);
    return creation.promise;
  });
  const first = controller.send(draftOf('FIRST'));
  await environment.settle();
  controller.switchToNewThread();
  return { ...fixture, creations, first: codeOf(first) };
}

/** The draft of a newly loaded page. */
async function reloadDraft(environment: TestEnvironment): Promise<string> {
  await environment.settle();
  const reloaded = setupController({ environment });
  await environment.settle();
  return reloaded.controller.getDraft().text;
}

test('a draft that is typed while a thread is being created stays when that fails', async () => {
  const { controller, creations, first } = await setupCreation();
  controller.setDraft(draftOf('SECOND'));
  creations[0]?.reject(new UbikError('bad-request'));
  assert.equal(await first, 'bad-request');
  assert.equal(controller.getDraft().text, 'FIRST\n\nSECOND');
});

test('the texts of two threads that cannot be created are both restored', async () => {
  const { controller, environment, creations, first } = await setupCreation();
  const second = codeOf(controller.send(draftOf('SECOND')));
  await environment.settle();
  controller.switchToNewThread();
  creations[0]?.reject(new UbikError('bad-request'));
  creations[1]?.reject(new UbikError('bad-request'));
  assert.deepEqual(await Promise.all([first, second]), ['bad-request', 'bad-request']);
  // Each text is put before the draft, so the one that was rejected last comes first.
  assert.equal(controller.getDraft().text, 'SECOND\n\nFIRST');
  assert.equal(await reloadDraft(environment), 'SECOND\n\nFIRST');
});

test('a draft of the next thread is stored while another thread is being created', async () => {
  const { controller, environment, creations } = await setupCreation();
  controller.setDraft(draftOf('SECOND'));
  await environment.advance(300);
  assert.equal(await reloadDraft(environment), 'FIRST\n\nSECOND');
  creations[0]?.resolve({ id: 'a', title: '', createdAt: 1, updatedAt: 1 });
  await environment.settle();
  assert.equal(await reloadDraft(environment), 'SECOND');
});

test('hiding the page stores the draft at once', async () => {
  const { controller, page, environment } = setupController();
  controller.setDraft(draftOf('pasted'));
  page.hide();
  assert.equal(await reloadDraft(environment), 'pasted');
});

test('the draft after a reload contains only what was typed after a delivered message', async () => {
  const { controller, backend, environment, start } = setupController();
  await start('First');
  backend.stream.finish('complete');
  await environment.settle();
  void controller.send(draftOf('On its way')).catch(() => undefined);
  controller.setDraft(draftOf('next'));
  await environment.advance(300);
  controller.close();
  const reloaded = setupController({ environment });
  const arrived = [stored('m1', 'user', 'First'), stored('m2', 'user', 'On its way')];
  reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', arrived));
  await reloaded.controller.openThread('thread-id-1');
  assert.equal(reloaded.controller.getDraft().text, 'next');
});

for (const [what, entry, isDelivered, wanted] of [
  [
    'is restored after the text that was being sent',
    { text: 'typed', sending: draftOf('Second'), asked: 1 },
    false,
    'Second\n\ntyped',
  ],
  [
    'is restored without the text that was being sent and delivered',
    { text: 'typed', sending: draftOf('Second'), asked: 1 },
    true,
    'typed',
  ],
  [
    'is restored although it equals a delivered message when another text was being sent',
    { text: 'Second', sending: draftOf('Other'), asked: 1 },
    true,
    'Other\n\nSecond',
  ],
  ['is restored when it was not delivered', { text: 'Second', asked: 1 }, false, 'Second'],
  ['is not restored when it was delivered', { text: 'Second', asked: 1 }, true, ''],
  [
    'is restored although it was delivered when the stored number of earlier messages is invalid',
    { text: 'Second', asked: '1' },
    true,
    'Second',
  ],
  ['is ignored when it is no text', { text: 5, asked: 1 }, false, ''],
] as const) {
  test(`a draft in the earlier storage format ${what}`, async () => {
    const { controller, backend, environment } = setupController();
    await environment.storage.set(recordKey('draft'), JSON.stringify(entry));
    const more = isDelivered ? [stored('m3', 'user', 'Second')] : [];
    backend.threads.set('thread-id-1', contentOf('thread-id-1', [...TALK, ...more]));
    await controller.openThread('thread-id-1');
    assert.deepEqual(controller.getDraft(), draftOf(wanted));
  });
}

for (const [code, isRestored] of [
  ['busy', false],
  ['rate-limited', true],
] as const) {
  test(`a text that was rejected with ${code} ${isRestored ? 'stays the draft although' : 'is no draft when'} the thread contains it`, async () => {
    const { controller, backend, environment, page, start } = setupController();
    await start('Hello');
    backend.stream.finish('complete');
    await environment.settle();
    void controller.send(draftOf('Second')).catch(() => undefined);
    await environment.settle();
    const content = contentOf('thread-id-1', [...TALK, stored('m3', 'user', 'Second')]);
    backend.threads.set('thread-id-1', content);
    backend.stream.fail(new UbikError(code));
    await environment.settle();
    page.wake('visible');
    await environment.settle();
    assert.equal(controller.thread?.messages.size, 3);
    assert.equal(controller.getDraft().text, isRestored ? 'Second' : '');
  });
}

test('a text that may be delivered is no draft when the thread contains it, also after it was sent again while the page was offline', async () => {
  const { controller, backend, environment, page, start } = setupController();
  await start('Hello');
  backend.stream.finish('complete');
  await environment.settle();
  const rejected = codeOf(controller.send(draftOf('Second')));
  await environment.settle();
  backend.stream.fail(new UbikError('busy'));
  assert.equal(await rejected, 'busy');
  page.online = false;
  assert.equal(await codeOf(controller.send(draftOf('Second'))), 'not-sent');
  page.online = true;
  const content = contentOf('thread-id-1', [...TALK, stored('m3', 'user', 'Second')]);
  backend.threads.set('thread-id-1', content);
  await controller.openThread('thread-id-1');
  assert.equal(controller.getDraft().text, '');
});

test('openThread keeps a draft that is not stored yet', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  controller.setDraft(draftOf('old'));
  await environment.advance(300);
  controller.setDraft(draftOf('new'));
  await controller.openThread('a');
  assert.equal(controller.getDraft().text, 'new');
});

test('draft-changed is emitted when a draft changes, not when it is stored', async () => {
  const { controller, environment, notices } = setupController();
  controller.setDraft(draftOf('typed'));
  await environment.advance(300);
  assert.equal(notices.filter(({ type }) => type === 'draft-changed').length, 1);
});

test('chats with different storage keys share the drafts of threads, not those of new threads', async () => {
  const one = setupController({ storageKey: 'one' });
  const { environment } = one;
  const openChat = async (storageKey: string) => {
    const { controller, backend } = setupController({ environment, storageKey });
    backend.threads.set('a', contentOf('a', TALK));
    await environment.settle();
    controller.switchToNewThread();
    await environment.settle();
    return controller;
  };
  one.backend.threads.set('a', contentOf('a', TALK));
  one.controller.setDraft(draftOf('a new question'));
  await one.controller.openThread('a');
  one.controller.setDraft(draftOf('a reply'));
  await environment.advance(1_000);
  one.controller.close();
  for (const [storageKey, wanted] of [
    ['one', 'a new question'],
    ['two', ''],
    ['', ''],
  ] as const) {
    const controller = await openChat(storageKey);
    assert.equal(controller.getDraft().text, wanted, storageKey);
    await controller.openThread('a');
    assert.equal(controller.getDraft().text, 'a reply', storageKey);
    controller.close();
  }
});
