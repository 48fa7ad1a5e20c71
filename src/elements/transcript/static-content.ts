import { lazyCitationCard } from '../../message/citation.js';
import { lazyRunSummary } from '../../message/message-view.js';

/**
 * The modules of content that a message adds after its first rendering, by the selector of that content. They are loaded before the static
 * content is removed, so that the layout does not shift afterwards.
 */
const LATE_MODULES = new Map<string, { load(): Promise<unknown> }>([
  // The module of the card also contains the list of sources.
  ['.sources', lazyCitationCard],
  ['.run', lazyRunSummary],
]);

/**
 * Removes the content that `renderTranscript` has written into the shadow root of an element, as soon as all modules that render its
 * messages are loaded. Until then, the element's own content is laid out invisibly over it. Call it when the messages are rendered. The
 * scroll position stays; a focus in the removed content moves to the scroll container.
 */
export async function replaceStaticContent(scroller: HTMLElement): Promise<void> {
  const root = scroller.getRootNode() as Partial<ShadowRoot>;
  const content = [...(root.children ?? [])].filter((node) => node.hasAttribute('data-static'));
  for (const [selector, module] of LATE_MODULES) {
    const isUsed = content.some((node) => node.querySelector(selector));
    // The modules are optional: one that cannot be loaded is skipped.
    if (isUsed) await module.load().catch(() => undefined);
  }
  const { activeElement = null } = root;
  const hadFocus = content.some((node) => node.contains(activeElement));
  // The static scroll container is reversed, so its position is the negative distance to the end.
  const distance = -(content.at(-1)?.querySelector('.scroller')?.scrollTop ?? 0);
  for (const node of content) node.remove();
  if (distance > 0) {
    // The user has scrolled up in the static content. `AutoScroll` stops following the end when the wheel turns up.
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = scroller.scrollHeight - scroller.clientHeight - distance;
  }
  if (hadFocus) scroller.focus({ preventScroll: true });
}
