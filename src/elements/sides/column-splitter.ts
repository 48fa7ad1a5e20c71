import { trackDrag } from '../../dom/drag.js';
import { element } from '../../dom/element.js';

/** Change of the width by an arrow key, in px. */
const STEP = 16;
/** Least width of a column, in px. */
const MIN_WIDTH = 160;
/** Largest width of a column, as a share of the chat. */
const MAX_SHARE = 0.5;

/** The user's choice for a column. */
export interface ColumnState {
  /** In px; undefined: the default width. */
  readonly width?: number;
  readonly isCollapsed?: boolean;
}

/**
 * The splitter at the inner edge of a column (window splitter pattern of the ARIA Authoring Practices Guide): dragging it or the arrow
 * keys change the width; Enter, or the button, collapses the column.
 */
export class ColumnSplitter {
  readonly node = element('div', 'side-edge');
  readonly #button = element('button', 'quiet side-fold');
  readonly #column: HTMLElement;
  readonly #isStart: boolean;
  readonly #onChange: () => void;
  #state: ColumnState = {};

  /** `onChange` is called when the user has changed the state, at the end of a drag. */
  constructor(column: HTMLElement, onChange: () => void) {
    this.#column = column;
    this.#isStart = column.classList.contains('start');
    this.#onChange = onChange;
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
    // The button is a sibling, because a focusable separator may contain no control.
    column.append(node, this.#button);
  }

  /** The present state. */
  get state(): ColumnState {
    return this.#state;
  }

  /** Applies a state, such as a stored one. */
  restore(state: ColumnState): void {
    this.#state = state;
    this.#column.classList.toggle('folded', state.isCollapsed === true);
    if (state.width === undefined) this.#column.style.removeProperty('--_side-width');
    else this.#column.style.setProperty('--_side-width', `${String(state.width)}px`);
    this.node.ariaValueNow = String(Math.round(state.width ?? this.#column.offsetWidth));
  }

  /** Collapses or expands the column for the user. */
  setCollapsed(isCollapsed: boolean): void {
    this.restore({ ...this.#state, isCollapsed });
    this.#onChange();
  }

  /** Sets the accessible names of splitter and button. */
  setLabels(splitter: string, button: string): void {
    this.node.ariaLabel = splitter;
    this.#button.title = button;
  }

  #resize(width: number): void {
    const max = (this.#column.parentElement?.offsetWidth ?? Infinity) * MAX_SHARE;
    this.restore({ ...this.#state, width: Math.round(Math.min(Math.max(MIN_WIDTH, width), max)) });
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
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (steps !== undefined) {
      this.#resize(this.#column.offsetWidth + steps * STEP * this.#direction);
      this.#onChange();
    } else if (event.key === 'Enter') this.setCollapsed(true);
    else return;
    event.preventDefault();
  };
}

/** Reads a stored state, which may be invalid. */
export function readColumnState(stored: unknown): ColumnState {
  const fields = new Map<string, unknown>(Object.entries(stored ?? {}));
  const width = fields.get('width');
  return {
    isCollapsed: fields.get('isCollapsed') === true,
    ...(typeof width === 'number' && width >= MIN_WIDTH && width < 10_000 && { width }),
  };
}
