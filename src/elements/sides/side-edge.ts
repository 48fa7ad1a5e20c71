import { trackDrag } from '../../dom/drag.js';
import { element } from '../../dom/element.js';

/** What a press of an arrow key changes, in px. */
const STEP = 16;
/** A column is never narrower, in px. */
const LEAST = 160;
/** Nor wider than this share of the chat. */
const MOST = 0.5;

/** How a person wants a column to be. */
export interface EdgeState {
  /** In px; undefined: as it is by itself. */
  readonly width?: number;
  readonly isFolded?: boolean;
}

/**
 * The inner edge of a column beside the messages: dragged or moved by arrow keys it changes the width; Enter, or its button, folds
 * the column away (the window splitter of the ARIA practices).
 */
export class SideEdge {
  readonly node = element('div', 'side-edge');
  readonly #button = element('button', 'quiet side-fold');
  readonly #box: HTMLElement;
  readonly #isStart: boolean;
  readonly #changed: () => void;
  #state: EdgeState = {};

  /** `changed` is told when the person has let go. */
  constructor(box: HTMLElement, changed: () => void) {
    this.#box = box;
    this.#isStart = box.classList.contains('start');
    this.#changed = changed;
    const { node } = this;
    node.role = 'separator';
    node.tabIndex = 0;
    node.ariaOrientation = 'vertical';
    this.#button.type = 'button';
    this.#button.addEventListener('click', () => {
      this.fold(true);
    });
    node.addEventListener('pointerdown', this.#handlePointer);
    node.addEventListener('keydown', this.#handleKey);
    // Beside it: what can be moved by keys holds nothing that can be pressed.
    box.append(node, this.#button);
  }

  /** What the person has chosen. */
  get state(): EdgeState {
    return this.#state;
  }

  /** Takes a state, such as the one that was kept. */
  restore(state: EdgeState): void {
    this.#state = state;
    this.#box.classList.toggle('folded', state.isFolded === true);
    if (state.width === undefined) this.#box.style.removeProperty('--_side-width');
    else this.#box.style.setProperty('--_side-width', `${String(state.width)}px`);
    this.node.ariaValueNow = String(Math.round(state.width ?? this.#box.offsetWidth));
  }

  /** Folds the column away, or back. */
  fold(isFolded: boolean): void {
    this.restore({ ...this.#state, isFolded });
    this.#changed();
  }

  /** Writes its words. */
  relabel(name: string, fold: string): void {
    this.node.ariaLabel = name;
    this.#button.title = fold;
  }

  #resize(width: number): void {
    const most = (this.#box.parentElement?.offsetWidth ?? Infinity) * MOST;
    this.restore({ ...this.#state, width: Math.round(Math.min(Math.max(LEAST, width), most)) });
  }

  /** 1 where more to the right is wider. */
  get #sign(): number {
    return this.#isStart === this.#box.matches(':dir(ltr)') ? 1 : -1;
  }

  readonly #handlePointer = (down: PointerEvent): void => {
    const { offsetWidth } = this.#box;
    const move = (right: number): void => {
      this.#resize(offsetWidth + right * this.#sign);
    };
    trackDrag(this.node, down, move, this.#changed);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (steps !== undefined) {
      this.#resize(this.#box.offsetWidth + steps * STEP * this.#sign);
      this.#changed();
    } else if (event.key === 'Enter') this.fold(true);
    else return;
    event.preventDefault();
  };
}

/** What was kept may be anything. */
export function readEdge(kept: unknown): EdgeState {
  const fields = new Map<string, unknown>(Object.entries(kept ?? {}));
  const width = fields.get('width');
  return {
    isFolded: fields.get('isFolded') === true,
    ...(typeof width === 'number' && width >= LEAST && width < 10_000 && { width }),
  };
}
