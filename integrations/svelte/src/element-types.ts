/** The line after each `@ts-expect-error` must not compile. `npm run test:hosts -- svelte` checks it; this file is part of no bundle. */
import type { SvelteHTMLElements } from 'svelte/elements';

type ChatProps = SvelteHTMLElements['ubik-chat'];

export const right: ChatProps = {
  'base-url': '/api/v1',
  theme: 'dark',
  getToken: () => 'token',
  'onubik-error': (event) => event.detail.code,
};
// @ts-expect-error -- a misspelled layout
export const wrongLayout: ChatProps = { layout: 'bubbel' };
// @ts-expect-error -- a property of the wrong type
export const wrongStarters: ChatProps = { starters: 'one' };
// @ts-expect-error -- a misspelled event
export const wrongEvent: ChatProps = { 'onubik-mesage-sent': () => undefined };
// @ts-expect-error -- a handler of another event
export const wrongHandler: ChatProps = { 'onubik-error': (event: KeyboardEvent) => event.key };
