import { expect } from '@open-wc/testing';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { registerPartRenderer } from '../../src/message/parts/part-renderers.js';
import type { PartActions } from '../../src/message/parts/renderer-types.js';
import { setupChat, swapController } from './chat-fixture.js';

/** A pending request of a tool. */
const REQUEST = {
  kind: 'request-activity',
  level: 'tool',
  prompt: 'Who?',
  inputTypes: ['json'],
  checkpointName: null,
  executionId: 'execution-1',
  toolName: null,
  options: null,
  deadline: null,
  part: null,
  state: 'pending',
} as const;

/** A chat with a pending request of the agent. */
async function setupRequest(prepare?: (chat: UbikChat) => void) {
  const fixture = await setupChat(prepare);
  await fixture.start();
  fixture.backend.stream.request('@request:c');
  fixture.backend.stream.finish('waiting');
  await fixture.settle();
  const submit = async (text: string): Promise<void> => {
    fixture.query<HTMLTextAreaElement>('.request textarea').value = text;
    fixture.query<HTMLFormElement>('.request form').requestSubmit();
    await fixture.settle();
  };
  return { ...fixture, submit };
}

describe('a request in a chat', () => {
  for (const [code, status, words] of [
    ['bad-request', 400, 'Something unexpected happened'],
    ['unauthorized', 401, 'not signed in'],
    ['forbidden', 403, 'does not allow'],
    ['not-found', 404, 'doesn’t exist'],
    ['busy', 409, 'still working'],
    ['too-large', 413, 'too large to send'],
    ['invalid', 422, 'refused this'],
    ['rate-limited', 429, 'Too many requests'],
  ] as const satisfies readonly (readonly [UbikErrorCode, number, string])[]) {
    it(`keeps its form and the typed answer when the service responds with ${status}`, async () => {
      const { submit, backend, settle, query, text, names, events } = await setupRequest();
      await submit('2025');
      backend.stream.fail(new UbikError(code, { status }));
      await settle();
      expect(query<HTMLTextAreaElement>('.request textarea').value).to.equal('2025');
      expect(text('.request [role=alert]')).to.contain(words);
      expect(names().filter((name) => name === 'ubik-input-provided').length).to.equal(0);
      const errors = events.filter(({ type }) => type === 'ubik-error');
      expect(errors.map(({ detail }) => (detail as { code: string }).code)).to.deep.equal([code]);
      await submit('2025');
      expect(backend.count('provideInput')).to.equal(2);
    });
  }

  it('keeps what was entered while another conversation is shown, but no secret', async () => {
    const { lazyAnswerForm } = await lazyViews.load();
    await lazyAnswerForm.load();
    const fixture = await setupChat();
    const { backend, controller, root, settle, start } = fixture;
    await start();
    const { id } = controller.thread ?? {};
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        sure: { type: 'boolean' },
        password: { type: 'string', format: 'password' },
      },
      required: ['name', 'sure', 'password'],
    };
    backend.stream.push({
      type: 'part',
      message: backend.stream.keys.answer,
      part: '@request:t',
      parent: '@activity',
      before: null,
      value: { ...REQUEST, schema },
    });
    backend.stream.finish('waiting');
    await settle();
    const controls = (): HTMLInputElement[] => [
      ...root.querySelectorAll<HTMLInputElement>('.request :is(input, textarea)'),
    ];
    const entered = (): unknown[] =>
      controls().map(({ type, value, checked }) => (type === 'radio' ? checked : value));
    for (const control of controls()) {
      if (control.type === 'radio') control.checked = true;
      else control.value = 'Typed';
    }
    expect(entered()).to.deep.equal(['Typed', false, true, 'Typed']);
    controller.switchToNewThread();
    await settle();
    expect(controls()).to.have.length(0);
    await controller.openThread(id ?? '');
    await settle();
    expect(entered()).to.deep.equal(['Typed', false, true, '']);
  });

  it('is removed with an error when it was answered elsewhere', async () => {
    const { submit, backend, settle, root, text } = await setupRequest();
    await submit('2025');
    backend.stream.fail(new UbikError('not-open'));
    await settle();
    expect(root.querySelector('.request form')).to.equal(null);
    expect(text('.below [role=alert]')).to.equal('This question is no longer open.');
  });

  it('is answered by a renderer of the page in its conversation when another one is connected meanwhile', async () => {
    let answer: PartActions['answer'];
    const unregister = registerPartRenderer('request-activity', {
      mount: (_box, context) => {
        answer = context.answer;
        return undefined;
      },
    });
    const fixture = await setupRequest();
    const other = await swapController(fixture);
    unregister();
    void answer?.({ type: 'text', text: '2025' });
    await fixture.settle();
    expect([fixture.backend, other.backend].map((one) => one.count('provideInput'))).to.deep.equal([
      1, 0,
    ]);
  });

  it('stays pending when the host page cancels the answer', async () => {
    const { submit, backend, query, root, names } = await setupRequest((chat) => {
      chat.addEventListener('ubik-input-provide', (event) => {
        event.preventDefault();
      });
    });
    query('.request .primary').focus();
    await submit('2025');
    expect(root.activeElement).to.equal(query('.request .primary'));
    expect(backend.count('provideInput')).to.equal(0);
    expect(query<HTMLTextAreaElement>('.request textarea').value).to.equal('2025');
    expect(names()).not.to.include('ubik-input-provided');
  });

  it('shows an answer of the host page like an answer from its form', async () => {
    let respond: (() => Promise<void>) | undefined;
    const { backend, settle, root, text, names } = await setupRequest((chat) => {
      chat.addEventListener('ubik-input-required', (event) => {
        respond = () => event.respond('2024');
      });
    });
    const answered = respond?.();
    await settle();
    backend.stream.begin('task-2');
    await settle();
    await answered;
    expect(root.querySelector('.request form')).to.equal(null);
    expect(text('.request summary')).to.equal('Answered Which year? 2024');
    expect(names().filter((name) => name === 'ubik-input-provided').length).to.equal(1);
  });

  it('is announced, also one with the same question as another, and does not move the focus from the message field', async () => {
    const { start, backend, settle, root, field, write } = await setupChat();
    await start();
    field.focus();
    write('half a sen');
    backend.stream.request('@request:1', 'tool');
    await settle();
    backend.stream.request('@request:2', 'tool');
    await settle();
    const announcements = [...(root.querySelector('[aria-live]')?.children ?? [])];
    expect(announcements.map(({ textContent }) => textContent)).to.deep.equal([
      'Working…',
      'The assistant needs an answer from you. Which year?',
      'The assistant needs an answer from you. Which year?',
    ]);
    expect(root.activeElement).to.equal(field);
    expect(field.value).to.equal('half a sen');
  });
});
