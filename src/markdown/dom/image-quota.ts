/** Images of one text that may load by themselves. */
const MAX_IMAGES = 20;

/** Keeps count of the images of one text that load by themselves. One that is no longer shown makes room. */
export class ImageQuota {
  readonly #container: Element;
  readonly #images = new Set<Element>();
  /** Those that were made in the present piece of work: they may not be in their place yet. */
  #fresh: Element[] = [];

  constructor(container: Element) {
    this.#container = container;
  }

  /** Whether one more may load. */
  get isFree(): boolean {
    if (this.#images.size + this.#fresh.length < MAX_IMAGES) return true;
    for (const image of this.#images) {
      if (!this.#container.contains(image)) this.#images.delete(image);
    }
    return this.#images.size + this.#fresh.length < MAX_IMAGES;
  }

  /** One more loads. */
  take<E extends Element>(image: E): E {
    this.#fresh.push(image);
    return image;
  }

  /** Everything is in its place. */
  settle(): void {
    for (const image of this.#fresh.splice(0)) this.#images.add(image);
  }
}
