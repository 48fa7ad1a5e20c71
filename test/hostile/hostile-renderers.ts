/** Renderers of the host page that do what they must not, and a run that uses them. */
import type { ToolContext } from '../../src/index.js';
import { printEvent } from '../helpers/stub-service.js';

/** What the renderers have done, kept at the document, because the page recorder reports names on the window. */
interface RendererRecord {
  /** Boxes and contexts that renderers have kept. */
  readonly leaks: { readonly box: HTMLElement; readonly context: ToolContext }[];
  /** The codes of `ubik-error`, without those of the match that throws for each call. */
  readonly errors: string[];
  /** How often the match that throws was reported. */
  failedMatches: number;
  /** Names of frozen data that a renderer could change. */
  readonly changes: string[];
}

declare global {
  interface Window {
    UbikElements: {
      registerToolRenderer(match: string | (() => boolean), renderer: object): () => void;
      registerPartRenderer(kind: string, renderer: object): () => void;
    };
  }
  interface Document {
    hostileRenderers: RendererRecord;
  }
}

/** The names of the tools whose renderers are hostile. */
export const HOSTILE_TOOLS = [
  'throws-in-mount',
  'throws-in-update',
  'throws-in-unmount',
  'throws-in-formats',
  'throws-in-getters',
  'throws-odd-values',
  'rejects',
  'never-settles',
  'leaks-nodes',
  'changes-data',
  'returns-the-chat',
  'returns-a-foreign-node',
  'inserts-an-ancestor',
  'inserts-foreign-nodes',
  'moves-its-box',
  'decides-twice',
] as const;

/** The question at the end of the run, which a renderer shows whose `focus` throws. */
const QUESTION = { prompt: 'Which year?', checkpoint_name: 'year', input_types: ['text'] };

/**
 * A run in which the agent calls each of the tools, with a text after each call, and a call that a well-behaved renderer shows. It ends with
 * a question.
 */
export function printRendererRun(): string[] {
  const call = (name: string, index: number): string =>
    [
      `<<TOOL_STEP_START/${name}:c${String(index)}>>`,
      `<<TOOL_STEP_INPUT_START>>\n{"list":[1],"index":${String(index)}}\n<<TOOL_STEP_INPUT_END>>`,
      `<<TOOL_STEP_RESULT_START>>\n{"found":true}\n<<TOOL_STEP_RESULT_END>>`,
      `<<TOOL_STEP_END/${name}:c${String(index)}>>`,
    ].join('\n');
  return [
    printEvent('connection_established', { task_id: 't1' }),
    ...[...HOSTILE_TOOLS, 'well-behaved'].map((name, index) =>
      printEvent('response_chunk', { content: `${call(name, index)}\n\nAfter ${name}.\n\n` }),
    ),
    printEvent('response_chunk', {
      content: `<<INPUT_REQUIRED_START>>\n${QUESTION.prompt}\nExpected input types: text\ncheckpoint_name: ${QUESTION.checkpoint_name}\n<<INPUT_REQUIRED_END>>\n`,
    }),
    printEvent('input_required', QUESTION),
  ];
}

/** The messages of this run as a service stores them: the message of the user and the answer. */
export function listRendererMessages(): object[] {
  const content = printRendererRun()
    .slice(1, -1)
    .map((line) => (JSON.parse(line.slice('data: '.length)) as { content: string }).content)
    .join('');
  const at = { created_at: '2026-01-01T00:00:00Z' };
  return [
    { id: 'm1', role: 'user', content: 'Go on.', parent_id: null, ...at },
    { id: 'm2', role: 'assistant', content, parent_id: 'm1', ...at },
  ];
}

