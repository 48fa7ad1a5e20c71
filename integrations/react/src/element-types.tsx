/** The line after each `@ts-expect-error` must not compile. `npm run test:hosts -- react` checks it; this file is part of no bundle. */

export const right = (
  <ubik-chat
    base-url="/api/v1"
    getToken={() => 'token'}
    theme="dark"
    onubik-error={(event) => event.detail.code}
  />
);
// @ts-expect-error -- a misspelled layout
export const wrongLayout = <ubik-chat layout="bubbel" />;
// @ts-expect-error -- a property of the wrong type
export const wrongStarters = <ubik-chat starters="one" />;
// @ts-expect-error -- a misspelled property
export const wrongProperty = <ubik-chat getTokens={() => 'token'} />;
// @ts-expect-error -- a handler of another event
export const wrongHandler = <ubik-chat onubik-error={(event: KeyboardEvent) => event.key} />;
