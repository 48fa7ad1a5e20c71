import { isContentPart } from '../../model/part-tree.js';
import type { Part } from '../../model/part.js';
import type { MessageScope, ViewContext } from '../part-view.js';
import { copyFrozen, findRequest, isToolPart, readFacts, readToolFacts } from './part-facts.js';
import type {
  PartActions,
  PartContext,
  PartLocale,
  PartTheme,
  ToolContext,
} from './renderer-types.js';

/** The actions of a renderer on its own box. */
type BoxActions = Pick<PartActions, 'standard' | 'decline' | 'signal'>;

/** Attributes of an element that can change its appearance. */
const THEME_ATTRIBUTES = ['theme', 'density', 'class', 'style'];

/** The listeners of each element to changes of its appearance. */
const themeListeners = new WeakMap<HTMLElement, Set<() => void>>();

/** Creates what a renderer gets for the current state of a part: a {@link ToolContext} for a tool call. */
export function createPartContext(
  part: Part,
  scope: MessageScope,
  boxActions: BoxActions,
): PartContext & Partial<Pick<ToolContext, 'tool'>> {
  const { context, message } = scope;
  const activity = isContentPart(part) ? scope.linkedPartOf(part) : part;
  const toolActivity = activity?.kind === 'tool-activity' ? activity : undefined;
  const facts = isToolPart(part)
    ? readToolFacts(part, message, toolActivity)
    : readFacts(part, message, activity);
  return Object.freeze({
    ...facts,
    ...createActions(part, scope),
    ...boxActions,
    locale: readLocale(context),
    // Reading computed styles is expensive, so only renderers that need them pay for it.
    get theme() {
      return readTheme(context.host);
    },
  });
}

function createActions(
  part: Part,
  { context, message }: MessageScope,
): Omit<PartActions, keyof BoxActions> {
  const { actions, askPage } = context;
  const { provideInput, findToolFiles, loadToolFile } = actions;
  const { send } = context.host as { send?: PartActions['send'] };
  const request = findRequest(part, message);
  const result = part.kind === 'tool' ? part.result : null;
  return {
    request: copyFrozen(request),
    answer:
      provideInput && request
        ? (answer) => provideInput(message.key, request.key, answer)
        : undefined,
    // A comparison of branches has no actions, although its element could send.
    send: actions.thread === undefined ? undefined : send?.bind(context.host),
    files: copyFrozen((result !== null && findToolFiles?.(result)) || []),
    loadFile:
      loadToolFile &&
      ((address, signal = new AbortController().signal) => loadToolFile(address, signal)),
    ask:
      askPage &&
      ((name, data = null) =>
        askPage({ name, data, messageId: message.id, kind: part.kind, tool: toolNameOf(part) })),
  };
}

function toolNameOf(part: Part): string | null {
  return isToolPart(part) ? part.name : null;
}

function readLocale({ locale }: ViewContext): PartLocale {
  const { lang, contentLang = lang, isRightToLeft } = locale;
  return Object.freeze({ lang, contentLang, direction: isRightToLeft ? 'rtl' : 'ltr' });
}

function readTheme(host: HTMLElement): PartTheme {
  const { colorScheme } = getComputedStyle(host);
  const isDark = colorScheme.includes('light')
    ? colorScheme.includes('dark') && prefersDark.matches
    : colorScheme.includes('dark');
  const isCompact = host.getAttribute('density') === 'compact';
  return Object.freeze({
    colorScheme: isDark ? 'dark' : 'light',
    density: isCompact ? 'compact' : 'comfortable',
  });
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/** Calls `listener` when the appearance of an element may have changed. Returns the function that unsubscribes it. */
export function onThemeChange(host: HTMLElement, listener: () => void): () => void {
  const listeners = themeListeners.get(host) ?? observeTheme(host);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Observes the appearance of an element. */
function observeTheme(host: HTMLElement): Set<() => void> {
  const listeners = new Set<() => void>();
  themeListeners.set(host, listeners);
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  new MutationObserver(notify).observe(host, { attributeFilter: THEME_ATTRIBUTES });
  // The query outlives the element, so it must not retain the element.
  const weakNotify = new WeakRef(notify);
  prefersDark.addEventListener('change', () => weakNotify.deref()?.());
  return listeners;
}
