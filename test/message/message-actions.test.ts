import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { MessageActions } from '../../src/message/branches/message-actions.js';
import { MessageView } from '../../src/message/message-view.js';
import type { ViewActions } from '../../src/message/part-view.js';
import { createFieldChange } from '../../src/model/change.js';
import type { MessageFields } from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import { part, setupMessageView, text } from './message-fixture.js';
import { threadOf } from './thread-of.js';
import { deepActiveElement } from '../helpers/deep-focus.js';

/** Waits until the callbacks of settled promises have run. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A complete message “Hello” with these actions, of the user unless the fields say otherwise. */
function setupHello(actions: ViewActions = {}, fields: Partial<MessageFields> = {}) {
  const fixture = setupMessageView({
    actions,
    fields: { role: 'user', status: 'complete', ...fields },
  });
  fixture.run(part('t', { kind: 'text' }), text('t', 'Hello'));
  const click = (selector: string): void => {
    fixture.query(selector).click();
    fixture.frames.flush();
  };
  const field = (): HTMLTextAreaElement => fixture.query<HTMLTextAreaElement>('.edit textarea');
  const press = (key: string, options: KeyboardEventInit = {}): void => {
    const event = new KeyboardEvent('keydown', {
      key,
      bubbles: true,
      cancelable: true,
      ...options,
    });
    field().dispatchEvent(event);
  };
  const type = (value: string): void => {
    field().value = value;
    field().dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  return { ...fixture, click, field, press, type };
}

/** A thread in which message `m` is the second of three versions, the last of them not loaded. */
const threadOfVersions = (): Thread =>
  threadOf('m', {
    m1: { role: 'user', siblingIds: ['m1', 'm', 'm3'], createdAt: 1 },
    m: { role: 'user', siblingIds: ['m1', 'm', 'm3'], createdAt: 2 },
  });

describe('edit action', () => {
  it('opens a form with the text of the message, and focuses it at the end', () => {
    const { click, field, root, host } = setupHello({ edit: () => Promise.resolve(true) });
    click('.edit-button');
    expect(field().value).to.equal('Hello');
    expect(host.shadowRoot?.activeElement).to.equal(field());
    expect(field().selectionStart).to.equal(5);
    expect(root.querySelector('.edited')).not.to.equal(null);
  });

  it('closes on Escape and on Cancel, and focuses the button', () => {
    const { click, press, root, host } = setupHello({ edit: () => Promise.resolve(true) });
    click('.edit-button');
    press('Escape');
    expect(root.querySelector('.edit')).to.equal(null);
    expect(host.shadowRoot?.activeElement?.classList.contains('edit-button')).to.equal(true);
    click('.edit-button');
    click('.edit .quiet');
    expect(root.querySelector('.edit')).to.equal(null);
  });

  it('sends the typed text on Enter, once, and closes when it is sent', async () => {
    const sent: string[] = [];
    const { click, press, type, root } = setupHello({
      edit: (message, value) => {
        sent.push(`${message} ${value}`);
        return Promise.resolve(true);
      },
    });
    click('.edit-button');
    type('Goodbye');
    press('Enter', { repeat: true });
    press('Enter', { shiftKey: true });
    expect(sent).to.deep.equal([]);
    press('Enter');
    press('Enter');
    await settled();
    expect(sent).to.deep.equal(['m Goodbye']);
    expect(root.querySelector('.edit')).to.equal(null);
  });

  it('keeps the form open when the host page cancels the event', async () => {
    const { click, press, field } = setupHello({ edit: () => Promise.resolve(false) });
    click('.edit-button');
    press('Enter');
    await settled();
    expect(field().value).to.equal('Hello');
  });

  it('shows the error of the service and keeps the text', async () => {
    const error = new UbikError('network');
    const {
      click,
      press,
      type,
      field,
      text: shown,
    } = setupHello({
      edit: () => Promise.reject(error),
    });
    click('.edit-button');
    type('Goodbye');
    press('Enter');
    await settled();
    expect(shown('[role=alert]')).to.equal(error.message);
    expect(field().value).to.equal('Goodbye');
    press('Escape');
    expect(() => shown('[role=alert]')).to.throw();
  });

  it('shows no error when it was aborted', async () => {
    const { click, press, root } = setupHello({
      edit: () => Promise.reject(new UbikError('aborted')),
    });
    click('.edit-button');
    press('Enter');
    await settled();
    expect(root.querySelector('[role=alert]')).to.equal(null);
  });

  it('does not send blank or invalid text', () => {
    const sent: string[] = [];
    const { click, press, type, query } = setupHello({
      edit: (_message, value) => {
        sent.push(value);
        return Promise.resolve(true);
      },
      validateMessage: (value) => (value === 'bad' ? 'Not allowed.' : ''),
    });
    click('.edit-button');
    for (const value of ['  ', 'bad']) {
      type(value);
      press('Enter');
      expect(query('.edit .primary').getAttribute('aria-disabled'), value).to.equal('true');
    }
    expect(query('.edit .meta').textContent).to.equal('Not allowed.');
    expect(sent).to.deep.equal([]);
  });

  it('is disabled with a reason while a run is in progress', () => {
    const run = { type: 'thread', set: { run: { state: 'streaming' } } } as const;
    const { click, query, root } = setupHello({
      edit: () => Promise.resolve(true),
      thread: threadOf('m', { m: { role: 'user' } }, run),
    });
    expect(query('.edit-button').getAttribute('aria-disabled')).to.equal('true');
    expect(query('.edit-button').title).to.contain('not available');
    click('.edit-button');
    expect(root.querySelector('.edit')).to.equal(null);
  });
});

describe('regenerate action', () => {
  it('is offered for an answer only, and requests another one', async () => {
    const requested: string[] = [];
    const regenerate = (message: string): Promise<boolean> => {
      requested.push(message);
      return Promise.resolve(true);
    };
    const question = setupHello({ regenerate });
    expect(question.root.querySelector('.regenerate-button')).to.equal(null);
    const answer = setupHello(
      { regenerate, edit: () => Promise.resolve(true) },
      {
        role: 'assistant',
      },
    );
    expect(answer.root.querySelector('.edit-button')).to.equal(null);
    answer.click('.regenerate-button');
    await settled();
    expect(requested).to.deep.equal(['m']);
  });

  it('is disabled until the request is settled', async () => {
    let resolve: (isDone: boolean) => void = () => undefined;
    const { click, query } = setupHello(
      { regenerate: () => new Promise((settle) => (resolve = settle)) },
      { role: 'assistant' },
    );
    click('.regenerate-button');
    expect(query('.regenerate-button').getAttribute('aria-disabled')).to.equal('true');
    resolve(false);
    await settled();
    expect(query('.regenerate-button').getAttribute('aria-disabled')).to.equal('false');
  });
});

describe('retry of a failed answer', () => {
  const setupAnswer = (status: MessageFields['status'], head: string) => {
    const requested: string[] = [];
    const regenerate = (message: string): Promise<boolean> => {
      requested.push(message);
      return Promise.resolve(true);
    };
    const thread = threadOf(head, { m: { status }, later: { parent: 'm', role: 'user' } });
    const fixture = setupHello({ regenerate, thread }, { role: 'assistant', status });
    return { ...fixture, requested };
  };

  it('is a button with a label below the last answer, and requests another answer', async () => {
    const { click, query, requested } = setupAnswer('failed', 'm');
    expect(query('.retry-button').textContent.trim()).to.equal('Retry');
    expect(getComputedStyle(query('.retry-button')).opacity).to.equal('1');
    expect(query('.retry-button').hasAttribute('title')).to.equal(false);
    expect(query('.retry-button').ariaDisabled).to.equal('false');
    click('.retry-button');
    await settled();
    expect(requested).to.deep.equal(['m']);
  });

  it('is disabled with a reason while a run is in progress', async () => {
    let requests = 0;
    const thread = threadOf(
      'm',
      { m: { status: 'failed' } },
      { type: 'thread', set: { run: { state: 'streaming' } } },
    );
    const { click, query } = setupHello(
      { regenerate: () => Promise.resolve((requests += 1) > 0), thread },
      { role: 'assistant', status: 'failed' },
    );
    expect(query('.retry-button').ariaDisabled).to.equal('true');
    expect(query('.retry-button').title).to.contain('Regenerate');
    click('.retry-button');
    await settled();
    expect(requests).to.equal(0);
  });

  it('is not offered below an earlier answer, or below one that has not failed', () => {
    expect(setupAnswer('failed', 'later').root.querySelector('.retry-button')).to.equal(null);
    for (const status of ['complete', 'stopped', 'interrupted'] as const) {
      const { root } = setupAnswer(status, 'm');
      expect(root.querySelector('.retry-button'), status).to.equal(null);
      expect(root.querySelectorAll('.regenerate-button').length, status).to.equal(1);
    }
  });

  it('shows the description of the service when the request is rejected', async () => {
    const serviceError = { description: 'No quota left.', advice: 'Ask the owner.', code: 'E7' };
    const error = new UbikError('forbidden', { serviceError });
    const thread = threadOf('m', { m: { status: 'failed' } });
    const { click, text: shownText } = setupHello(
      { regenerate: () => Promise.reject(error), thread },
      { role: 'assistant', status: 'failed' },
    );
    click('.retry-button');
    await settled();
    expect(shownText('[role=alert]')).to.equal('No quota left. Ask the owner.');
  });
});

describe('focus after an action', () => {
  it('moves to the same control of the message that replaces the original one', async () => {
    const actions = { regenerate: () => Promise.resolve(true) };
    const { click, context, frames, host, message, root, view } = setupHello(actions, {
      role: 'assistant',
    });
    click('.regenerate-button');
    await settled();
    view.dispose();
    view.node.remove();
    const replace = (): MessageView => {
      const next = new MessageView(message(), context);
      root.append(next.node);
      return next;
    };
    // The first view of the message that is created in place of this one gets the focus.
    const first = replace();
    replace();
    deepActiveElement().blur();
    frames.flush();
    const active = host.shadowRoot?.activeElement;
    expect(active?.classList.contains('regenerate-button')).to.equal(true);
    expect(first.node.contains(active ?? null)).to.equal(true);
  });

  it('moves to the control of an answer that is complete before the next frame', async () => {
    const actions = { regenerate: () => Promise.resolve(true) };
    const { click, context, frames, host, message, root, view } = setupHello(actions, {
      role: 'assistant',
    });
    const complete = message();
    click('.regenerate-button');
    await settled();
    view.dispose();
    view.node.remove();
    deepActiveElement().blur();
    const next = new MessageView({ ...complete, status: 'streaming' }, context);
    root.append(next.node);
    next.apply(createFieldChange('m', null, 'status', 'complete'), complete);
    frames.flush();
    const active = host.shadowRoot?.activeElement;
    expect(active?.classList.contains('regenerate-button')).to.equal(true);
  });

  it('stays where the user has moved it meanwhile', async () => {
    const actions = { regenerate: () => Promise.resolve(true) };
    const { click, context, frames, host, message, root } = setupHello(actions, {
      role: 'assistant',
    });
    click('.regenerate-button');
    await settled();
    const other = document.createElement('button');
    root.append(other);
    other.focus();
    root.append(new MessageView(message(), context).node);
    frames.flush();
    expect(host.shadowRoot?.activeElement).to.equal(other);
  });

  it('does not move to a message with another parent', async () => {
    const { click, context, frames, host, message, root } = setupHello(
      { regenerate: () => Promise.resolve(true) },
      { role: 'assistant' },
    );
    click('.regenerate-button');
    await settled();
    deepActiveElement().blur();
    const other = new MessageView({ ...message(), key: 'n', parent: 'm' }, context);
    root.append(other.node);
    frames.flush();
    expect(other.node.contains(host.shadowRoot?.activeElement ?? null)).to.equal(false);
  });

  it('moves from the list of messages to the control', async () => {
    const { click, context, frames, host, message, root, view } = setupHello(
      { regenerate: () => Promise.resolve(true) },
      { role: 'assistant' },
    );
    root.classList.add('scroller');
    root.tabIndex = -1;
    click('.regenerate-button');
    await settled();
    view.dispose();
    view.node.remove();
    root.focus();
    const next = new MessageView(message(), context);
    root.append(next.node);
    frames.flush();
    expect(next.node.contains(host.shadowRoot?.activeElement ?? null)).to.equal(true);
  });

  it('stays outside the chat when the user has moved it there', async () => {
    const { click, context, frames, message, root, view } = setupHello(
      { regenerate: () => Promise.resolve(true) },
      { role: 'assistant' },
    );
    click('.regenerate-button');
    await settled();
    view.dispose();
    view.node.remove();
    const outside = document.createElement('button');
    document.body.append(outside);
    outside.focus();
    root.append(new MessageView(message(), context).node);
    frames.flush();
    expect(document.activeElement).to.equal(outside);
    outside.remove();
  });
});

describe('version pager', () => {
  const siblingIds = ['m1', 'm', 'm3'];

  it('is not shown for a message with one version', () => {
    const thread = threadOf('m', { m: { role: 'user' } });
    const { root } = setupHello({ thread, switchBranch: () => Promise.resolve(true) });
    expect(root.querySelector('.versions')).to.equal(null);
  });

  it('shows the number of versions while one is not loaded', () => {
    const thread = threadOfVersions();
    const actions = { thread, switchBranch: () => Promise.resolve(true) };
    const { text: shown } = setupHello(actions, { siblingIds });
    expect(shown('.versions bdi')).to.equal('3 versions');
  });

  it('shows the position when all versions are loaded, and switches by buttons and arrow keys', async () => {
    const switched: string[] = [];
    const both = { role: 'user', siblingIds: ['m1', 'm'] } as const;
    const thread = threadOf('m', { m1: { ...both, createdAt: 1 }, m: { ...both, createdAt: 2 } });
    const {
      click,
      query,
      text: shown,
    } = setupHello(
      {
        thread,
        switchBranch: (id) => {
          switched.push(id);
          return Promise.resolve(true);
        },
      },
      { siblingIds: ['m1', 'm'] },
    );
    expect(shown('.versions bdi')).to.equal('2 of 2');
    expect(query('.next-button').getAttribute('aria-disabled')).to.equal('true');
    click('.next-button');
    expect(switched).to.deep.equal([]);
    click('.previous-button');
    await settled();
    const press = (key: string, options: KeyboardEventInit = {}): void => {
      const event = new KeyboardEvent('keydown', {
        key,
        bubbles: true,
        cancelable: true,
        ...options,
      });
      query('.previous-button').dispatchEvent(event);
    };
    press('ArrowLeft', { altKey: true });
    press('ArrowLeft', { repeat: true });
    press('ArrowRight');
    expect(switched).to.deep.equal(['m1']);
    press('ArrowLeft');
    await settled();
    expect(switched).to.deep.equal(['m1', 'm1']);
  });

  it('shows that more messages follow other versions', () => {
    const both = { role: 'user', siblingIds: ['m1', 'm'] } as const;
    const thread = threadOf('m', {
      ...{ m1: { ...both, createdAt: 1 }, a1: { parent: 'm1' }, b1: { parent: 'a1' } },
      ...{ m: { ...both, createdAt: 2 } },
    });
    const actions = { thread, switchBranch: () => Promise.resolve(true) };
    const { text: shown } = setupHello(actions, { siblingIds: ['m1', 'm'] });
    expect(shown('.action-notices')).to.equal('More in other versions');
  });

  it('opens the branch map', () => {
    let opened = 0;
    const { click } = setupHello(
      {
        thread: threadOfVersions(),
        switchBranch: () => Promise.resolve(true),
        openBranchMap: () => (opened += 1),
      },
      { siblingIds },
    );
    click('.map-button');
    expect(opened).to.equal(1);
  });

  it('loads each unloaded version once when the message is visible', async () => {
    const loaded: string[] = [];
    const { query, frames } = setupHello(
      {
        thread: threadOfVersions(),
        switchBranch: () => Promise.resolve(true),
        loadVersion: (message, id) => {
          loaded.push(`${message} ${id}`);
          return Promise.reject(new UbikError('network'));
        },
      },
      { siblingIds },
    );
    query('.action-bar').scrollIntoView();
    await new Promise<void>((resolve) => {
      new IntersectionObserver((entries) => {
        if (entries.at(-1)?.isIntersecting) resolve();
      }).observe(query('.action-bar'));
    });
    await settled();
    frames.flush();
    expect(loaded).to.deep.equal(['m m3']);
  });

  it('loads no version after it was disposed', async () => {
    let loads = 0;
    const { query, view } = setupHello(
      {
        thread: threadOfVersions(),
        switchBranch: () => Promise.resolve(true),
        loadVersion: () => Promise.resolve(void (loads += 1)),
      },
      { siblingIds },
    );
    query('.action-bar').scrollIntoView();
    view.dispose();
    await new Promise<void>((resolve) => {
      new IntersectionObserver((entries) => {
        if (entries.at(-1)?.isIntersecting) resolve();
      }).observe(query('.action-bar'));
    });
    await settled();
    expect(loads).to.equal(0);
  });

  it('names its buttons and its position', () => {
    const both = { role: 'user', siblingIds: ['m1', 'm'] } as const;
    const thread = threadOf('m', { m1: { ...both, createdAt: 1 }, m: { ...both, createdAt: 2 } });
    const { query } = setupHello(
      { thread, switchBranch: () => Promise.resolve(true) },
      { siblingIds: ['m1', 'm'] },
    );
    expect(query('.versions').getAttribute('aria-label')).to.equal('Versions: 2 of 2');
    expect(query('.previous-button').title).to.equal('Previous version');
    expect(query('.next-button').title).to.equal('Next version');
    expect(query('.next-button').getAttribute('aria-disabled')).to.equal('true');
    expect(query('.next-button').hasAttribute('aria-label')).to.equal(false);
  });

  it('shows that more may follow other versions while one is not loaded', () => {
    const { text: shown } = setupHello(
      { thread: threadOfVersions(), switchBranch: () => Promise.resolve(true) },
      { siblingIds },
    );
    expect(shown('.action-notices')).to.equal('More in other versions');
  });

  it('shows nothing about other versions of an answer, which may have no messages after them', () => {
    const both = { parent: 'q', siblingIds: ['m1', 'm'] } as const;
    const thread = threadOf('m', { q: { role: 'user' }, m1: both, m: both });
    const { text: shown } = setupHello(
      { thread, switchBranch: () => Promise.resolve(true) },
      { role: 'assistant', parent: 'q', siblingIds: ['m1', 'm'] },
    );
    expect(shown('.versions bdi')).to.equal('2 of 2');
    expect(shown('.action-notices')).to.equal('');
  });

  it('has no map button without a branch map', () => {
    const { root } = setupHello(
      { thread: threadOfVersions(), switchBranch: () => Promise.resolve(true) },
      { siblingIds },
    );
    expect(root.querySelector('.map-button')).to.equal(null);
  });

  it('does not handle other keys', () => {
    const switched: string[] = [];
    const { query } = setupHello(
      {
        thread: threadOfVersions(),
        switchBranch: (id) => Promise.resolve(switched.push(id) > 0),
      },
      { siblingIds },
    );
    const isPrevented = (key: string, options: KeyboardEventInit = {}): boolean => {
      const init = { key, bubbles: true, cancelable: true, ...options };
      return !query('.next-button').dispatchEvent(new KeyboardEvent('keydown', init));
    };
    expect(isPrevented('ArrowUp')).to.equal(false);
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey']) {
      expect(isPrevented('ArrowRight', { [modifier]: true }), modifier).to.equal(false);
    }
    expect(isPrevented('ArrowRight', { repeat: true })).to.equal(true);
    expect(switched).to.deep.equal([]);
    expect(isPrevented('ArrowRight')).to.equal(true);
    expect(switched).to.have.length(1);
  });

  it('does not switch by a key while a run is in progress', () => {
    const switched: string[] = [];
    const run = { type: 'thread', set: { run: { state: 'streaming' } } } as const;
    const both = { role: 'user', siblingIds: ['m1', 'm'] } as const;
    const { query } = setupHello(
      {
        thread: threadOf('m', { m1: both, m: both }, run),
        switchBranch: (id) => Promise.resolve(switched.push(id) > 0),
      },
      { siblingIds: ['m1', 'm'] },
    );
    const init = { key: 'ArrowLeft', bubbles: true, cancelable: true };
    query('.previous-button').dispatchEvent(new KeyboardEvent('keydown', init));
    expect(switched).to.deep.equal([]);
  });

  for (const [count, expected] of [
    [10, 10],
    [11, 0],
  ] as const) {
    it(`loads ${expected} versions without a request of the user when ${count} are not loaded`, async () => {
      const loaded: string[] = [];
      const ids = ['m', ...Array.from({ length: count }, (_, index) => `v${index}`)];
      const { query, frames } = setupHello(
        {
          thread: threadOf('m', { m: { role: 'user', siblingIds: ids } }),
          switchBranch: () => Promise.resolve(true),
          loadVersion: (_message, id) => Promise.resolve(void loaded.push(id)),
        },
        { siblingIds: ids },
      );
      query('.action-bar').scrollIntoView();
      await new Promise<void>((resolve) => {
        new IntersectionObserver((entries) => {
          if (entries.at(-1)?.isIntersecting) resolve();
        }).observe(query('.action-bar'));
      });
      await settled();
      frames.flush();
      expect(loaded).to.have.length(expected);
    });
  }
});

