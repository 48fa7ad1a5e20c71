import { html, nothing, render, type LitElement, type TemplateResult } from 'lit';
import { isUbikError } from '../../errors.js';
import { element } from '../../dom/element.js';
import type { Change } from '../../model/change.js';
import type { BranchPoint } from '../../message/branches/branch-tree.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { Panel } from '../base/panel-element.js';
import { branchMapStyles } from './branch-map-styles.js';
import { renderRow } from './branch-map-row.js';
import { scrollToCenter, visibleItems, revealInChat } from './map-sight.js';
import { readMap, type BranchMap } from './read-map.js';
import { VersionPrefetcher } from './version-prefetcher.js';
import { branchStrings } from '../../locales/en-branches.js';
import { addDefaultStrings } from '../../locales/locale.js';

addDefaultStrings(branchStrings);

/** The element around a map. */
type BranchMapHost = ConnectedHost<
  LitElement & {
    /** Leads to a message that is shown. */
    readonly reveal: ((message: string) => void) | null;
  }
>;

/** Makes the inside of `<ubik-branch-map>`. */
export function createPanel(host: BranchMapHost): Panel {
  return new BranchMapPanel(host);
}

/** A drawn tree of versions and checkpoints, which is one for screen readers and keys too. */
class BranchMapPanel implements Panel {
  readonly node = element('div', 'branch-map');
  readonly styles = branchMapStyles;
  readonly #host: BranchMapHost;
  #map: BranchMap | null = null;
  /** The box that scrolls. */
  #scroller: HTMLElement | null = null;
  /** The point that Tab leads to. */
  #activeKey: string | undefined;
  #failure = '';
  #isNavigating = false;
  readonly #prefetcher: VersionPrefetcher;
  /** Whether the way that is shown was brought into sight. */
  #isCentered = false;
  readonly #resizeObserver = new ResizeObserver(() => {
    this.#centerShownBranch();
    this.#prefetchVisible();
  });

  constructor(host: BranchMapHost) {
    this.#host = host;
    this.#prefetcher = new VersionPrefetcher(
      () => host.context.actions,
      () => {
        this.update();
        this.#prefetchVisible();
      },
    );
  }

  connected(): void {
    this.#map = null;
    this.#activeKey = undefined;
    this.#isCentered = false;
    this.update();
  }

  changed(change: Change): void {
    const isOfTree =
      change.type === 'thread' ||
      change.type === 'message' ||
      change.type === 'remove' ||
      (change.type === 'part' && change.value.kind === 'checkpoint');
    if (isOfTree) this.#map = null;
  }

  update(): void {
    this.#map ??= readMap(this.#host.controller);
    const { activeElement } = this.#host.element.renderRoot as ShadowRoot;
    const hadFocus = this.node.contains(activeElement);
    render(this.#render(this.#map), this.node);
    // Rows are told apart by their place: the focus goes with its point.
    if (hadFocus) this.#focus(this.#points.find(({ key }) => key === this.#activeKey));
    this.#observeScroller();
  }

  dispose(): void {
    this.#resizeObserver.disconnect();
    this.#scroller = null;
  }

  get #points(): readonly BranchPoint[] {
    return this.#map?.points ?? [];
  }

  #render({ points, lines, places, width }: BranchMap): TemplateResult {
    const { context, controller } = this.#host;
    const { locale, prefix, actions } = context;
    if (!actions.switchBranch || points.length === 0) {
      return html`<p class="note">${locale.text('mapEmpty')}</p>`;
    }
    const busy = isRunning(controller?.thread);
    const reachable =
      points.find(({ key }) => key === this.#activeKey) ??
      points.find(({ isHead: head }) => head) ??
      points[0];
    return html`<p class="note" id="${prefix}-map-note">
        <bdi>${locale.text(busy ? 'mapBusy' : 'mapHint')}</bdi>
      </p>
      ${this.#renderFailure()}
      <div
        class="points"
        role="tree"
        aria-label=${locale.text('branchMap')}
        @keydown=${this.#handleKey}
        @focusin=${this.#handleFocus}
        @click=${this.#handleClick}
        @scroll=${this.#prefetchVisible}
      >
        ${points.map((point, at) =>
          renderRow(point, {
            locale,
            width,
            lines: lines[at],
            place: places[at],
            busy,
            tabbable: point === reachable,
            note: `${prefix}-map-note`,
          }),
        )}
      </div>`;
  }

  #renderFailure(): TemplateResult | typeof nothing {
    if (!this.#failure) return nothing;
    return html`<p class="complaint" role="alert">
      ${renderIcon('alert')}<span>${explainCode(this.#failure, this.#host.context.locale)}</span>
    </p>`;
  }

  #pointOf(target: EventTarget | null): BranchPoint | undefined {
    const row = target instanceof Element ? target.closest<HTMLElement>('.point') : null;
    return this.#points.find(({ key }) => key === row?.dataset['key']);
  }

  readonly #handleFocus = ({ target }: FocusEvent): void => {
    const point = this.#pointOf(target);
    if (!point) return;
    this.#activeKey = point.key;
    this.update();
    this.#prefetchVisible();
  };

  readonly #handleClick = ({ target }: Event): void => {
    const point = this.#pointOf(target);
    if (point) void this.#select(point);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    const { altKey, ctrlKey, metaKey, shiftKey } = event;
    const point = this.#pointOf(event.target);
    const points = this.#points;
    if (!point || altKey || ctrlKey || metaKey || shiftKey) return;
    const at = points.indexOf(point);
    const isRtl = getComputedStyle(this.node).direction === 'rtl';
    const inward = points.findIndex(({ parent }) => parent === at);
    const goals = new Map([
      ['ArrowDown', at + 1],
      ['ArrowUp', at - 1],
      ['Home', 0],
      ['End', points.length - 1],
      [isRtl ? 'ArrowLeft' : 'ArrowRight', inward],
      [isRtl ? 'ArrowRight' : 'ArrowLeft', point.parent],
    ]);
    const isChoice = event.key === 'Enter' || event.key === ' ';
    const goal = goals.get(event.key);
    if (!isChoice && goal === undefined) return;
    event.preventDefault();
    if (isChoice) {
      if (!event.repeat) void this.#select(point);
    } else this.#focus(points[goal ?? -1]);
  };

  #focus(point: BranchPoint | undefined): void {
    if (!point) return;
    const rows = [...this.node.querySelectorAll<HTMLElement>('.point')];
    rows.find(({ dataset }) => dataset['key'] === point.key)?.focus();
  }

  /** Leads to what is shown; what is not, the service is asked to switch to. */
  async #select({ active, messages, id, key }: BranchPoint): Promise<void> {
    const { context, controller, element } = this.#host;
    const { switchBranch: navigate } = context.actions;
    const { reveal } = element;
    const [first] = messages;
    if (active && first) return reveal ? reveal(first.key) : revealInChat(element, first.id);
    if (!navigate || id === null || this.#isNavigating || isRunning(controller?.thread)) return;
    this.#isNavigating = true;
    this.#failure = '';
    try {
      await navigate(id);
      this.#activeKey = key;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') this.#failure = error.code;
    }
    this.#isNavigating = false;
    this.update();
  }

  #observeScroller(): void {
    const scroller = this.node.querySelector<HTMLElement>('.points');
    if (scroller === this.#scroller) return;
    this.#resizeObserver.disconnect();
    this.#scroller = scroller;
    if (scroller) this.#resizeObserver.observe(scroller);
  }

  /** Brings the way that is shown into sight, once. */
  #centerShownBranch(): void {
    const scroller = this.#scroller;
    const row = scroller?.querySelector<HTMLElement>('[tabindex="0"]');
    if (this.#isCentered || !scroller || !row || scroller.clientHeight === 0) return;
    this.#isCentered = true;
    scrollToCenter(scroller, row);
  }

  /** Has those read that can be seen, the one with the focus first. */
  readonly #prefetchVisible = (): void => {
    const scroller = this.#scroller;
    const points = this.#points;
    if (!scroller || points.length === 0 || scroller.clientHeight === 0) return;
    const seen = visibleItems(scroller, points);
    const current = points.find(({ key }) => key === this.#activeKey);
    this.#prefetcher.setVisible(current ? [current, ...seen] : seen);
  };
}
