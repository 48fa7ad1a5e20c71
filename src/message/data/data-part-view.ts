import { addSheets } from '../../dom/sheets.js';
import { element } from '../../dom/element.js';
import type { UbikError } from '../../errors.js';
import type { DataKind, Part, PartOf } from '../../model/part.js';
import { createButton } from '../buttons.js';
import { explainError } from '../explain-error.js';
import type { MessageScope, PartView } from '../part-view.js';
import { createLazyModule } from '../create-lazy-module.js';
import type { DataViewClass } from './data-kinds.js';

/**
 * The chunk with the definitions of data kinds. Only the views of messages import it, so that the code they share with the views of data kinds
 * stays in the chunk of the message views, instead of becoming a chunk of its own.
 */
export const lazyDataKinds = createLazyModule(() => import('./data-kinds.js'));

/**
 * Renders a part of a data kind: loads the view of its kind and mounts it. Until then the part is an empty, busy box. When loading fails,
 * the box shows the reason and a button that tries again.
 */
export class DataPartView implements PartView {
  readonly node = element('div', 'data');
  readonly content = null;
  readonly #scope: MessageScope;
  #part: PartOf<DataKind>;
  #view: PartView | null = null;
  #isDisposed = false;

  constructor(part: PartOf<DataKind>, scope: MessageScope) {
    this.#part = part;
    this.#scope = scope;
    this.node.part.add('data');
    // Mounts a loaded view synchronously, so that a message has its final height when it is rendered again.
    const View = lazyDataKinds.value?.findLoadedView(part.kind);
    if (View) this.#mount(View);
    else this.#load();
  }

  update(part: Part, what: 'text' | 'fields' | 'parts'): void {
    this.#part = part as PartOf<DataKind>;
    this.#view?.update(part, what);
  }

  redraw(): void {
    this.#view?.redraw?.();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#view?.dispose();
  }

  readonly #load = (): void => {
    this.node.replaceChildren();
    this.node.ariaBusy = 'true';
    lazyDataKinds
      .load()
      .then(({ loadView }) => loadView(this.#part.kind))
      .then(this.#mount, this.#showFailure);
  };

  readonly #mount = (View: DataViewClass): void => {
    if (this.#isDisposed) return;
    this.node.ariaBusy = null;
    this.#view = new View(this.#part, this.#scope);
    this.node.replaceChildren(this.#view.node);
    const adoptStyles = (): void => {
      const root = this.node.getRootNode();
      if ('host' in root) addSheets(root as ShadowRoot, View.styles);
    };
    // A view that is mounted in the constructor is inserted into the page later.
    if (this.node.isConnected) adoptStyles();
    else this.#scope.context.frames.schedule(adoptStyles);
  };

  readonly #showFailure = (error: UbikError): void => {
    const { context } = this.#scope;
    this.node.ariaBusy = null;
    context.report(error);
    this.node.replaceChildren(
      element('p', 'error-text', explainError(error, context.locale)),
      createButton(context.locale.text('retry'), this.#load),
    );
  };
}
