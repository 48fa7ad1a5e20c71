import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import '../../src/elements/transcript/deep-link-notice.js';
import { LazyDeepLinkNotice } from '../../src/elements/transcript/lazy-deep-link-notice.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import { explainCode } from '../../src/message/explain-error.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupBranches, MESSAGES, version, type ReadMessage } from './branch-fixture.js';
import { setupChat } from './chat-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { Deferred } from '../helpers/deferred.js';

describe('deep link', () => {
  const talk = Array.from({ length: 60 }, (_, at) =>
    stored(`m${at}`, at % 2 ? 'assistant' : 'user', `Message ${at}`),
  );

  it('scrolls to a message of a thread, and the host page can read the position', async () => {
    const { chat, controller, backend, settle, query } = await setupChat();
    backend.threads.set('t1', contentOf('t1', talk));
    chat.messageId = 'm20';
    await chat.openThread('t1');
    await settle();
    expect(chat.currentMessageId).to.equal('m20');
    expect(query('.scroll-to-end').checkVisibility()).to.equal(true);
    chat.messageId = 'm4';
    await chat.updateComplete;
    await settle();
    expect(chat.currentMessageId).to.equal('m4');
    expect(controller.thread?.id).to.equal('t1');
    query('.scroller').scrollTop += 300;
    await settle();
    const place = chat.currentMessageId;
    expect(place).to.not.equal('m4');
    chat.requestUpdate();
    await settle();
    expect(chat.currentMessageId, 'scrolled by the user').to.equal(place);
  });

  it('scrolls to a message of a thread that a shared controller already has', async () => {
    const { backend, box, chat, controller, settle } = await setupChat();
    backend.threads.set('t1', contentOf('t1', talk));
    await controller.openThread('t1');
    const other = document.createElement('ubik-chat');
    Object.assign(other, { controller, messageId: 'm20' });
    other.style.height = '500px';
    box.append(other);
    await other.updateComplete;
    await settle();
    expect(other.currentMessageId).to.equal('m20');
    expect(chat.currentMessageId).not.to.equal('m20');
  });
});

