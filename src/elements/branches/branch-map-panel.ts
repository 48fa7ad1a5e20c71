import { html, nothing, render, type LitElement, type TemplateResult } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { elementOf } from '../../dom/event-target.js';
import { scrollToCenter } from '../../dom/scroll.js';
import { branchStrings } from '../../locales/en-branches.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Change } from '../../model/change.js';
import {
  drawBranches,
  drawingWidth,
  type BranchLines,
} from '../../message/branches/branch-drawing.js';
import {
  listBranchMapPoints,
  siblingPositions,
  type SiblingPosition,
  type BranchMapPoint,
} from '../../message/branches/branch-tree.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { isRunning } from '../../message/thread-selectors.js';
import { renderAskButton } from '../base/ask-button.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { Panel } from '../base/panel-controller.js';
import type { UbikChat } from '../ubik-chat.js';
import { renderRow } from './branch-map-row.js';
import { branchMapStyles } from './branch-map-styles.js';
import { VersionPrefetcher } from './version-prefetcher.js';

addDefaultStrings(branchStrings);

/** The connected `<ubik-branch-map>`, with the property that its panel uses. */
type BranchMapHost = ConnectedHost<
  LitElement & {
    /** Scrolls to a message of the shown branch, by its key. */
    readonly reveal: ((message: string) => void) | null;
  }
>;

/** The points (versions and checkpoints) of a thread, with the lines and the sibling position of each. */
interface BranchMap {
  readonly points: readonly BranchMapPoint[];
  readonly lines: readonly BranchLines[];
  readonly positions: readonly SiblingPosition[];
  /** Width of the drawing in SVG units. */
  readonly width: number;
}

/** Creates the content of `<ubik-branch-map>`. */
export function createPanel(host: BranchMapHost): Panel {
  return new BranchMapPanel(host);
}

