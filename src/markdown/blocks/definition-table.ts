import type { ParagraphBlock } from './block.js';
import type { Definition } from './definitions.js';

interface PlacedDefinition extends Definition {
  /** Where the block begins that holds it. */
  readonly start: number;
}

/** What references stand for. The first definition of a name wins. */
export class DefinitionTable {
  readonly #definitions = new Map<string, PlacedDefinition>();

  /** The meaning of a normalised name. */
  get(label: string): Definition | undefined {
    return this.#definitions.get(label);
  }

  /** Takes the definitions of a paragraph that has closed. Returns the names that got a meaning. */
  add(paragraph: ParagraphBlock): readonly string[] {
    const labels: string[] = [];
    for (const { label, destination, title } of paragraph.definitions) {
      if (this.#definitions.has(label)) continue;
      this.#definitions.set(label, { destination, title, start: paragraph.start });
      labels.push(label);
    }
    paragraph.definitions = [];
    return labels;
  }

  /** Forgets what was defined at or behind a place in the source. Returns the names that lost their meaning. */
  forgetFrom(start: number): readonly string[] {
    const labels: string[] = [];
    for (const [label, definition] of this.#definitions) {
      if (definition.start < start) continue;
      this.#definitions.delete(label);
      labels.push(label);
    }
    return labels;
  }
}
