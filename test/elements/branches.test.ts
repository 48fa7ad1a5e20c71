import { expect } from '@open-wc/testing';
import { deferredTools } from '../../src/elements/composer/lazy-composer-tools.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { contentOf } from '../controller/scripted-backend.js';
import { FAILURES, REFUSALS } from '../helpers/error-codes.js';
import { setupBranches, TALK, version } from './branch-stage.js';

type Stage = Awaited<ReturnType<typeof setupBranches>>;

/** What the page was told, with the details. */
function told(events: readonly CustomEvent<unknown>[]): (readonly [string, unknown])[] {
  return events.map(({ type, detail }) => [type, detail]);
}

/** Opens the form and writes another text into it. */
async function rewrite(stage: Stage, text: string): Promise<void> {
  stage.button('Edit').click();
  await stage.settle();
  const field = stage.field();
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

describe('editing a question', () => {
  it('happens in the message: Enter sends, and what the service leads to is shown', async () => {
    const stage = await setupBranches();
    const { backend, press, settle, shown, events, focused, field } = stage;
    await rewrite(stage, 'New question');
    expect(field().getRootNode()).to.equal(stage.root);
    press('Enter');
    await settle();
    expect(backend.stream.method).to.equal('edit');
    expect(backend.stream.args).to.deep.equal([
      't',
      'q2',
      { text: 'New question', attachments: [] },
    ]);
    expect(shown()[0]).to.equal('New question');
    expect(focused(), 'the focus goes to what took its place').to.equal('Edit');
    backend.stream.begin();
    await settle();
    const detail = { threadId: 't', messageId: 'q2', text: 'New question' };
    expect(told(events)).to.deep.include.members([
      ['ubik-message-edit', detail],
      ['ubik-message-edited', detail],
    ]);
    backend.threads.set(
      't',
      contentOf('t', [
        version('q4', 'user', 'New question, stored', ['q3', 'q1', 'q2', 'q4'], 40),
        version('a4', 'assistant', 'New answer'),
      ]),
    );
    backend.stream.finish('complete');
    await settle();
    expect(shown()).to.deep.equal(['New question, stored', 'New answer']);
  });

  it('is left by Escape, and gives the focus back', async () => {
    const stage = await setupBranches();
    await rewrite(stage, 'New question');
    stage.press('Escape');
    expect(stage.root.querySelector('.edit')).to.equal(null);
    expect(stage.focused()).to.equal('Edit');
    expect(stage.shown()[0]).to.equal('Second question');
    expect(stage.backend.streams.length).to.equal(0);
  });

  it('leaves the keys of an input method, and new lines, alone', async () => {
    const stage = await setupBranches();
    await rewrite(stage, 'New');
    stage.press('Enter', { isComposing: true });
    stage.press('Escape', { isComposing: true });
    stage.press('Enter', { shiftKey: true });
    await stage.settle();
    expect(stage.field().value).to.equal('New');
    expect(stage.backend.streams.length).to.equal(0);
  });

  it('sends nothing that is empty', async () => {
    const stage = await setupBranches();
    await rewrite(stage, '  ');
    stage.press('Enter');
    await stage.settle();
    expect(stage.backend.streams.length).to.equal(0);
  });

  it('sends nothing that is longer than a message may be, and says why', async () => {
    const stage = await setupBranches();
    await deferredTools.load();
    stage.chat.maxLength = 12;
    await stage.settle();
    await rewrite(stage, '1'.repeat(13));
    stage.press('Enter');
    await stage.settle();
    expect(stage.backend.streams.length).to.equal(0);
    expect(stage.text('form.edit .meta')).to.contain('up to 12 characters');
    await rewrite(stage, '1'.repeat(12));
    stage.press('Enter');
    await stage.settle();
    expect(stage.backend.streams.length).to.equal(1);
  });

  it('does nothing when the page keeps it, and the text stays', async () => {
    const stage = await setupBranches();
    stage.chat.addEventListener('ubik-message-edit', (event) => {
      event.preventDefault();
    });
    await rewrite(stage, 'New question');
    stage.press('Enter');
    await stage.settle();
    expect(stage.backend.streams.length).to.equal(0);
    expect(stage.field().value).to.equal('New question');
    expect(stage.names()).to.deep.equal(['ubik-message-edit']);
  });
});

describe('asking for another answer', () => {
  it('begins another version of it', async () => {
    const { backend, button, settle, focused, shown, names } = await setupBranches();
    button('Regenerate').focus();
    button('Regenerate').click();
    await settle();
    expect([backend.stream.method, backend.stream.args]).to.deep.equal(['regenerate', ['t', 'a2']]);
    backend.stream.begin();
    backend.stream.say(0, 'Another');
    await settle();
    expect(shown()).to.deep.equal(['Second question', 'Another']);
    expect(focused()).to.equal('Regenerate');
    expect(names().filter((name) => name.startsWith('ubik-message'))).to.deep.equal([
      'ubik-message-regenerate',
      'ubik-message-regenerated',
    ]);
  });

  it('does nothing when the page keeps it', async () => {
    const { backend, button, settle, chat } = await setupBranches();
    chat.addEventListener('ubik-message-regenerate', (event) => {
      event.preventDefault();
    });
    button('Regenerate').click();
    await settle();
    expect(backend.streams.length).to.equal(0);
  });
});

describe('an act that fails', () => {
  for (const code of REFUSALS) {
    it(`says so in the message and loses nothing: ${code}`, async () => {
      const stage = await setupBranches();
      const { backend, press, settle, query, field, shown, focused } = stage;
      await rewrite(stage, 'New question');
      press('Enter');
      await settle();
      backend.stream.fail(new UbikError(code, '', { status: 400 }));
      await settle();
      expect(shown()).to.deep.equal(['Second question', 'Second answer']);
      expect(field().value).to.equal('New question');
      expect(query('.message.user .complaint').textContent.trim()).not.to.equal('');
      expect(focused()).to.equal('Edit message');
      press('Escape');
      expect(stage.root.querySelector('.told .complaint')).to.equal(null);
    });
  }

  it('is told where the answer is that cannot be had again', async () => {
    const { backend, button, settle, text, shown } = await setupBranches();
    button('Regenerate').click();
    await settle();
    backend.stream.fail(new UbikError('rate-limited', '', { status: 429 }));
    await settle();
    expect(shown()).to.deep.equal(['Second question', 'Second answer']);
    expect(text('.message.assistant .complaint')).to.contain('Too many requests');
  });
});

describe('stepping through versions', () => {
  /** Three versions, of which the service can tell each. */
  async function setupVersions() {
    const ids = ['q3', 'q1', 'q2'];
    const texts = new Map([
      ['q1', 'First question'],
      ['q2', 'Second question'],
      ['q3', 'Third question'],
    ]);
    const make = (id: string) =>
      version(id, 'user', texts.get(id) ?? '', ids, Number(id.slice(1)) * 10);
    const stage = await setupBranches(TALK, make);
    stage.backend.answers.set('switchBranch', (_, id) => {
      const answer = version(`a${String(id).slice(1)}`, 'assistant', `Answer to ${String(id)}`);
      return contentOf('t', [make(String(id)), answer]);
    });
    await seen(stage);
    return stage;
  }

  /** Waits until the pager in sight has read what it needs. */
  async function seen({ root, settle }: Stage): Promise<void> {
    await new Promise((resolve) => {
      const observer = new IntersectionObserver(resolve);
      observer.observe(root.querySelector('.acts') as Element);
    });
    await settle();
    await settle();
  }

  it('numbers them by their age, reads those that are missing once, and moves nothing for it', async () => {
    const { backend, text } = await setupVersions();
    expect(text('.versions')).to.contain('2 of 3');
    expect([backend.count('loadMessage'), backend.count('switchBranch')]).to.deep.equal([2, 0]);
  });

  it('goes on with the arrow keys, keeps the focus, and tells the page', async () => {
    const { backend, button, press, settle, shown, text, focused, events, query } =
      await setupVersions();
    button('Next version').focus();
    press('ArrowRight');
    await settle();
    await settle();
    expect(shown()).to.deep.equal(['Third question', 'Answer to q3']);
    expect(text('.versions')).to.contain('3 of 3');
    expect(focused()).to.equal('Next version');
    expect(button('Next version').getAttribute('aria-disabled')).to.equal('true');
    press('ArrowRight');
    press('ArrowLeft');
    await settle();
    await settle();
    expect(text('.versions')).to.contain('2 of 3');
    expect(backend.count('switchBranch')).to.equal(2);
    expect(query('.versions').getAttribute('aria-label')).to.equal('Versions: 2 of 3');
    expect(told(events)).to.deep.equal(
      ['q3', 'q2'].flatMap((messageId) => [
        ['ubik-branch-navigate', { threadId: 't', messageId }],
        ['ubik-branch-navigated', { threadId: 't', messageId }],
      ]),
    );
  });

  it('turns the arrow keys round where the text runs the other way', async () => {
    const { chat, button, press, settle, text } = await setupVersions();
    chat.style.direction = 'rtl';
    button('Next version').focus();
    press('ArrowLeft');
    await settle();
    await settle();
    expect(text('.versions')).to.contain('3 of 3');
  });

  it('stays where it is when the page keeps it, or the service does not do it', async () => {
    const { backend, chat, button, settle, text, shown, focused } = await setupVersions();
    const keep = (event: Event): void => {
      event.preventDefault();
    };
    chat.addEventListener('ubik-branch-navigate', keep);
    button('Next version').focus();
    button('Next version').click();
    await settle();
    expect(backend.count('switchBranch')).to.equal(0);
    chat.removeEventListener('ubik-branch-navigate', keep);
    for (const code of FAILURES) {
      backend.answers.set('switchBranch', () => {
        throw new UbikError(code, '', { status: 400 });
      });
      button('Next version').click();
      await settle();
      expect(text('.message.user .complaint'), code).not.to.equal('');
      expect(shown()[0]).to.equal('Second question');
      expect(focused()).to.equal('Next version');
    }
  });

  it('counts them without numbers while one cannot be read, and forgets one that is gone', async () => {
    const read = (code: UbikErrorCode) => (id: string) => {
      if (id === 'q3') return version('q3', 'user', 'Third', [], 30);
      throw new UbikError(code);
    };
    const stage = await setupBranches(TALK, read('server'));
    await seen(stage);
    expect(stage.text('.versions')).to.contain('3 versions');
    const other = await setupBranches(TALK, read('not-found'));
    await seen(other);
    expect(other.text('.versions')).to.contain('1 of 2');
  });

  it('says what the other versions keep out of sight', async () => {
    const { button, settle, text } = await setupVersions();
    expect(text('.beside')).to.equal('More in other versions');
    for (const name of ['Next version', 'Previous version', 'Previous version', 'Next version']) {
      button(name).click();
      await settle();
      await settle();
    }
    expect(text('.beside')).to.equal('2 messages in other versions');
  });
});

describe('while a run is on', () => {
  it('nothing of this can be done, and it says why', async () => {
    const stage = await setupBranches();
    const { backend, button, settle, press } = stage;
    await rewrite(stage, 'Kept');
    const sent = stage.controller.send({ text: 'More', attachments: [] });
    await settle();
    press('Enter');
    for (const name of ['Regenerate', 'Next version']) {
      expect(button(name).getAttribute('aria-disabled'), name).to.equal('true');
      expect(button(name).title).to.contain('not available while the assistant is working');
      button(name).click();
    }
    await settle();
    expect(stage.field().value).to.equal('Kept');
    expect(backend.streams.length).to.equal(1);
    expect(backend.count('switchBranch')).to.equal(0);
    backend.stream.begin();
    await sent;
    backend.stream.finish('complete');
    await settle();
    expect(button('Regenerate').getAttribute('aria-disabled')).to.equal('false');
  });
});

describe('what the service cannot do', () => {
  it('has no control', async () => {
    const { backend, controller, settle, root } = await setupBranches();
    backend.capabilities.clear();
    backend.threads.set('u', contentOf('u', TALK));
    await controller.openThread('u');
    await settle();
    expect(root.querySelectorAll('.acts button').length).to.equal(0);
  });
});
