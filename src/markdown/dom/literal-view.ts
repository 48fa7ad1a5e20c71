import type { BlockView } from '../blocks/block.js';
import { growingMark, withoutMarks } from '../syntax/marks.js';

/** A block whose text means itself and grows at its end. Marks cannot stand in it. */
export abstract class LiteralView implements BlockView {
  #pending = '';

  append(text: string): void {
    this.#pending += text;
  }

  draw(): void {
    this.#draw(growingMark(this.#pending));
  }

  close(): void {
    this.#draw(this.#pending.length);
    this.finish();
  }

  /** Shows more text. */
  protected abstract write(text: string): void;

  /** All of it is shown. */
  protected abstract finish(): void;

  /** Shows what has come up to a place. */
  #draw(held: number): void {
    const text = withoutMarks(this.#pending.slice(0, held));
    this.#pending = this.#pending.slice(held);
    if (text !== '') this.write(text);
  }
}
