import { lazyCitationCard } from '../../message/citation.js';
import { lazyRunSummary } from '../../message/message-view.js';

/** The modules of what a message adds later, by a selector for it. Without them, the layout would shift. */
const LATE_MODULES = new Map<string, { load(): Promise<unknown> }>([
  ['.sources', lazyCitationCard],
  ['.run', lazyRunSummary],
]);

/**
 * Removes the content that `renderTranscript` has written into the shadow root of an element, which covers that of the element, when all
 * modules that render its messages are loaded. Call it when the messages are rendered. The scroll position stays; a focus in the removed
 * content moves to the scroll container.
 */
export async function replaceStaticContent(scroller: HTMLElement): Promise<void> {
  const root = scroller.getRootNode() as Partial<ShadowRoot>;
  const content = [...(root.children ?? [])].filter((node) => node.hasAttribute('data-static'));
  if (content.length === 0) return;
  for (const [selector, module] of LATE_MODULES) {
    const isUsed = content.some((node) => node.querySelector(selector));
    // A module that cannot be loaded is optional.
    if (isUsed) await module.load().catch(() => undefined);
  }
  const { activeElement = null } = root;
  const hadFocus = content.some((node) => node.contains(activeElement));
  // The static scroll container is reversed, so its position is the negative distance to the end.
  const distance = -(content.at(-1)?.querySelector('.scroller')?.scrollTop ?? 0);
  for (const node of content) node.remove();
  if (distance > 0) {
    // The user has scrolled up in the static content, so the end must not be followed.
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = scroller.scrollHeight - scroller.clientHeight - distance;
  }
  if (hadFocus) scroller.focus({ preventScroll: true });
}
