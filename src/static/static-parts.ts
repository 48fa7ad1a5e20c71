import { checkpointLabel } from '../message/checkpoint-label.js';
import { explainCode } from '../message/explain-error.js';
import { dataMarkdown, isDataPart } from '../message/message-formats.js';
import { formatElapsed } from '../message/parts/disclosure.js';
import { resolveStepState, STEP_STATE_STRINGS } from '../message/parts/step-view.js';
import { previewOf } from '../message/parts/thinking-view.js';
import { describeAnswer, findRequestActivity } from '../message/request/request-view.js';
import { describeWork, describeWorkDuration, findFirstWork } from '../message/run-summary.js';
import { endsWithTextIn } from '../message/part-selectors.js';
import {
  describeToolState,
  findToolActivity,
  resolveToolState,
  TOOL_STATE_STRINGS,
  type ShownToolState,
} from '../message/tool/tool-state.js';
import {
  findToolError,
  summarizeInput,
  toolLabel,
  toSingleLine,
} from '../message/tool/tool-text.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import type { ContentKind, DataKind, PartOf } from '../model/part.js';
import { isContentPart } from '../model/part-tree.js';
import type { StaticBuilder } from './static-builder.js';

/** A kind of part with a renderer in this file. Data kinds are rendered from their Markdown. */
type StaticKind = Exclude<ContentKind, DataKind>;

/** The data that the renderer of a part needs. */
interface PartScope {
  readonly message: Message;
  readonly builder: StaticBuilder;
  /** The elements of the child parts. */
  readonly children: readonly HTMLElement[];
}

type RenderPart<Kind extends StaticKind> = (part: PartOf<Kind>, scope: PartScope) => HTMLElement;

const RENDERERS: { readonly [Kind in StaticKind]: RenderPart<Kind> } = {
  text: (part, { message, builder }) =>
    message.role === 'assistant'
      ? builder.markdown(part, 'text', 'text')
      : builder.plain(part, null, builder.box('div', 'content')),
  thinking: (part, { builder }) => {
    const node = builder.disclosure(
      'thinking',
      {
        state: 'closed',
        texts: [
          ['number', builder.locale.text('thought')],
          ['status', previewOf(part.text?.read() ?? ''), true],
        ],
      },
      builder.markdown(part, 'content'),
    );
    node.setAttribute('part', 'thinking');
    return node;
  },
  step: renderStep,
  tool: renderTool,
  checkpoint: ({ key, name }, { message, builder }) => {
    const { locale } = builder;
    const label = checkpointLabel(message.parts, key, locale);
    const divider = builder.box(
      'div',
      'divider',
      builder.icon('flag'),
      builder.box('span', 'hidden', locale.text('checkpointPlain')),
      label === name ? builder.contentText(name) : builder.create('bdi', {}, label),
    );
    return builder.create('div', { class: 'checkpoint', part: 'checkpoint' }, divider);
  },
  'input-request': renderRequest,
  error: ({ message, advice }, { builder }) => {
    const { locale } = builder;
    const reason = message
      ? builder.contentText(message)
      : builder.create('span', {}, explainCode('run-failed', locale));
    const line = builder.create(
      'p',
      {},
      builder.icon('alert'),
      builder.create('strong', {}, locale.text('errorTitle')),
      reason,
      advice ? builder.contentText(advice) : null,
    );
    return builder.create('div', { class: 'error', part: 'error' }, line);
  },
  unknown: (part, { builder, children }) => {
    const { locale } = builder;
    const label = locale.text('unknownPart', { name: part.name });
    return builder.plain(
      part,
      builder.create('p', { class: 'meta', lang: locale.uiLang }, label),
      builder.box('div', 'content', ...children),
    );
  },
};

function rendererOf<Kind extends StaticKind>(kind: Kind): RenderPart<Kind> {
  return RENDERERS[kind];
}

/** Renders the content of a message: its parts, in order, with what activity says about them, and the line that summarizes its work. */
export function renderContent(message: Message, builder: StaticBuilder): readonly HTMLElement[] {
  return renderParts(message, builder, null);
}

/** Renders the content parts below a parent. The line that summarizes the work precedes the first part of the work. */
function renderParts(
  message: Message,
  builder: StaticBuilder,
  parent: Key | null,
): readonly HTMLElement[] {
  const firstWork = parent === null ? findFirstWork(message) : null;
  return message.parts.children(parent).flatMap((key) => {
    const part = message.parts.get(key);
    if (!part || !isContentPart(part)) return [];
    const node = renderPart(part, message, builder);
    return key === firstWork ? [renderRunSummary(message, builder), node] : [node];
  });
}

function renderRunSummary(message: Message, builder: StaticBuilder): HTMLElement {
  const { locale } = builder;
  const failed = countFailedTools(message, null);
  return builder.disclosure(
    'run',
    {
      state: 'done',
      texts: [['number', describeWork(message, locale)]],
      meta: [
        failed > 0 ? locale.text('toolsFailed', { count: failed }) : '',
        describeWorkDuration(message, locale),
      ],
    },
    builder.box('div', 'content'),
  );
}

