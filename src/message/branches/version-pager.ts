import {
  groupByParent,
  countDescendants,
  visibleParentOf,
  type Version,
  listVersions,
} from '../../model/branches.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import { renderIconButton } from '../buttons.js';
import type { MessageActions } from './message-actions.js';
import { html, nothing, type TemplateResult } from 'lit';

/** Versions that are read without a wish of the person, so that "2 of 3" can be said. */
const READ_AT_ONCE = 10;

/** The way through the versions of a message: "2 of 3" between two buttons. */
export class VersionPager {
  readonly #acts: MessageActions;
  #versions: Versions | null = null;
  /** Versions that were asked for: one that could not be read is not asked for again. */
  readonly #asked = new Set<string>();
  readonly #seen = new IntersectionObserver((entries) => {
    if (entries.at(-1)?.isIntersecting) void this.#read();
  });

  constructor(acts: MessageActions) {
    this.#acts = acts;
  }

  dispose(): void {
    this.#seen.disconnect();
  }

  /** The pager; nothing where a message has one version only. */
  render(): TemplateResult | typeof nothing {
    const { message, context } = this.#acts.scope;
    const { thread, switchBranch: navigate, openBranchMap } = context.actions;
    const { text } = context.locale;
    this.#versions = navigate && thread ? findVersions(thread, message) : null;
    if (!this.#versions) return nothing;
    const { all, index: at, unloaded: unread } = this.#versions;
    const count = all.length;
    const words =
      unread.length > 0
        ? text('versionCount', { count })
        : text('versionOf', { number: at + 1, count });
    return html`<span
      class="versions"
      role="group"
      aria-label=${text('colon', { name: text('versions'), words })}
      @keydown=${this.#handleKey}
    >
      ${this.#renderStep(-1)}<bdi>${words}</bdi>${this.#renderStep(1)}
      ${
        openBranchMap
          ? renderIconButton({
              className: 'map-act',
              icon: 'branch',
              label: text('branchMap'),
              onClick: () => {
                this.#acts.focusAfterReplace('.map-act');
                openBranchMap();
              },
            })
          : nothing
      }
    </span>`;
  }

  /** Reads the other versions when the pager is in sight. */
  loadWhenVisible(box: Element): void {
    const { length } = this.#versions?.unloaded ?? [];
    if (length > 0 && length <= READ_AT_ONCE) this.#seen.observe(box);
    else this.#seen.disconnect();
  }

  /** What the other versions keep out of sight. */
  renderNotice(): TemplateResult | typeof nothing {
    const { hiddenMessages: hidden = 0, mayHideMore: unseen = false } = this.#versions ?? {};
    const { text } = this.#acts.scope.context.locale;
    if (hidden === 0 && !unseen) return nothing;
    const words =
      hidden > 0 && !unseen ? text('hiddenMessages', { count: hidden }) : text('hiddenAnswers');
    return html`<p class="note beside"><bdi>${words}</bdi></p>`;
  }

  #renderStep(by: -1 | 1): TemplateResult {
    const { text } = this.#acts.scope.context.locale;
    const words = text(by < 0 ? 'versionPrevious' : 'versionNext');
    const isEnd = !this.#versions?.all[this.#versions.index + by];
    return renderIconButton({
      className: nameOf(by),
      icon: 'chevron',
      label: words,
      disabledReason: this.#acts.disabledReason(words) || (isEnd ? words : ''),
      onClick: () => void this.#step(by),
    });
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    const { key, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    const isRtl = getComputedStyle(currentTarget as Element).direction === 'rtl';
    const back = isRtl ? 'ArrowRight' : 'ArrowLeft';
    const on = isRtl ? 'ArrowLeft' : 'ArrowRight';
    if (key !== back && key !== on) return;
    event.preventDefault();
    if (!event.repeat) void this.#step(key === back ? -1 : 1);
  };

  /** Shows the version before or after this one. */
  async #step(by: -1 | 1): Promise<void> {
    const { switchBranch: navigate } = this.#acts.scope.context.actions;
    const { all, index: at } = this.#versions ?? { all: [], index: 0 };
    const id = all[at + by]?.id;
    if (navigate && id && !this.#acts.disabledReason(' ')) {
      await this.#acts.runAction(`.${nameOf(by)}`, () => navigate(id));
    }
  }

  async #read(): Promise<void> {
    const { message, context } = this.#acts.scope;
    const { loadVersion: readVersion } = context.actions;
    const ids = (this.#versions?.unloaded ?? []).filter((id) => !this.#asked.has(id));
    if (!readVersion || ids.length === 0) return;
    for (const id of ids) this.#asked.add(id);
    // A version that cannot be read now is only not numbered; the step to it says why.
    await Promise.allSettled(ids.map((id) => readVersion(message.key, id)));
    this.#acts.render();
  }
}

function nameOf(by: -1 | 1): string {
  return by < 0 ? 'previous-act' : 'next-act';
}

/** The versions at the place of a message, and what they keep out of sight. */
export interface Versions {
  readonly all: readonly Version[];
  /** Where the message is among them, from 0. */
  readonly index: number;
  /** Those of which nothing but the name is known. Until they are read, the order of all is the service's. */
  readonly unloaded: readonly string[];
  /** Messages after the others, as far as this page has seen them. */
  readonly hiddenMessages: number;
  /** The others may have been answered, and this page has not seen how. */
  readonly mayHideMore: boolean;
}

/** The versions of a message; null when it has no other. */
export function findVersions(thread: Thread, message: Message): Versions | null {
  // Most messages have one version, and cost no look at the others.
  if (message.siblingIds.every((id) => id === message.id)) return null;
  const children = groupByParent(thread);
  const known = children.get(visibleParentOf(thread.messages, message)) ?? [message];
  const all = listVersions(known);
  const others = known.filter(({ key }) => key !== message.key);
  const counts = others.map(({ key }) => countDescendants(children, key));
  return {
    all,
    index: all.findIndex((version) => version.message?.key === message.key),
    unloaded: all.flatMap(({ id, message: read }) => (read || id === null ? [] : [id])),
    hiddenMessages: counts.reduce((sum, count) => sum + count, 0),
    mayHideMore: message.role === 'user' && (counts.includes(0) || known.length < all.length),
  };
}
