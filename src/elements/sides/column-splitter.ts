import { css } from 'lit';
import { trackDrag } from '../../dom/drag.js';
import { element } from '../../dom/element.js';
import { applyColumnState, MIN_WIDTH, type ColumnState } from './column-state.js';

/** Styles of the splitters at the edges of columns. Splitters are visible where the style of their column shows them. */
export const splitterStyles = css`
  /* The splitter is wider than the line, so that it can be grabbed. */
  .side-edge {
    position: absolute;
    inset-block: 0;
    z-index: 1;
    display: none;
    width: calc(0.5625 * var(--_ubik-rem));
    cursor: ew-resize;
    touch-action: none;
    &:is(:hover, :focus-visible) {
      outline: 0;
      background: color-mix(in oklab, var(--_accent) 40%, transparent);
    }
    &:is(:hover, :focus-visible) + .side-collapse,
    + .side-collapse:is(:hover, :focus-visible) {
      opacity: 1;
    }
  }
  .start > .side-edge {
    inset-inline-end: calc(-0.3125 * var(--_ubik-rem));
    + .side-collapse {
      inset-inline-end: 0;
    }
  }
  :is(.end, .details-area) > .side-edge {
    inset-inline-start: calc(-0.3125 * var(--_ubik-rem));
    + .side-collapse {
      inset-inline-start: 0;
    }
  }
  .side-collapse {
    position: absolute;
    inset-block-start: 50%;
    z-index: 1;
    display: none;
    place-items: center;
    width: calc(1.5 * var(--_ubik-rem));
    height: calc(2.5 * var(--_ubik-rem));
    min-height: 0;
    padding: 0;
    background: var(--_background);
    opacity: 0;
    translate: 50% -50%;
    &:dir(rtl) {
      translate: -50% -50%;
    }
    &::before {
      width: calc(0.4375 * var(--_ubik-rem));
      height: calc(0.4375 * var(--_ubik-rem));
      border: 0 solid currentColor;
      border-block-start-width: 2px;
      border-inline-start-width: 2px;
      rotate: -45deg;
      content: '';
    }
    &:dir(rtl)::before {
      rotate: 45deg;
    }
  }
  .end > .side-collapse {
    translate: -50% -50%;
    &:dir(rtl) {
      translate: 50% -50%;
    }
  }
  .end > .side-collapse::before {
    rotate: 135deg;
  }
  .end > .side-collapse:dir(rtl)::before {
    rotate: -135deg;
  }
  @media (pointer: coarse) {
    .side-collapse {
      width: calc(1.75 * var(--_ubik-rem));
      opacity: 1;
    }
  }
`;

/** Step by which an arrow key changes the width, in px. */
const STEP = 16;
/** Maximum width of a column, as a fraction of the chat's width. */
const MAX_SHARE = 0.5;

/**
 * The splitter at the inner edge of a column (window splitter pattern of the ARIA Authoring Practices Guide). Dragging and the arrow keys
 * change the width; Enter and the button collapse the column.
 */
export class ColumnSplitter {
  readonly node = element('div', 'side-edge');
  readonly #button = element('button', 'quiet side-collapse');
  readonly #column: HTMLElement;
  readonly #isStart: boolean;
  readonly #onChange: () => void;
  readonly #canCollapse: boolean;
  #state: ColumnState = {};

  /**
   * `onChange` is called when the user has changed the state; during a drag, only at its end. Without `canCollapse`, there is no button, and
   * Enter has no function.
   */
  constructor(column: HTMLElement, onChange: () => void, canCollapse = true) {
    this.#column = column;
    this.#isStart = column.classList.contains('start');
    this.#onChange = onChange;
    this.#canCollapse = canCollapse;
    const { node } = this;
    node.role = 'separator';
    node.tabIndex = 0;
    node.ariaOrientation = 'vertical';
    this.#button.type = 'button';
    this.#button.addEventListener('click', () => {
      this.setCollapsed(true);
    });
    node.addEventListener('pointerdown', this.#handlePointer);
    node.addEventListener('keydown', this.#handleKey);
    column.append(node);
    // A sibling, because a focusable separator must not contain a control.
    if (canCollapse) column.append(this.#button);
  }

  /** The current state. */
  get state(): ColumnState {
    return this.#state;
  }

  /** Applies a state, such as a stored one. */
  applyState(state: ColumnState): void {
    this.#state = state;
    applyColumnState(this.#column, state);
    const width = Math.round(state.width ?? this.#column.offsetWidth);
    this.node.ariaValueMin = String(MIN_WIDTH);
    // A width that was stored in a wider chat may exceed the maximum.
    this.node.ariaValueMax = String(Math.max(this.#maxWidth, width));
    this.node.ariaValueNow = String(width);
  }

  /** Collapses or expands the column on behalf of the user, and so calls `onChange`. */
  setCollapsed(isCollapsed: boolean): void {
    this.applyState({ ...this.#state, isCollapsed });
    this.#onChange();
  }

  /** Sets the accessible names of splitter and button. */
  setLabels(splitter: string, button = ''): void {
    this.node.ariaLabel = splitter;
    this.#button.title = button;
  }

  #resize(width: number): void {
    const bounded = Math.min(Math.max(MIN_WIDTH, width), this.#maxWidth);
    this.applyState({ ...this.#state, width: Math.round(bounded) });
  }

  get #maxWidth(): number {
    return Math.round((this.#column.parentElement?.offsetWidth ?? 0) * MAX_SHARE);
  }

  /** 1 where moving right makes the column wider, else -1. */
  get #direction(): number {
    return this.#isStart === this.#column.matches(':dir(ltr)') ? 1 : -1;
  }

  readonly #handlePointer = (down: PointerEvent): void => {
    const { offsetWidth } = this.#column;
    const resize = (right: number): void => {
      this.#resize(offsetWidth + right * this.#direction);
    };
    trackDrag(this.node, down, resize, this.#onChange);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (steps !== undefined) {
      this.#resize(this.#column.offsetWidth + steps * STEP * this.#direction);
      this.#onChange();
    } else if (event.key === 'Enter' && this.#canCollapse) this.setCollapsed(true);
    else return;
    event.preventDefault();
  };
}