describe('deep link to a message that is not shown', () => {
  const other = version('q1', 'user', 'First question', ['q3', 'q1', 'q2'], 10);

  /** A chat whose `messageId` is that of a message that is not shown, after the notice of that has appeared. */
  async function setupLink(read: ReadMessage, id = 'q1') {
    const fixture = await setupBranches(MESSAGES, read);
    const { chat, settle } = fixture;
    const readNotice = () => fixture.query('.deep-link').textContent.replaceAll(/\s+/g, ' ').trim();
    chat.messageId = id;
    await settle();
    await waitFor(readNotice);
    return { ...fixture, readNotice, switchButton: () => fixture.button('Switch to that version') };
  }

  it('reports that it is in another version, and switches only on request', async () => {
    const { readNotice, switchButton, backend, chat, shown, events, settle, query } =
      await setupLink(() => other);
    expect(readNotice()).to.contain('is in another version');
    expect(backend.count('switchBranch')).to.equal(0);
    expect(shown()).to.deep.equal(['Second question', 'Second answer']);
    expect(query('.deep-link').role).to.equal('status');
    await expect(chat).to.be.accessible();
    backend.responses.set('switchBranch', () => contentOf('t', [other]));
    const scroller = query('.scroller');
    const focused: unknown[] = [];
    scroller.focus = (options) => {
      focused.push(options);
      HTMLElement.prototype.focus.call(scroller, options);
    };
    switchButton().focus();
    switchButton().click();
    await waitFor(() => readNotice() === '');
    expect(focused[0]).to.deep.equal({ preventScroll: true });
    await settle();
    expect(events.map(({ type }) => type)).to.deep.equal([
      'ubik-branch-switch',
      'ubik-branch-switched',
    ]);
    expect(shown()).to.deep.equal(['First question']);
    expect(chat.currentMessageId).to.equal('q1');
    expect(readNotice()).to.equal('');
    expect(chat.shadowRoot?.activeElement?.classList.contains('scroller')).to.equal(true);
  });

  it('reports that there is no such message, and keeps the shown messages', async () => {
    const { readNotice, shown, button, settle, backend, chat, controller, query, root } =
      await setupLink(() => {
        throw new UbikError('not-found');
      });
    expect(readNotice()).to.contain('isn’t in this conversation');
    expect(readNotice()).not.to.contain('Switch');
    expect(shown()).to.deep.equal(['Second question', 'Second answer']);
    const count = backend.count('loadMessage');
    void controller.send({ text: 'More', attachments: [] });
    await settle();
    expect(backend.count('loadMessage'), 'looked up once').to.equal(count);
    await loadLanguage('de');
    chat.lang = 'de';
    await settle();
    expect(readNotice()).to.contain(findLocale('de').text('linkNotFound'));
    chat.lang = 'en';
    await settle();
    const composer = query('.composer textarea');
    composer.focus();
    button('Close').click();
    await settle();
    expect(readNotice()).to.equal('');
    expect(root.activeElement, 'the focus was elsewhere').to.equal(composer);
  });

  it('shows nothing during a lookup, and only the result for the last link', async () => {
    const lookups = new Map<string, Deferred<StoredMessage>>();
    const fixture = await setupBranches(MESSAGES);
    const { backend, chat, settle, query } = fixture;
    const readNotice = () => query('.deep-link').textContent.replaceAll(/\s+/g, ' ').trim();
    backend.responses.set('loadMessage', (_, id) => {
      const lookup = new Deferred<StoredMessage>();
      lookups.set(String(id), lookup);
      return lookup.promise;
    });
    const link = async (id: string): Promise<void> => {
      chat.messageId = id;
      await settle();
      await waitFor(() => lookups.has(id));
    };
    await link('first');
    await link('second');
    expect(readNotice()).to.equal('');
    lookups.get('second')?.reject(new UbikError('network'));
    await waitFor(readNotice);
    expect(readNotice()).to.contain('Retry');
    lookups.get('first')?.resolve(other);
    await settle();
    expect(readNotice(), 'an outdated result').to.contain('Retry');
    lookups.delete('second');
    fixture.button('Retry').click();
    await waitFor(() => lookups.has('second'));
    expect(readNotice(), 'looking up again').to.equal('');
    await link('third');
    lookups.get('second')?.reject(new UbikError('network'));
    await settle();
    expect(readNotice(), 'an outdated error').to.equal('');
    lookups.get('third')?.resolve(other);
    await waitFor(readNotice);
    expect(readNotice()).to.contain('is in another version');
    void chat.send('Next question');
    await settle();
    expect(readNotice(), 'a message was sent').to.equal('');
  });

  it('reports a message that is not shown in a chat without a conversation', async () => {
    const { chat, backend, settle, text } = await setupChat();
    backend.capabilities.add('branches');
    chat.showMessage('q1');
    await settle();
    await waitFor(() => text('.deep-link'));
    expect(text('.deep-link')).to.contain('isn’t shown in this conversation');
    expect(backend.count('loadMessage')).to.equal(0);
  });

  it('reports a failed lookup, and looks up again on request', async () => {
    for (const code of [
      'unauthorized',
      'forbidden',
      'rate-limited',
      'server',
      'network',
    ] as const) {
      let works = false;
      const { readNotice, button, box } = await setupLink(() => {
        if (works) return other;
        throw new UbikError(code);
      });
      expect(readNotice(), code).to.contain('Retry');
      works = true;
      button('Retry').click();
      await waitFor(() => readNotice().includes('another version'));
      box.remove();
    }
  });

  it('shows nothing when the lookup is aborted', async () => {
    let isAborted = false;
    const { readNotice, button, settle } = await setupLink(() => {
      throw new UbikError(isAborted ? 'aborted' : 'network');
    });
    isAborted = true;
    button('Retry').click();
    await settle();
    await waitFor(() => readNotice() === '');
  });

  it('finds a loaded version without a request', async () => {
    const { chat, controller, backend, query, settle } = await setupBranches(MESSAGES, () => other);
    const [question] = controller.thread?.messages.values() ?? [];
    await controller.loadVersion(question?.key ?? '', 'q1');
    // The version pager loads the other versions automatically once it is in the viewport, so only requests for q1 count.
    const countRequests = (): number =>
      backend.calls.filter(({ method, args }) => method === 'loadMessage' && args[1] === 'q1')
        .length;
    const count = countRequests();
    expect(count).to.be.greaterThan(0);
    chat.messageId = 'q1';
    await settle();
    await waitFor(() => query('.deep-link').textContent.includes('is in another version'));
    expect(countRequests()).to.equal(count);
    const readNotice = (): string => query('.deep-link').textContent;
    expect(readNotice()).to.contain('Switch to that version');
    backend.capabilities.delete('branches');
    chat.requestUpdate();
    await settle();
    expect(readNotice()).to.contain('is in another version');
    expect(readNotice(), 'branches are not supported').to.not.contain('Switch');
  });

  it('keeps the branch when switching fails, and offers no switch during a run', async () => {
    const { readNotice, switchButton, backend, settle, shown, controller } = await setupLink(
      () => other,
    );
    backend.responses.set('switchBranch', () => {
      throw new UbikError('busy');
    });
    switchButton().click();
    await settle();
    expect(readNotice()).to.contain('Switch to that version');
    expect(readNotice()).not.to.contain('is in another version');
    expect(shown()).to.deep.equal(['Second question', 'Second answer']);
    const { text } = findLocale('en');
    const hint = () => [switchButton().title, switchButton().getAttribute('aria-description')];
    expect(hint()).to.deep.equal([text('linkSwitches'), text('linkSwitches')]);
    const sent = controller.send({ text: 'More', attachments: [] });
    await settle();
    expect(switchButton().ariaDisabled).to.equal('true');
    const busy = explainCode('busy', findLocale('en'));
    expect(hint()).to.deep.equal([busy, busy]);
    const count = backend.count('switchBranch');
    switchButton().click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(count);
    backend.stream.begin();
    await sent;
  });

  it('does not scroll to the message any more once its notice is closed', async () => {
    const { readNotice, button, chat, backend, controller, shown, settle } = await setupLink(
      () => other,
    );
    button('Close').click();
    await settle();
    expect(readNotice()).to.equal('');
    const place = chat.currentMessageId;
    backend.responses.set('switchBranch', () =>
      contentOf('t', [
        other,
        stored('a9', 'assistant', 'Paragraph.\n\n'.repeat(80)),
        stored('q9', 'user', 'Last'),
      ]),
    );
    await controller.switchBranch('q1');
    await settle();
    expect(shown()[0]).to.equal('First question');
    expect(chat.currentMessageId).not.to.equal('q1');
    expect(place).not.to.equal('q1');
  });

  it('does not look for the message in a thread that was opened during the switch', async () => {
    const { readNotice, switchButton, backend, controller, settle } = await setupLink(() => other);
    const switching = new Deferred<ReturnType<typeof contentOf>>();
    backend.responses.set('switchBranch', () => switching.promise);
    switchButton().click();
    await settle();
    backend.threads.set('t2', contentOf('t2', [stored('x', 'user', 'Other talk')]));
    await controller.openThread('t2');
    await waitFor(() => readNotice() === '');
    const count = backend.count('loadMessage');
    switching.resolve(contentOf('t', [other]));
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect([readNotice(), backend.count('loadMessage')]).to.deep.equal(['', count]);
  });

  it('has a notice that closes when another message is linked or another thread is opened', async () => {
    const { readNotice, chat, controller, backend } = await setupLink(() => other);
    chat.messageId = 'a2';
    await waitFor(() => readNotice() === '');
    chat.messageId = 'q1';
    await waitFor(readNotice);
    backend.threads.set('t2', contentOf('t2', [stored('x', 'user', 'Other talk')]));
    await controller.openThread('t2');
    await waitFor(() => readNotice() === '');
  });

  it('reports a message that is not shown when the service has no branches', async () => {
    const { chat, backend, controller, settle, text } = await setupChat();
    backend.threads.set('t', contentOf('t', MESSAGES));
    await controller.openThread('t');
    chat.messageId = 'gone';
    await settle();
    await waitFor(() => text('.deep-link'));
    expect(text('.deep-link')).to.contain('isn’t shown in this conversation');
    expect(chat.currentThreadId).to.equal('t');
  });

  it('is not reported when the link is dropped before the code of the notice is loaded', async () => {
    const pendingReveal: { onMissing?: (id: string | null) => void } = {};
    const attempts: Promise<unknown>[] = [];
    const host = {
      context: { actions: {}, locale: findLocale('en') },
      attempt: (action: Promise<unknown>) => {
        attempts.push(action);
        return action;
      },
    };
    const { node } = new LazyDeepLinkNotice(host as never, { pendingReveal } as never);
    for (const id of ['a', null, 'b', null]) pendingReveal.onMissing?.(id);
    while (attempts.length > 0) await attempts.shift();
    expect(node.textContent).to.equal('');
    pendingReveal.onMissing?.('c');
    while (attempts.length > 0) await attempts.shift();
    await waitFor(() => node.textContent.includes('isn’t shown in this conversation'));
  });
});
