import { expect } from '@open-wc/testing';
import { DebugPanel, type DebuggedHost } from '../../src/elements/debug/debug-panel.js';
import type { ElementContext } from '../../src/elements/base/view-context.js';
import { VERSION } from '../../src/elements/define-element.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import {
  UbikAuthRequiredEvent,
  UbikDiagnosticEvent,
  UbikThreadOpenedEvent,
} from '../../src/events/index.js';
import { UbikError } from '../../src/errors.js';
import { dispatchError } from '../../src/elements/base/controller-events.js';
import { render } from 'lit';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import { waitFor } from '../helpers/wait-for.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { setupChat } from './chat-fixture.js';
import { NOON, ScriptedClock } from './scripted-clock.js';

/** A debug panel that observes a chat with these properties, which connects to nothing. */
async function setupPanel(properties: Partial<UbikChat> = {}) {
  const { chat } = await setupChat((made) => {
    made.controller = null;
    made.layout = 'bubble';
  });
  Object.assign(chat, properties);
  const { viewContext } = chat as unknown as { viewContext: ElementContext };
  let updates = 0;
  const host = {
    element: chat,
    context: Object.assign(viewContext, { clock: new ScriptedClock() }),
    requestUpdate: () => (updates += 1),
  } as unknown as DebuggedHost;
  const panel = new DebugPanel(host);
  const box = document.createElement('div');
  /** Renders the panel, and returns the values of each line by its name. */
  const lines = (): Record<string, string[]> => {
    render(panel.render(), box);
    const found: [string, string[]][] = [];
    for (const node of box.querySelectorAll('dt, dd')) {
      if (node.localName === 'dt') found.push([node.textContent, []]);
      else found.at(-1)?.[1].push(node.textContent);
    }
    return Object.fromEntries(found);
  };
  const fail = (error: UbikError): void => void dispatchError(chat, error);
  return { chat, panel, box, lines, fail, updates: () => updates };
}

/** Dispatches a violation of the Content-Security-Policy. */
function violate(blockedURI: string): void {
  document.dispatchEvent(
    new SecurityPolicyViolationEvent('securitypolicyviolation', {
      effectiveDirective: 'connect-src',
      blockedURI,
      documentURI: location.href,
      violatedDirective: 'connect-src',
      originalPolicy: '',
      disposition: 'enforce',
      statusCode: 200,
    }),
  );
}

