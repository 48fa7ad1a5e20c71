/** Maximum number of images in a text that are loaded without a click. */
const MAX_IMAGES = 20;

/** Counts the images of a text that are loaded without a click. A removed image does not count. */
export class ImageQuota {
  readonly #container: Element;
  readonly #images = new Set<Element>();
  /** Images created in the current rendering step, which are not necessarily attached yet. */
  #pending: Element[] = [];

  constructor(container: Element) {
    this.#container = container;
  }

  /** Whether another image may be loaded. */
  get hasRoom(): boolean {
    if (this.#images.size + this.#pending.length < MAX_IMAGES) return true;
    for (const image of this.#images) {
      if (!this.#container.contains(image)) this.#images.delete(image);
    }
    return this.#images.size + this.#pending.length < MAX_IMAGES;
  }

  /** Counts an image, and returns it. */
  add<E extends Element>(image: E): E {
    this.#pending.push(image);
    return image;
  }

  /** Ends a rendering step: all created images are attached. */
  flush(): void {
    for (const image of this.#pending.splice(0)) this.#images.add(image);
  }
}
