import { UbikError } from '../errors.js';
import { element } from '../dom/element.js';
import type { Message } from '../model/message.js';
import type { MessageScope } from './part-view.js';
import { setLang } from './content-lang.js';

/**
 * Draws something of the page's own at a message: `box` is an element in the page's own tree, outside the shadow root. Called once
 * for each message that is shown; what it returns is called when the message is no longer shown.
 */
export type MessageRenderer = (box: HTMLElement, message: Message) => (() => void) | undefined;

/** A place at a message for what the page draws. */
export interface HostSlot {
  readonly node: HTMLElement;
  /** The language of the page is another one. */
  redraw(): void;
  dispose(): void;
}

/** Makes a place and lets the page draw. What the page throws is reported, and costs this place alone. */
export function createHostSlot(
  name: 'avatar' | 'actions',
  { context, message }: MessageScope,
  draw: MessageRenderer,
): HostSlot {
  const box = element('div');
  const slot = element('slot');
  slot.name = box.slot = `${context.prefix}-${message.key}-${name}`;
  const node = element('div', name, slot);
  context.host.append(box);
  const redraw = (): void => {
    setLang(slot, context.locale.contentLang);
  };
  redraw();
  const attempt = (act: () => (() => void) | undefined): (() => void) | undefined => {
    try {
      return act();
    } catch (cause) {
      context.report(new UbikError('renderer', { offender: name, cause }));
      return undefined;
    }
  };
  const undo = attempt(() => draw(box, message));
  return {
    node,
    redraw,
    dispose: () => {
      attempt(() => {
        undo?.();
        return undefined;
      });
      box.remove();
    },
  };
}