describe('debug panel', () => {
  it('shows version and service, and that nothing was found yet', async () => {
    const { lines, box } = await setupPanel({ service: 'ubik' });
    expect(lines()).to.deep.equal({
      Version: [`ubik-elements ${VERSION}`],
      Service: ['ubik', 'default address'],
      Token: ['No getToken'],
      'Content-Security-Policy': ['No problem found'],
      CORS: ['No problem found'],
      'Last errors': ['None'],
    });
    expect(box.querySelector('section')?.getAttribute('aria-label')).to.equal('Debug');
  });

  it('shows the address without user, query and fragment, and whether it is on the same origin', async () => {
    for (const [baseUrl, address, cors] of [
      ['/api?key=1#x', `${location.origin}/api`, 'Not needed: same origin'],
      ['https://me:pw@api.example/v1?key=1', 'https://api.example/v1', 'No problem found'],
      ['https://[', 'default address', 'No problem found'],
      ['blob:x', 'blob:x', 'No problem found'],
    ] as const) {
      const { lines } = await setupPanel({ service: 'ubik', baseUrl });
      expect(lines()['Service'], baseUrl).to.deep.equal(['ubik', address]);
      expect(lines()['CORS'], baseUrl).to.deep.equal([cors]);
    }
  });

  it('shows that the page provides the controller or the backend', async () => {
    for (const name of ['controller', 'backend'] as const) {
      const { lines, chat } = await setupPanel();
      Object.defineProperty(chat, name, { value: {} });
      expect(lines()['Service']).to.deep.equal(['Provided by the page']);
      expect(lines()['Token']).to.deep.equal(['Provided by the page']);
    }
  });

  it('follows the state of the token', async () => {
    const { chat, lines, fail, updates } = await setupPanel({ getToken: () => 'x' });
    expect(lines()['Token']).to.deep.equal(['Not used yet']);
    const seen: string[] = [];
    for (const act of [
      () => chat.dispatchEvent(new UbikThreadOpenedEvent({ threadId: 'a' })),
      () => chat.dispatchEvent(new UbikAuthRequiredEvent()),
      () => chat.dispatchEvent(new Event('ubik-thread-created')),
      () => fail(new UbikError('unauthorized', 'no')),
      () => chat.dispatchEvent(new Event('ubik-message-sent')),
      () => fail(new UbikError('misuse', 'getToken threw an error.')),
      () => chat.dispatchEvent(new UbikAuthRequiredEvent()),
    ]) {
      const before = updates();
      act();
      seen.push(lines()['Token']?.join() ?? '');
      const isChanged = seen.at(-1) !== seen.at(-2);
      expect(updates() > before, 'is rendered again').to.equal(isChanged);
    }
    expect(seen).to.deep.equal([
      'Accepted by the service',
      'Rejected by the service',
      'Accepted by the service',
      'Rejected by the service',
      'Accepted by the service',
      'getToken failed',
      'getToken failed',
    ]);
  });

  it('ignores a new thread, for which the service was not asked', async () => {
    const { chat, lines } = await setupPanel({ getToken: () => 'x' });
    chat.dispatchEvent(new UbikThreadOpenedEvent({ threadId: null }));
    expect(lines()['Token']).to.deep.equal(['Not used yet']);
    chat.dispatchEvent(new UbikAuthRequiredEvent());
    chat.dispatchEvent(new UbikThreadOpenedEvent({ threadId: null }));
    expect(lines()['Token']).to.deep.equal(['Rejected by the service']);
  });

  it('shows that getToken is missing, and that the service has rejected a request without a token', async () => {
    const { lines, fail } = await setupPanel();
    expect(lines()['Token']).to.deep.equal(['No getToken']);
    fail(new UbikError('unauthorized', 'no'));
    expect(lines()['Token']).to.deep.equal(['No getToken', 'Rejected by the service']);
  });

  it('shows the last errors, the newest first, without credentials', async () => {
    const { lines, fail, chat, updates } = await setupPanel();
    const before = updates();
    fail(new UbikError('server', 'https://me:pw@api.example/v1?key=1 failed.', { status: 503 }));
    expect(updates()).to.equal(before + 1);
    chat.dispatchEvent(
      new UbikDiagnosticEvent({ code: 'unsupported', message: 'No context.', offender: null }),
    );
    const time = new Date(NOON).toISOString().slice(11, 19);
    expect(lines()['Last errors']).to.deep.equal([
      `${time} unsupported No context.`,
      `${time} server 503 https://api.example/v1 failed.`,
    ]);
    for (let turn = 0; turn < 40; turn += 1) fail(new UbikError('network', `Error ${turn}.`));
    expect(lines()['Last errors']?.map((line) => line.slice(9))).to.deep.equal(
      [39, 38, 37, 36, 35].map((turn) => `network Error ${turn}.`),
    );
    const empty = new UbikDiagnosticEvent({ code: 'unsupported', message: '', offender: null });
    chat.dispatchEvent(empty);
    expect(lines()['Last errors']?.[0]).to.equal(`${time} unsupported`);
    expect(lines()['CORS']).to.deep.equal(['No problem found']);
    fail(new UbikError('blocked', 'https://api.example/v1?key=1 is blocked (CORS).'));
    expect(lines()['CORS']).to.deep.equal(['https://api.example/v1 is blocked (CORS).']);
  });

  it('shows policy violations once each, while the chat is in the document', async () => {
    const { lines, chat, updates } = await setupPanel();
    violate('https://api.example/v1?key=1');
    expect(updates()).to.equal(1);
    violate('https://api.example/v1?key=2');
    violate('inline');
    const found = ['connect-src blocks https://api.example/v1', 'connect-src blocks inline'];
    expect(lines()['Content-Security-Policy']).to.deep.equal(found);
    const parent = chat.parentElement;
    chat.remove();
    violate('https://other.example/');
    expect(lines()['Content-Security-Policy']).to.deep.equal(found);
    parent?.append(chat);
    for (let turn = 0; turn < 40; turn += 1) violate(`https://a.example/${turn}`);
    expect(lines()['Content-Security-Policy']?.length).to.equal(10);
    const before = updates();
    violate('https://late.example/');
    expect(updates(), 'too many').to.equal(before);
    chat.remove();
  });

  it('copies its lines', async () => {
    const own = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
    const copied: string[] = [];
    const writeText = (text: string): Promise<void> => Promise.resolve(void copied.push(text));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    try {
      const { box, lines } = await setupPanel({ service: 'ubik' });
      lines();
      document.body.append(box);
      box.querySelector('button')?.click();
      box.remove();
      expect(copied.length).to.equal(1);
      expect(copied[0]).to.match(
        /^Version\nubik-elements [^\n]+\n\nService\nubik\ndefault address\n\nToken\n/,
      );
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard');
      if (own) Object.defineProperty(navigator, 'clipboard', own);
    }
  });

  it('follows the language after its button was pressed', async () => {
    const clipboard = mockClipboard();
    const { box, lines, chat } = await setupPanel({ service: 'ubik' });
    const { viewContext } = chat as unknown as { viewContext: ElementContext };
    lines();
    document.body.append(box);
    const button = box.querySelector('button');
    button?.click();
    await waitFor(() => button?.textContent === 'Copied');
    await loadLanguage('fr');
    const locale = findLocale('fr');
    Object.defineProperty(viewContext, 'locale', { configurable: true, value: locale });
    lines();
    button?.dispatchEvent(new FocusEvent('blur'));
    expect(button?.textContent).to.equal(locale.text('debugCopy'));
    clipboard.restore();
    box.remove();
  });

  it('is loaded and removed with the attribute, and lets the chat connect', async () => {
    const { chat, root, settle, controller } = await setupChat((made) => (made.debug = true));
    for (let turn = 0; turn < 60 && !root.querySelector('.debug'); turn += 1) await settle();
    await settle();
    expect(root.querySelectorAll('.debug').length).to.equal(1);
    const { borderTopStyle } = getComputedStyle(root.querySelector('.debug') as Element);
    expect(borderTopStyle).to.equal('dashed');
    void chat.send('Question');
    await settle();
    expect(controller.thread).not.to.equal(null);
    chat.debug = false;
    await chat.updateComplete;
    expect(root.querySelector('.debug')).to.equal(null);
  });
});
