import '../../src/elements/branches/branch-map-panel.js';
import '../../src/elements/sides/side-panels.js';
import { setupBranches, MESSAGES, type ReadMessage } from './branch-fixture.js';
import { nextFrame, pressKey } from './chat-fixture.js';

/** A chat with the branch map open in its dialog. `root` and `press` are those of the map, `names` and `focusedLabel` the labels of its points. */
export async function setupMap(read?: ReadMessage, messages = MESSAGES) {
  const fixture = await setupBranches(messages, read);
  fixture.button('Branches').focus();
  fixture.button('Branches').click();
  const { root } = fixture;
  const waitUntil = async (found: () => unknown): Promise<void> => {
    for (let frames = 0; !found(); frames += 1) {
      if (frames > 300) throw new Error(`No map: ${root.innerHTML.slice(-900)}`);
      await nextFrame();
    }
  };
  await waitUntil(() =>
    fixture.root.querySelector('dialog ubik-branch-map')?.shadowRoot?.querySelector('.point'),
  );
  await fixture.settle();
  const map = fixture.query<HTMLElementTagNameMap['ubik-branch-map']>('dialog ubik-branch-map');
  const inner = map.shadowRoot as ShadowRoot;
  const points = () => [...inner.querySelectorAll<HTMLElement>('.point')];
  const press = (key: string): void => {
    pressKey(inner.activeElement, key);
  };
  return {
    ...fixture,
    map,
    root: inner,
    points,
    press,
    names: () => points().map((point) => point.ariaLabel),
    focusedLabel: () => inner.activeElement?.ariaLabel,
  };
}

/** A chat with the branch map in its column at the end. `prepare` is called before the map is in the document. */
export async function setupSidePanel(
  read?: ReadMessage,
  messages = MESSAGES,
  prepare: (map: HTMLElementTagNameMap['ubik-branch-map']) => void = () => undefined,
) {
  const fixture = await setupBranches(messages, read);
  fixture.chat.style.width = '1280px';
  const map = document.createElement('ubik-branch-map');
  map.slot = 'end';
  prepare(map);
  fixture.chat.append(map);
  for (let turn = 0; turn < 20 && !map.shadowRoot?.querySelector('.point'); turn += 1) {
    await fixture.settle();
  }
  await fixture.settle();
  const root = map.shadowRoot as ShadowRoot;
  return {
    ...fixture,
    map,
    root,
    points: () => [...root.querySelectorAll<HTMLElement>('.point')],
  };
}