/** Registers the hostile renderers and a well-behaved one. Runs in the page. */
export function registerHostileRenderers(): void {
  const { registerToolRenderer: register, registerPartRenderer } = window.UbikElements;
  const record: RendererRecord = { leaks: [], errors: [], failedMatches: 0, changes: [] };
  document.hostileRenderers = record;
  document.addEventListener('ubik-error', ({ detail }) => {
    // The detail has the offender, although its type does not name it.
    if ((detail as { offender?: unknown }).offender === 'renderers') record.failedMatches += 1;
    else record.errors.push(detail.code);
  });
  const fail = (): never => {
    throw new Error('hostile');
  };
  const odd = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const other = document.implementation.createHTMLDocument('other');
  const nodeOf = (owner: Document): HTMLElement => {
    const node = owner.createElement('section');
    node.append('foreign');
    return node;
  };

  register('throws-in-mount', { mount: fail });
  register('throws-in-update', { mount: () => ({ update: fail }) });
  registerPartRenderer('input-request', {
    mount: (box: HTMLElement) => {
      box.append('Question of the page');
      return { focus: fail };
    },
  });
  register('throws-in-unmount', { mount: () => ({ unmount: fail }) });
  register('throws-in-formats', { mount: () => undefined, toMarkdown: fail, toText: fail });
  register('throws-in-getters', {
    mount: () =>
      Object.defineProperties(
        {},
        Object.fromEntries(['update', 'focus', 'unmount'].map((name) => [name, { get: fail }])),
      ),
  });
  register('throws-odd-values', {
    mount: () => ({
      update: () => {
        // oxlint-disable-next-line typescript/only-throw-error -- a page can throw anything
        throw odd();
      },
    }),
  });
  register('rejects', {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a page can reject with anything
    mount: () => Promise.reject(null),
  });
  register('never-settles', {
    mount: (box: HTMLElement, context: ToolContext) => {
      record.leaks.push({ box, context });
      box.append('never shown');
      return new Promise(() => undefined);
    },
  });
  register('leaks-nodes', {
    mount: (box: HTMLElement, context: ToolContext) => {
      record.leaks.push({ box, context });
      for (let count = 0; count < 100; count += 1) {
        box.append(document.createElement('i'));
        // Next to the boxes, where no slot shows it.
        box.parentNode?.append(document.createElement('s'));
      }
      return { unmount: () => box.append('more') };
    },
  });
  register('changes-data', {
    mount: (_box: HTMLElement, context: ToolContext) => {
      const { part, message, tool } = context;
      const targets: [string, object][] = [
        ['context', context],
        ['part', part],
        ['message', message],
        ['tool', tool],
        ['input', Object(tool.input) as object],
        ['list', (tool.input as { list: object }).list],
        ['phases', tool.phases],
        ['text', part.text ?? Object.freeze({})],
      ];
      for (const [name, target] of targets) {
        const hasChanged =
          Reflect.set(target, 'kind', 'text') ||
          Reflect.defineProperty(target, 'added', { value: 1 }) ||
          Reflect.setPrototypeOf(target, null) ||
          Object.keys(target).some((key) => Reflect.deleteProperty(target, key));
        if (hasChanged) record.changes.push(name);
      }
      return undefined;
    },
  });
  register('returns-the-chat', { mount: () => document.querySelector('ubik-chat') });
  register('returns-a-foreign-node', { mount: () => nodeOf(other) });
  register('inserts-an-ancestor', {
    mount: (box: HTMLElement) => {
      box.append(document.querySelector('ubik-chat') ?? '');
    },
  });
  register('inserts-foreign-nodes', {
    mount: (box: HTMLElement, context: ToolContext) => {
      const attached = nodeOf(document);
      document.querySelector('ubik-chat')?.append(attached);
      box.append(nodeOf(other), attached, context.standard());
      // The node of the built-in view, inside of itself.
      context.standard().append(box);
    },
  });
  register('moves-its-box', {
    mount: (box: HTMLElement, context: ToolContext) => {
      box.slot = '';
      other.body.append(box);
      other.body.append(context.standard());
    },
  });
  register('decides-twice', {
    mount: (_box: HTMLElement, context: ToolContext) => {
      context.decline();
      context.standard();
      context.decline();
      return Promise.resolve({
        update: fail,
        unmount: () => {
          context.decline();
          fail();
        },
      });
    },
  });
  register('well-behaved', {
    mount: (box: HTMLElement, { tool }: ToolContext) => {
      const draw = ({ state }: ToolContext['tool']): void => {
        box.textContent = `Card: ${state}`;
      };
      draw(tool);
      return { update: (changed: ToolContext) => draw(changed.tool) };
    },
    toMarkdown: () => '**Card**',
  });
  // The match that was registered last is asked first, and so for each call.
  register(fail, { mount: fail, toMarkdown: fail, toText: fail });
}