function renderPart(
  part: PartOf<ContentKind>,
  message: Message,
  builder: StaticBuilder,
): HTMLElement {
  if (isDataPart(part)) {
    const content = builder.renderMarkdown(dataMarkdown(part), { class: 'text' });
    return builder.create('div', { class: 'data', part: 'data' }, content);
  }
  const children = renderParts(message, builder, part.key);
  return rendererOf(part.kind)(part, { message, builder, children });
}

function renderStep(part: PartOf<'step'>, { message, builder, children }: PartScope): HTMLElement {
  const { locale } = builder;
  const { number, title, single } = part;
  // Nothing is running in a finished conversation.
  const state = resolveStepState(part, message, false);
  const failed = countFailedTools(message, part.key);
  const hasAnswer = endsWithTextIn(message.parts, part.key);
  const node = builder.disclosure(
    `step${single ? ' single' : ''}${hasAnswer ? ' with-answer' : ''}`,
    {
      state,
      texts: [
        ['number', number === null ? '' : locale.text('stepNumber', { number })],
        ['title', title, true],
        ['hidden', locale.text(STEP_STATE_STRINGS[state])],
      ],
      meta: [failed > 0 ? locale.text('toolsFailed', { count: failed }) : ''],
      open: single || hasAnswer,
    },
    builder.box('div', 'content', ...children),
    builder.box('div', 'results'),
  );
  node.setAttribute('part', 'step');
  return node;
}

/** Returns the number of tools below a part that are shown as failed. */
function countFailedTools(message: Message, parent: Key | null): number {
  return message.parts.children(parent).reduce((count, key) => {
    const part = message.parts.get(key);
    const isFailed = part?.kind === 'tool' && stateOf(part, message).state === 'failed';
    return count + (isFailed ? 1 : 0) + countFailedTools(message, key);
  }, 0);
}

function stateOf(tool: PartOf<'tool'>, message: Message): ShownToolState {
  const activity = findToolActivity(message, tool);
  return resolveToolState(tool, activity, findToolError(tool.result), message.status);
}

function renderTool(part: PartOf<'tool'>, { message, builder, children }: PartScope): HTMLElement {
  const { locale } = builder;
  const { name, toolType, title, input, result } = part;
  const activity = findToolActivity(message, part);
  const shown = stateOf(part, message);
  const status = describeToolState(shown, activity, locale);
  const stateText = locale.text(TOOL_STATE_STRINGS[shown.state]);
  // The state is only shown when no status describes it and the tool is not done; otherwise it is text for screen readers.
  const isStateHidden = status !== '' || shown.state === 'done';
  const payloads = [input, result].filter((payload) => payload);
  const node = builder.disclosure(
    'tool',
    {
      state: shown.state,
      texts: [
        ['title', toolLabel(name, locale, toolType)],
        ['topic', toSingleLine(title) || summarizeInput(input), true],
        [isStateHidden ? 'hidden' : 'status', stateText],
        ['status', status, true],
      ],
      meta: [formatElapsed(activity, locale)],
    },
    builder.box('div', 'payload', ...payloads.map((text) => builder.box('pre', 'raw', text))),
    builder.box('div', 'content', ...children),
  );
  return builder.create('div', { class: 'call', part: 'tool' }, node, builder.box('div', 'media'));
}

function renderRequest(
  part: PartOf<'input-request'>,
  { builder, message }: PartScope,
): HTMLElement {
  const { locale } = builder;
  const attributes = { dir: 'auto', lang: locale.contentLang };
  const activity = findRequestActivity(message, part);
  if (part.answer === null && activity?.state !== 'answered') {
    return builder.create(
      'section',
      { class: 'request', part: 'request', role: 'group', 'data-state': 'text' },
      builder.create(
        'p',
        { class: 'meta' },
        builder.icon('question'),
        ` ${locale.text('request')}`,
      ),
      builder.create('h3', { class: 'question', ...attributes }, part.prompt),
    );
  }
  const { state, answer } = describeAnswer(part.answer, locale, activity);
  const shown = typeof answer === 'string' ? answer : answer.text;
  const text = typeof shown === 'string' ? shown : shown.data;
  const disclosure = builder.disclosure(
    '',
    {
      state,
      texts: [
        ['hidden', state === 'answered' ? locale.text('requestAnswered') : ''],
        ['title', part.prompt, true],
        ['status', text, typeof answer !== 'string'],
      ],
    },
    builder.box(
      'div',
      'content',
      builder.create('p', attributes, part.prompt),
      builder.create('p', attributes, text),
    ),
  );
  return builder.create(
    'section',
    { class: 'request', part: 'request', role: 'group', 'data-state': 'answered' },
    disclosure,
  );
}
