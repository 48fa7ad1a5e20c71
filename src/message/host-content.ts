import { UbikError } from '../errors.js';
import { element } from '../dom/element.js';
import type { Message } from '../model/message.js';
import { setLang } from './content-lang.js';
import type { MessageScope, ViewContext } from './part-view.js';

/**
 * Renders content of the host page at a message: its avatar or its actions. `box` is a light DOM child of the element. Called once for each
 * message that is shown; the returned function is called when the message is no longer shown.
 */
export type MessageRenderer = (box: HTMLElement, message: Message) => (() => void) | undefined;

/** A slot, and the light DOM child of the element that is assigned to it. */
export class LightDomBox {
  readonly slot = element('slot');
  readonly box = element('div');
  readonly #context: ViewContext;

  /** `name` must be unique in the element. */
  constructor(context: ViewContext, name: string) {
    this.#context = context;
    this.slot.name = this.box.slot = `${context.prefix}-${name}`;
    this.updateLang();
    context.host.append(this.box);
  }

  updateLang(): void {
    setLang(this.slot, this.#context.locale.contentLang);
  }
}

/** A place at a message that the host page renders. */
export interface HostSlot {
  readonly node: HTMLElement;
  /** Updates the language after that of the interface has changed. */
  redraw(): void;
  dispose(): void;
}

/** Creates a slot at a message and calls the renderer. An error of the renderer is reported; what it has added before stays. */
export function createHostSlot(
  name: 'avatar' | 'actions',
  { context, message }: MessageScope,
  renderer: MessageRenderer,
): HostSlot {
  // The key of the message would not be unique, because a message may be shown twice, as in a comparison.
  const lightDom = new LightDomBox(context, `${context.createId()}-${name}`);
  let unmount: (() => void) | undefined;
  const runSafely = (callback: () => void): void => {
    try {
      callback();
    } catch (cause) {
      context.report(new UbikError('renderer', { offender: name, cause }));
    }
  };
  runSafely(() => (unmount = renderer(lightDom.box, message)));
  return {
    node: element('div', name, lightDom.slot),
    redraw: () => {
      lightDom.updateLang();
    },
    dispose: () => {
      runSafely(() => unmount?.());
      lightDom.box.remove();
    },
  };
}
