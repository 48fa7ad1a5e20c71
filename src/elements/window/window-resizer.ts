import { trackDrag } from '../../dom/drag.js';
import { element } from '../../dom/element.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** Step by which an arrow key changes a size, in px. */
const STEP = 16;
/** Minimum size of the window, in px. */
const MIN_SIZE = { inline: 280, block: 320 };

type Axis = keyof typeof MIN_SIZE;
type Size = Partial<Record<Axis, number>>;

/** The axis that an arrow key changes, and by how much the window grows in a left-to-right page. */
const KEYS = new Map<string, readonly [Axis, number]>([
  ['ArrowLeft', ['inline', STEP]],
  ['ArrowRight', ['inline', -STEP]],
  ['ArrowUp', ['block', STEP]],
  ['ArrowDown', ['block', -STEP]],
]);

/** The resize handle of a window, used by dragging or with the arrow keys. The size is stored for each layout. */
export class WindowResizer {
  readonly #host: ConnectedHost;
  readonly #window: HTMLElement;
  readonly #handle = element('div', 'window-size');
  #layout = '';
  /** The layout whose stored size was read last. */
  #restoredLayout = '';
  #size: Size = {};

  /** Appends the handle to the window. */
  constructor(host: ConnectedHost, window: HTMLElement) {
    this.#host = host;
    this.#window = window;
    const handle = this.#handle;
    handle.tabIndex = 0;
    handle.role = 'separator';
    handle.addEventListener('pointerdown', this.#handlePointer);
    handle.addEventListener('keydown', this.#handleKey);
    // The width also changes with the viewport and while the window is hidden.
    handle.addEventListener('focus', this.#updateValues);
    window.append(handle);
  }

  /** Updates the labels and, for another layout, the size: a panel has its own width and the height of the viewport. */
  update(isPanel: boolean): void {
    const { text } = this.#host.context.locale;
    const handle = this.#handle;
    handle.ariaLabel = text('resizeChat');
    handle.title = text('resizeChatHint');
    handle.ariaOrientation = 'vertical';
    this.#layout = isPanel ? 'panel' : 'bubble';
    void this.#restore();
  }

  /** Removes the handle and resets the size. */
  dispose(): void {
    this.#handle.remove();
    this.#apply({});
  }

  async #restore(): Promise<void> {
    const { controller } = this.#host;
    const layout = this.#layout;
    if (layout === this.#restoredLayout || !controller) return;
    this.#restoredLayout = layout;
    const stored = await controller.storage.get(`window-${layout}`);
    // Meanwhile the layout may have been changed or removed.
    if (layout === this.#layout && this.#handle.parentNode) this.#apply(readSize(stored));
  }

  #apply(size: Size): void {
    this.#size = size;
    for (const axis of ['inline', 'block'] as const) {
      const value = size[axis];
      const name = `--_${axis}-size`;
      if (value === undefined) this.#window.style.removeProperty(name);
      else this.#window.style.setProperty(name, `${String(value)}px`);
    }
    this.#updateValues();
  }

  /** Sets the value of the handle and its range. Reads the layout, so it must not be called with each update. */
  readonly #updateValues = (): void => {
    const handle = this.#handle;
    handle.ariaValueMin = String(MIN_SIZE.inline);
    handle.ariaValueMax = String(innerWidth);
    // A hidden window has no width.
    handle.ariaValueNow = String(Math.max(MIN_SIZE.inline, this.#window.offsetWidth));
  };

  #resize(changed: Size): void {
    const size = { ...this.#size };
    for (const [axis, value] of Object.entries(changed) as [Axis, number][]) {
      size[axis] = Math.max(MIN_SIZE[axis], Math.round(value));
    }
    this.#apply(size);
  }

  #store(): void {
    this.#host.controller?.storage.set(`window-${this.#layout}`, { ...this.#size });
  }

  /** Converts a distance to the left into growth of the inline size, because the window is at the inline end of the page. */
  #growthOf(left: number): number {
    return this.#window.matches(':dir(rtl)') ? -left : left;
  }

  readonly #handlePointer = (down: PointerEvent): void => {
    const { offsetWidth, offsetHeight } = this.#window;
    const resize = (right: number, below: number): void => {
      const inline = offsetWidth + this.#growthOf(-right);
      this.#resize(this.#layout === 'panel' ? { inline } : { inline, block: offsetHeight - below });
    };
    trackDrag(this.#handle, down, resize, () => {
      this.#store();
    });
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [axis, change] = KEYS.get(event.key) ?? [];
    if (!change || (axis === 'block' && this.#layout === 'panel')) return;
    event.preventDefault();
    const { offsetWidth, offsetHeight } = this.#window;
    this.#resize(
      axis === 'block'
        ? { block: offsetHeight + change }
        : { inline: offsetWidth + this.#growthOf(change) },
    );
    this.#store();
  };
}

/** Reads a stored size, which may be invalid. Ignores a width or height that is too small or implausibly large. */
function readSize(stored: unknown): Size {
  const size: Size = {};
  const fields = new Map(Object.entries(stored ?? {}));
  for (const axis of ['inline', 'block'] as const) {
    const value: unknown = fields.get(axis);
    if (typeof value === 'number' && value >= MIN_SIZE[axis] && value < 10_000) size[axis] = value;
  }
  return size;
}
