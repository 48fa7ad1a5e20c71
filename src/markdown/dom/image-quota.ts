/** Images of one text that may load by themselves. */
const MAX_IMAGES = 20;

/** Keeps count of the images of one text that load by themselves. One that is no longer shown makes room. */
export class ImageQuota {
  readonly #container: Element;
  readonly #images = new Set<Element>();
  /** Those that were made in the present piece of work: they may not be in their place yet. */
  #pending: Element[] = [];

  constructor(container: Element) {
    this.#container = container;
  }

  /** Whether one more may load. */
  get hasRoom(): boolean {
    if (this.#images.size + this.#pending.length < MAX_IMAGES) return true;
    for (const image of this.#images) {
      if (!this.#container.contains(image)) this.#images.delete(image);
    }
    return this.#images.size + this.#pending.length < MAX_IMAGES;
  }

  /** One more loads. */
  add<E extends Element>(image: E): E {
    this.#pending.push(image);
    return image;
  }

  /** Everything is in its place. */
  flush(): void {
    for (const image of this.#pending.splice(0)) this.#images.add(image);
  }
}
