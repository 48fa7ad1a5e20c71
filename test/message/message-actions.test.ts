import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { MessageView } from '../../src/message/message-view.js';
import type { ViewActions } from '../../src/message/part-view.js';
import type { MessageFields } from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import { part, setupStage, text } from './message-stage.js';
import { threadOf } from './thread-of.js';

/** Waits for promises that are settled. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A user message "Hello" with these actions, and whatever they were called with. */
function setupQuestion(actions: ViewActions = {}, fields: Partial<MessageFields> = {}) {
  const stage = setupStage({ actions, fields: { role: 'user', status: 'complete', ...fields } });
  stage.run(part('t', { kind: 'text' }), text('t', 'Hello'));
  const click = (selector: string): void => {
    stage.query(selector).click();
    stage.frames.flush();
  };
  const field = (): HTMLTextAreaElement => stage.query<HTMLTextAreaElement>('.edit textarea');
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
  return { ...stage, click, field, press, type };
}

/** A thread in which message `m` is the second of three versions, the last of them not loaded. */
const threadOfVersions = (): Thread =>
  threadOf('m', {
    m1: { role: 'user', siblingIds: ['m1', 'm', 'm3'], createdAt: 1 },
    m: { role: 'user', siblingIds: ['m1', 'm', 'm3'], createdAt: 2 },
  });

describe('edit action', () => {
  it('opens a form with the text of the message, and focuses it at the end', () => {
    const { click, field, root, host } = setupQuestion({ edit: () => Promise.resolve(true) });
    click('.edit-button');
    expect(field().value).to.equal('Hello');
    expect(host.shadowRoot?.activeElement).to.equal(field());
    expect(field().selectionStart).to.equal(5);
    expect(root.querySelector('.edited')).not.to.equal(null);
  });

  it('closes on Escape, on Cancel, and focuses the button', () => {
    const { click, press, root, host } = setupQuestion({ edit: () => Promise.resolve(true) });
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
    const { click, press, type, root } = setupQuestion({
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

  it('keeps the form when the host page cancels it', async () => {
    const { click, press, field } = setupQuestion({ edit: () => Promise.resolve(false) });
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
    } = setupQuestion({
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
    const { click, press, root } = setupQuestion({
      edit: () => Promise.reject(new UbikError('aborted')),
    });
    click('.edit-button');
    press('Enter');
    await settled();
    expect(root.querySelector('[role=alert]')).to.equal(null);
  });

  it('does not send blank or invalid text', () => {
    const sent: string[] = [];
    const { click, press, type, query } = setupQuestion({
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
    const { click, query, root } = setupQuestion({
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
    const question = setupQuestion({ regenerate });
    expect(question.root.querySelector('.regenerate-button')).to.equal(null);
    const answer = setupQuestion(
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
    const { click, query } = setupQuestion(
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

describe('focus after an action', () => {
  it('moves to the same control of the message that replaces the original one', async () => {
    const actions = { regenerate: () => Promise.resolve(true) };
    const { click, context, frames, host, message, root, view } = setupQuestion(actions, {
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
    const first = replace();
    replace();
    (document.activeElement as HTMLElement).blur();
    frames.flush();
    const active = host.shadowRoot?.activeElement;
    expect(active?.classList.contains('regenerate-button')).to.equal(true);
    expect(first.node.contains(active ?? null)).to.equal(true);
  });

  it('stays where the user has moved it meanwhile', async () => {
    const actions = { regenerate: () => Promise.resolve(true) };
    const { click, context, frames, host, message, root } = setupQuestion(actions, {
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
});

describe('version pager', () => {
  const siblingIds = ['m1', 'm', 'm3'];

  it('is not shown for a message with one version', () => {
    const thread = threadOf('m', { m: { role: 'user' } });
    const { root } = setupQuestion({ thread, switchBranch: () => Promise.resolve(true) });
    expect(root.querySelector('.versions')).to.equal(null);
  });

  it('shows the number of versions while one is not loaded', () => {
    const thread = threadOfVersions();
    const actions = { thread, switchBranch: () => Promise.resolve(true) };
    const { text: shown } = setupQuestion(actions, { siblingIds });
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
    } = setupQuestion(
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

  it('says that more messages follow other versions', () => {
    const both = { role: 'user', siblingIds: ['m1', 'm'] } as const;
    const thread = threadOf('m', {
      ...{ m1: { ...both, createdAt: 1 }, a1: { parent: 'm1' }, b1: { parent: 'a1' } },
      ...{ m: { ...both, createdAt: 2 } },
    });
    const actions = { thread, switchBranch: () => Promise.resolve(true) };
    const { text: shown } = setupQuestion(actions, { siblingIds: ['m1', 'm'] });
    expect(shown('.action-notices')).to.equal('2 messages in other versions');
  });

  it('opens the branch map', () => {
    let opened = 0;
    const { click } = setupQuestion(
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

  it('loads each unloaded version once when it is visible', async () => {
    const loaded: string[] = [];
    const { query, frames } = setupQuestion(
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
});