describe('edit form', () => {
  const edit = (): Promise<boolean> => Promise.resolve(true);

  it('contains the texts of all parts of the message', () => {
    const { click, field, run } = setupHello({ edit });
    run(part('u', { kind: 'text' }), text('u', ' and goodbye'));
    click('.edit-button');
    expect(field().value).to.equal('Hello and goodbye');
  });

  it('is sent by its button', async () => {
    const sent: string[] = [];
    const { click } = setupHello({
      edit: (_message, value) => Promise.resolve(sent.push(value) > 0),
    });
    click('.edit-button');
    click('.edit .primary');
    await settled();
    expect(sent).to.deep.equal(['Hello']);
  });

  it('consumes the keys that send and cancel, and no others', () => {
    const { click, field, root } = setupHello({ edit: () => Promise.resolve(false) });
    const bubbled: string[] = [];
    root.addEventListener('keydown', ({ key }) => bubbled.push(key));
    const isPrevented = (key: string, options: KeyboardEventInit = {}): boolean => {
      const init = { key, bubbles: true, cancelable: true, ...options };
      return !field().dispatchEvent(new KeyboardEvent('keydown', init));
    };
    click('.edit-button');
    expect(isPrevented('a')).to.equal(false);
    expect(isPrevented('Enter', { shiftKey: true })).to.equal(false);
    expect(isPrevented('Enter', { repeat: true })).to.equal(true);
    expect(isPrevented('Enter')).to.equal(true);
    expect(isPrevented('Escape')).to.equal(true);
    expect(bubbled).to.deep.equal(['a', 'Enter']);
  });

  it('has no explanation while its text can be sent', () => {
    const { click, query, root } = setupHello({ edit, validateMessage: () => '' });
    click('.edit-button');
    expect(root.querySelector('.edit .meta')).to.equal(null);
    expect(query('.edit .primary').getAttribute('aria-disabled')).to.equal('false');
  });

  it('keeps its text when the message is replaced', () => {
    const { click, context, frames, message, root, type, view } = setupHello({ edit });
    click('.edit-button');
    type('Goodbye');
    view.dispose();
    view.node.remove();
    const next = new MessageView(message(), context);
    root.append(next.node);
    frames.flush();
    expect(next.node.querySelector('textarea')?.value).to.equal('Goodbye');
    expect(next.node.classList.contains('edited')).to.equal(true);
  });

  it('shows its error at the view that has replaced the message meanwhile', async () => {
    let reject: (error: unknown) => void = () => undefined;
    const { click, context, message, press, root, view } = setupHello({
      edit: () => new Promise((_resolve, fail) => (reject = fail)),
    });
    click('.edit-button');
    press('Enter');
    const next = new MessageView(message(), context);
    root.append(next.node);
    view.dispose();
    view.node.remove();
    const error = new UbikError('network');
    reject(error);
    await settled();
    expect(next.node.querySelector('[role=alert]')?.textContent.trim()).to.equal(error.message);
  });

  it('removes its error with the next attempt', async () => {
    let isRefused = true;
    const { click, press, root } = setupHello({
      edit: () =>
        isRefused ? Promise.reject(new UbikError('network')) : new Promise(() => undefined),
    });
    click('.edit-button');
    press('Enter');
    await settled();
    expect(root.querySelector('[role=alert]')).not.to.equal(null);
    isRefused = false;
    press('Enter');
    expect(root.querySelector('[role=alert]')).to.equal(null);
  });

  it('does not hide an error of the host page', async () => {
    const failure = new Error('A mistake of the page');
    const { query, root, view } = setupHello({ edit });
    const actions = new MessageActions(view, view.node, query('.message-footer'));
    const thrown = await actions
      .runAction('.edit-button', () => Promise.reject(failure))
      .catch((error: unknown) => error);
    expect(thrown).to.equal(failure);
    expect(root.querySelector('[role=alert]')).to.equal(null);
    expect(actions.isDisabled(), 'actions can be started again').to.equal(false);
  });
});

describe('actions of an answer', () => {
  it('have no Regenerate button when the service cannot regenerate', () => {
    const actions = { thread: threadOf('m', { m: {} }), switchBranch: () => Promise.resolve(true) };
    const { root } = setupHello(actions, { role: 'assistant' });
    expect(root.querySelector('.action-bar')).not.to.equal(null);
    expect(root.querySelector('.action-bar button')).to.equal(null);
  });
});

describe('focus after a failed action', () => {
  it('returns to the control that started it', async () => {
    const { click, context, frames, host, message, root, view } = setupHello(
      { regenerate: () => Promise.reject(new UbikError('network')) },
      { role: 'assistant' },
    );
    click('.regenerate-button');
    // The replacement gets the focus first.
    const other = new MessageView(message(), context);
    root.append(other.node);
    deepActiveElement().blur();
    frames.flush();
    other.dispose();
    other.node.remove();
    await settled();
    view.dispose();
    view.node.remove();
    const next = new MessageView(message(), context);
    root.append(next.node);
    frames.flush();
    expect(next.node.contains(host.shadowRoot?.activeElement ?? null)).to.equal(true);
  });
});
