import { trackDrag } from '../../dom/drag.js';
import { element } from '../../dom/element.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** What a press of an arrow key changes, in px. */
const STEP = 16;
/** The window is never smaller, in px. */
const LEAST = { inline: 280, block: 320 };

type Axis = keyof typeof LEAST;
type Size = Partial<Record<Axis, number>>;

/** The keys that change a size, and by how many steps along which axis, in a page that runs from left to right. */
const KEYS = new Map<string, readonly [Axis, number]>([
  ['ArrowLeft', ['inline', 1]],
  ['ArrowRight', ['inline', -1]],
  ['ArrowUp', ['block', 1]],
  ['ArrowDown', ['block', -1]],
]);

/** How large the person wants a window: by its handle, by the arrow keys on it, kept for the next visit. */
export class WindowSize {
  readonly #host: ConnectedHost;
  readonly #box: HTMLElement;
  readonly #handle = element('div', 'window-size');
  #place = '';
  #isRead = false;
  #size: Size = {};

  /** The handle is put into the window. */
  constructor(host: ConnectedHost, box: HTMLElement) {
    this.#host = host;
    this.#box = box;
    const handle = this.#handle;
    handle.tabIndex = 0;
    handle.role = 'separator';
    handle.addEventListener('pointerdown', this.#drag);
    handle.addEventListener('keydown', this.#handleKey);
    box.append(handle);
  }

  /** Draws it; a window at the side has its own width, and the height of the page. */
  update(isPanel: boolean): void {
    const { text } = this.#host.context.locale;
    const handle = this.#handle;
    handle.ariaLabel = text('resizeChat');
    handle.title = text('resizeChatHint');
    handle.ariaOrientation = 'vertical';
    const place = isPanel ? 'panel' : 'bubble';
    if (place !== this.#place) {
      this.#place = place;
      this.#isRead = false;
    }
    void this.#read();
  }

  /** Takes the handle away, and what it has done. */
  dispose(): void {
    this.#handle.remove();
    this.#draw({});
  }

  async #read(): Promise<void> {
    const { controller } = this.#host;
    if (this.#isRead || !controller) return;
    this.#isRead = true;
    const kept = await controller.notes.read(`window-${this.#place}`);
    this.#draw(readSize(kept));
  }

  #draw(size: Size): void {
    this.#size = size;
    for (const axis of ['inline', 'block'] as const) {
      const value = size[axis];
      const name = `--_${axis}-size`;
      if (value === undefined) this.#box.style.removeProperty(name);
      else this.#box.style.setProperty(name, `${String(value)}px`);
    }
    const width = size.inline ?? this.#box.offsetWidth;
    this.#handle.ariaValueNow = String(Math.round(width));
  }

  #change(more: Size): void {
    const size = { ...this.#size };
    for (const [axis, value] of Object.entries(more) as [Axis, number][]) {
      size[axis] = Math.max(LEAST[axis], Math.round(value));
    }
    this.#draw(size);
  }

  #keep(): void {
    this.#host.controller?.notes.keep(`window-${this.#place}`, { ...this.#size });
  }

  /** 1 where more to the left is larger. */
  get #sign(): number {
    return this.#box.matches(':dir(rtl)') ? -1 : 1;
  }

  readonly #drag = (down: PointerEvent): void => {
    const { offsetWidth, offsetHeight } = this.#box;
    const move = (right: number, below: number): void => {
      const inline = offsetWidth - right * this.#sign;
      this.#change(this.#place === 'panel' ? { inline } : { inline, block: offsetHeight - below });
    };
    trackDrag(this.#handle, down, move, () => {
      this.#keep();
    });
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    const [axis, steps] = KEYS.get(event.key) ?? [];
    if (!axis || steps === undefined || (axis === 'block' && this.#place === 'panel')) return;
    event.preventDefault();
    const { offsetWidth, offsetHeight } = this.#box;
    const now = axis === 'inline' ? offsetWidth : offsetHeight;
    this.#change({ [axis]: now + steps * STEP * (axis === 'inline' ? this.#sign : 1) });
    this.#keep();
  };
}

/** What was kept may be anything. */
function readSize(kept: unknown): Size {
  const size: Size = {};
  const fields = new Map(Object.entries(kept ?? {}));
  for (const axis of ['inline', 'block'] as const) {
    const value: unknown = fields.get(axis);
    if (typeof value === 'number' && value >= LEAST[axis] && value < 10_000) size[axis] = value;
  }
  return size;
}
