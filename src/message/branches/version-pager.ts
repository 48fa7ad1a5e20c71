import { branchStrings } from '../../locales/en-branches.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { html, nothing, type TemplateResult } from 'lit';
import {
  groupByParent,
  listVersions,
  visibleParentOf,
  type Version,
} from '../../model/branches.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import { renderIconButton } from '../buttons.js';
import { renderIcon } from '../icons.js';
import { renderActionIcon } from './action-icons.js';
import type { MessageActions } from './message-actions.js';

addDefaultStrings(branchStrings);

/** Maximum number of versions that are loaded without a request of the user, so that "2 of 3" can be shown. */
const MAX_AUTO_LOADED = 10;

/** The control that switches between the versions of a message: "2 of 3" between two buttons. */
export class VersionPager {
  readonly #actions: MessageActions;
  #versions: Versions | null = null;
  /** Ids of the requested versions, so that a version that cannot be loaded is not requested again. */
  readonly #requested = new Set<string>();
  readonly #observer = new IntersectionObserver((entries) => {
    if (entries.at(-1)?.isIntersecting) void this.#loadVersions();
  });

  constructor(actions: MessageActions) {
    this.#actions = actions;
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  /** Renders the pager; nothing when the message has only one version. */
  render(): TemplateResult | typeof nothing {
    const { message, context } = this.#actions.scope;
    const { thread, switchBranch, openBranchMap } = context.actions;
    const { text } = context.locale;
    this.#versions = switchBranch && thread ? findVersions(thread, message) : null;
    if (!this.#versions) return nothing;
    const { all, index, unloaded } = this.#versions;
    const count = all.length;
    const position =
      unloaded.length > 0
        ? text('versionCount', { count })
        : text('versionOf', { number: index + 1, count });
    return html`<span
      class="versions"
      role="group"
      aria-label=${text('colon', { name: text('versions'), words: position })}
      @keydown=${this.#handleKey}
    >
      ${this.#renderArrowButton(-1)}<bdi>${position}</bdi>${this.#renderArrowButton(1)}
      ${openBranchMap ? this.#renderMapButton(openBranchMap) : nothing}
    </span>`;
  }

  /** Loads the other versions once `element` is in the viewport, unless there are too many. */
  loadWhenVisible(element: Element): void {
    const { length } = this.#versions?.unloaded ?? [];
    if (length > 0 && length <= MAX_AUTO_LOADED) this.#observer.observe(element);
    else this.#observer.disconnect();
  }

  /**
   * Renders a notice that other versions of a question have messages of their own; nothing for an answer. Services list the versions of a
   * message, but not the messages after each version, so the notice does not depend on which versions this page has loaded.
   */
  renderNotice(): TemplateResult | typeof nothing {
    const { message, context } = this.#actions.scope;
    if (!this.#versions || message.role !== 'user') return nothing;
    return html`<p class="note beside"><bdi>${context.locale.text('hiddenAnswers')}</bdi></p>`;
  }

  #renderArrowButton(step: -1 | 1): TemplateResult {
    const { text } = this.#actions.scope.context.locale;
    const label = text(step < 0 ? 'versionPrevious' : 'versionNext');
    const isEnd = !this.#versions?.all[this.#versions.index + step];
    return renderIconButton({
      className: classNameOf(step),
      icon: renderIcon('chevron'),
      label,
      // At the end of the list there is no reason to explain: the button is disabled and keeps its label as the tooltip.
      disabledReason: this.#actions.disabledReason(label) || (isEnd ? label : ''),
      onClick: () => void this.#switchVersion(step),
    });
  }

  #renderMapButton(openBranchMap: () => void): TemplateResult {
    return renderIconButton({
      className: 'map-button',
      icon: renderActionIcon('branch'),
      label: this.#actions.scope.context.locale.text('branchMap'),
      onClick: () => {
        this.#actions.focusAfterReplace('.map-button');
        openBranchMap();
      },
    });
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    const { key, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    const isRtl = getComputedStyle(currentTarget as Element).direction === 'rtl';
    const previousKey = isRtl ? 'ArrowRight' : 'ArrowLeft';
    const nextKey = isRtl ? 'ArrowLeft' : 'ArrowRight';
    if (key !== previousKey && key !== nextKey) return;
    event.preventDefault();
    if (!event.repeat) void this.#switchVersion(key === previousKey ? -1 : 1);
  };

  async #switchVersion(step: -1 | 1): Promise<void> {
    const { switchBranch } = this.#actions.scope.context.actions;
    const { all, index } = this.#versions ?? { all: [], index: 0 };
    const id = all[index + step]?.id;
    if (switchBranch && id && !this.#actions.isDisabled()) {
      await this.#actions.runAction(`.${classNameOf(step)}`, () => switchBranch(id));
    }
  }

  async #loadVersions(): Promise<void> {
    const { message, context } = this.#actions.scope;
    const { loadVersion } = context.actions;
    const ids = (this.#versions?.unloaded ?? []).filter((id) => !this.#requested.has(id));
    if (!loadVersion || ids.length === 0) return;
    for (const id of ids) this.#requested.add(id);
    // While a version is missing, the pager shows the count instead of a position. Switching to that version shows the error.
    await Promise.allSettled(ids.map((id) => loadVersion(message.key, id)));
    this.#actions.render();
  }
}

function classNameOf(step: -1 | 1): string {
  return step < 0 ? 'previous-button' : 'next-button';
}

/** The versions of a message. */
export interface Versions {
  readonly all: readonly Version[];
  /** Index of the message in `all`. */
  readonly index: number;
  /** Ids of the versions that are not loaded. Until all are loaded, `all` is in the order of the service. */
  readonly unloaded: readonly string[];
}

/** Returns the versions of a message; null when it has only one. */
export function findVersions(thread: Thread, message: Message): Versions | null {
  // Most messages have one version, for which the thread must not be traversed.
  if (message.siblingIds.every((id) => id === message.id)) return null;
  const children = groupByParent(thread);
  const siblings = children.get(visibleParentOf(thread.messages, message)) ?? [message];
  const all = listVersions(siblings);
  return {
    all,
    index: all.findIndex((version) => version.message?.key === message.key),
    unloaded: all.flatMap(({ id, message: loaded }) => (loaded || id === null ? [] : [id])),
  };
}