/** The tree of versions and checkpoints as a drawing, with the ARIA tree view pattern. */
class BranchMapPanel implements Panel {
  readonly node = element('div', 'branch-map');
  readonly styles = branchMapStyles;
  readonly #host: BranchMapHost;
  #map: BranchMap | null = null;
  #scroller: HTMLElement | null = null;
  /** Key of the point that is in the tab order (roving tabindex). */
  #activeKey: string | undefined;
  /** Why the last switch has failed, and in which thread; null when it has not. */
  #failure: { readonly code: string; readonly thread: StreamController['thread'] } | null = null;
  #isSwitching = false;
  #prefetcher: VersionPrefetcher;
  /** Whether the map was scrolled to the shown branch. */
  #isCentered = false;
  readonly #resizeObserver = new ResizeObserver(() => {
    this.#centerShownBranch();
    this.#prefetchVisible();
  });

  constructor(host: BranchMapHost) {
    this.#host = host;
    this.#prefetcher = this.#createPrefetcher();
  }

  handleConnect(): void {
    this.#map = null;
    // Another controller has not loaded the versions that the last one has, and its messages can have the same keys.
    this.#prefetcher.setVisible([]);
    this.#prefetcher = this.#createPrefetcher();
    this.#activeKey = undefined;
    this.#isCentered = false;
    this.update();
    // If the map has the same size as before, the resize observer reports nothing.
    this.#prefetchVisible();
  }

  handleChange(change: Change): void {
    const isStructural =
      change.type === 'thread' ||
      change.type === 'message' ||
      change.type === 'remove' ||
      (change.type === 'part' && change.value.kind === 'checkpoint');
    if (isStructural) this.#map = null;
  }

  update(): void {
    this.#map ??= computeMap(this.#host.controller);
    const { activeElement } = this.#host.element.renderRoot as ShadowRoot;
    const hadFocus = this.node.contains(activeElement);
    render(this.#render(this.#map), this.node);
    // Rows are reused by index, so the focus must follow the point to its new row.
    if (hadFocus) this.#focus(this.#points.find(({ key }) => key === this.#activeKey));
    this.#observeScroller();
  }

  #createPrefetcher(): VersionPrefetcher {
    return new VersionPrefetcher(
      () => this.#host.context.actions,
      () => {
        this.update();
        this.#prefetchVisible();
      },
    );
  }

  get #points(): readonly BranchMapPoint[] {
    return this.#map?.points ?? [];
  }

  #render({ points, lines, positions, width }: BranchMap): TemplateResult {
    const { context, controller } = this.#host;
    const { locale, prefix, actions } = context;
    if (!actions.switchBranch || points.length === 0) {
      return html`<p class="note">${locale.text('mapEmpty')}</p>
        ${actions.switchBranch ? renderAskButton(this.#host) : nothing}`;
    }
    const busy = isRunning(controller?.thread);
    const tabbable =
      points.find(({ key }) => key === this.#activeKey) ??
      points.find(({ isHead }) => isHead) ??
      points[0];
    return html`<p class="note" id="${prefix}-map-note">
        <bdi>${locale.text(busy ? 'mapBusy' : 'mapHint')}</bdi>
      </p>
      ${this.#renderFailure()}
      <div
        class="points"
        role="tree"
        aria-label=${locale.text('branchMap')}
        @keydown=${this.#handleKeydown}
        @focusin=${this.#handleFocus}
        @click=${this.#handleClick}
        @scroll=${this.#prefetchVisible}
      >
        ${points.map((point, index) =>
          renderRow(point, {
            locale,
            width,
            lines: lines[index],
            position: positions[index],
            busy,
            tabbable: point === tabbable,
            noteId: `${prefix}-map-note`,
          }),
        )}
      </div>`;
  }

  #renderFailure(): TemplateResult | typeof nothing {
    const { controller, context } = this.#host;
    if (!this.#failure || this.#failure.thread !== controller?.thread) return nothing;
    return html`<p class="error-text" role="alert">
      ${renderIcon('alert')}<span>${explainCode(this.#failure.code, context.locale)}</span>
    </p>`;
  }

  #pointOf(event: Event): BranchMapPoint | undefined {
    const row = elementOf(event)?.closest<HTMLElement>('.point');
    return this.#points.find(({ key }) => key === row?.dataset['key']);
  }

  readonly #handleFocus = (event: FocusEvent): void => {
    const point = this.#pointOf(event);
    if (!point) return;
    this.#activeKey = point.key;
    this.update();
    this.#prefetchVisible();
  };

  readonly #handleClick = (event: Event): void => {
    const point = this.#pointOf(event);
    if (point) void this.#select(point);
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    const { altKey, ctrlKey, metaKey, shiftKey } = event;
    const point = this.#pointOf(event);
    const points = this.#points;
    if (!point || altKey || ctrlKey || metaKey || shiftKey) return;
    const index = points.indexOf(point);
    const isRtl = getComputedStyle(this.node).direction === 'rtl';
    const firstChild = points.findIndex(({ parent }) => parent === index);
    const targets = new Map([
      ['ArrowDown', index + 1],
      ['ArrowUp', index - 1],
      ['Home', 0],
      ['End', points.length - 1],
      [isRtl ? 'ArrowLeft' : 'ArrowRight', firstChild],
      [isRtl ? 'ArrowRight' : 'ArrowLeft', point.parent],
    ]);
    const isSelect = event.key === 'Enter' || event.key === ' ';
    const target = isSelect ? index : targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    if (!isSelect) this.#focus(points[target]);
    else if (!event.repeat) void this.#select(point);
  };

  #focus(point: BranchMapPoint | undefined): void {
    if (!point) return;
    const rows = [...this.node.querySelectorAll<HTMLElement>('.point')];
    rows.find(({ dataset }) => dataset['key'] === point.key)?.focus();
  }

  /** Scrolls the transcript to a version of the shown branch, or switches the thread to another version. */
  async #select({ active, messages, id, key }: BranchMapPoint): Promise<void> {
    const { context, element } = this.#host;
    const { switchBranch, thread = null } = context.actions;
    const { reveal } = element;
    const [first] = messages;
    if (active && first) return reveal ? reveal(first.key) : revealInChat(element, first.id);
    if (!switchBranch || id === null || this.#isSwitching || isRunning(thread)) return;
    this.#isSwitching = true;
    this.#failure = null;
    const isSwitched = await this.#host.attempt(switchBranch(id), ({ code }) => {
      this.#failure = { code, thread };
    });
    if (isSwitched) this.#activeKey = key;
    this.#isSwitching = false;
    this.update();
  }

  #observeScroller(): void {
    const scroller = this.node.querySelector<HTMLElement>('.points');
    if (scroller === this.#scroller) return;
    this.#resizeObserver.disconnect();
    this.#scroller = scroller;
    if (scroller) this.#resizeObserver.observe(scroller);
  }

  /** Scrolls the map, once, to the row in the tab order: the last focused one, else the end of the shown branch. */
  #centerShownBranch(): void {
    const scroller = this.#scroller;
    const row = scroller?.querySelector<HTMLElement>('[tabindex="0"]');
    if (this.#isCentered || !scroller || !row || scroller.clientHeight === 0) return;
    this.#isCentered = true;
    scrollToCenter(scroller, row);
  }

  /** Prefetches the visible versions, starting with the focused one. */
  readonly #prefetchVisible = (): void => {
    const scroller = this.#scroller;
    const points = this.#points;
    if (!scroller || scroller.clientHeight === 0) return;
    const visible = visibleItems(scroller, points);
    const focused = points.find(({ key }) => key === this.#activeKey);
    this.#prefetcher.setVisible(focused ? [focused, ...visible] : visible);
  };
}

/** Computes the map of the shown thread. */
function computeMap(controller: StreamController | null): BranchMap {
  const points = controller?.thread ? listBranchMapPoints(controller.thread) : [];
  return {
    points,
    lines: drawBranches(points),
    positions: siblingPositions(points),
    width: drawingWidth(points),
  };
}

/** The items whose rows are visible in the scroller. All rows have the same height. */
function visibleItems<Item>(
  { scrollTop, clientHeight, scrollHeight }: HTMLElement,
  items: readonly Item[],
): readonly Item[] {
  const height = scrollHeight / items.length;
  return items.slice(
    Math.floor(scrollTop / height),
    Math.ceil((scrollTop + clientHeight) / height),
  );
}

/** Scrolls the enclosing chat to a message. */
function revealInChat(element: Element, id: string | null): void {
  if (id !== null) element.closest<UbikChat>('ubik-chat')?.showMessage(id);
}
