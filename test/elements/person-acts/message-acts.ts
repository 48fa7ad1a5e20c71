import { contentOf } from '../../controller/scripted-backend.js';
import { setupBranches, MESSAGES, version } from '../branch-stage.js';
import { setupChat } from '../chat-stage.js';
import { setupMenu } from '../menu-stage.js';
import { begin, fill, TEXT, type ActStage, type PersonAct } from './person-act.js';

/** A box whose text must not be lost. */
async function setupBox(): Promise<ActStage> {
  const stage = await setupChat();
  const { chat: target, field, press, settle, write } = stage;
  const act = async (): Promise<void> => {
    write(TEXT);
    press('Enter');
    await settle();
  };
  return { ...stage, target, act, kept: () => field.value };
}

/** A talk with versions; `name` is the button that begins the act. */
async function setupTalk(name: string, text: string | null = null): Promise<ActStage> {
  const other = version('q3', 'user', 'Third question', ['q3', 'q1', 'q2'], 30);
  const stage = await setupBranches(MESSAGES, (id) => ({ ...other, id }));
  const { backend, button, chat: target, field, press, root, settle, shown } = stage;
  backend.answers.set('switchBranch', () => contentOf('t', [other]));
  await new Promise((resolve) => {
    new IntersectionObserver(resolve).observe(root.querySelector('.acts') as Element);
  });
  await settle();
  await settle();
  const act = async (): Promise<void> => {
    if (text === null || !root.querySelector('.edit')) {
      button(name).focus();
      button(name).click();
      await settle();
    }
    if (text !== null) {
      fill(field(), text);
      press('Enter');
    }
    await settle();
  };
  const kept = (): unknown => [shown().at(-1), root.querySelector('.edit') && field().value];
  return { ...stage, target, act, kept };
}

/** The form in which an answer is judged. */
async function setupJudgement(): Promise<ActStage> {
  const stage = await setupMenu();
  const { chat: target, choose, open, query, settle } = stage;
  await open();
  await choose('Good answer');
  const act = async (): Promise<void> => {
    fill(query<HTMLTextAreaElement>('.feedback textarea'), TEXT);
    query('.feedback .primary').click();
    await settle();
  };
  const field = (): HTMLTextAreaElement | null => stage.root.querySelector('.feedback textarea');
  return { ...stage, target, act, kept: () => field()?.value };
}

/** A box in which a command is being written. */
async function setupCommand(): Promise<ActStage> {
  const stage = await setupChat((chat) => {
    chat.commands = [{ name: 'summary', description: 'In five lines', text: 'Sum this up:' }];
  });
  const { chat: target, field, press, settle, write } = stage;
  field.focus();
  await settle();
  const act = async (): Promise<void> => {
    write('/s');
    press('Enter');
    await settle();
  };
  return { ...stage, target, act, kept: () => field.value };
}

/** An answer that says `text`, in which something can be clicked. */
async function setupAddress(text: string, selector: string): Promise<ActStage> {
  const stage = await setupChat();
  const { backend, chat: target, query, root, settle, start } = stage;
  await start();
  backend.stream.say(0, text);
  backend.stream.finish('complete');
  await settle();
  const followed: boolean[] = [];
  root.addEventListener('click', (event) => {
    followed.push(!event.defaultPrevented);
    // The test's own page stays.
    event.preventDefault();
  });
  const act = async (): Promise<void> => {
    query(selector).click();
    await settle();
  };
  const kept = () => [followed.some(Boolean) && selector.endsWith('a'), root.querySelector('img')];
  return { ...stage, target, act, kept };
}

/** What a person does with messages. */
export const MESSAGE_ACTS: readonly PersonAct[] = [
  {
    ...{ name: 'sending', before: 'ubik-message-send', past: 'ubik-message-sent' },
    ...{ method: 'send', setUp: setupBox, succeed: begin, streams: true, written: TEXT },
  },
  {
    ...{ name: 'a new thread', before: 'ubik-thread-create', past: 'ubik-thread-created' },
    ...{ method: 'createThread', setUp: setupBox, written: TEXT },
  },
  {
    ...{ name: 'an edit', before: 'ubik-message-edit', past: 'ubik-message-edited' },
    ...{ method: 'edit', setUp: () => setupTalk('Edit', TEXT), succeed: begin, streams: true },
    written: ['Second answer', TEXT],
  },
  {
    name: 'another answer',
    ...{ before: 'ubik-message-regenerate', past: 'ubik-message-regenerated' },
    ...{ method: 'regenerate', setUp: () => setupTalk('Regenerate') },
    ...{ succeed: begin, streams: true },
  },
  {
    ...{ name: 'a step to another version', method: 'switchBranch' },
    ...{ before: 'ubik-branch-navigate', past: 'ubik-branch-navigated' },
    setUp: () => setupTalk('Next version'),
  },
  {
    ...{ name: 'a judgement', method: null, setUp: setupJudgement, written: TEXT },
    ...{ before: 'ubik-message-feedback', past: 'ubik-message-feedback-given' },
  },
  {
    ...{ name: 'a command', method: null, setUp: setupCommand, written: '/s' },
    ...{ before: 'ubik-suggestion-choose', past: 'ubik-suggestion-chosen' },
  },
  {
    ...{ name: 'following a link', before: 'ubik-link-open', past: null, method: null },
    setUp: () => setupAddress('[docs](https://docs.example/a)', '.text a'),
  },
  {
    ...{ name: 'a remote picture', before: 'ubik-image-load', past: null, method: null },
    setUp: () => setupAddress('![a](https://pictures.example/a.png)', '.text button'),
  },
];
