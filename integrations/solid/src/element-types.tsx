/** The line after each `@ts-expect-error` must not compile. `npm run test:hosts -- solid` checks it. */

export const right = (
  <ubik-chat
    base-url="/api/v1"
    prop:getToken={() => 'token'}
    theme="dark"
    on:ubik-error={(event) => event.detail.code}
  />
);
// @ts-expect-error -- a misspelled layout
export const wrongLayout = <ubik-chat layout="bubbel" />;
// @ts-expect-error -- a property of the wrong type
export const wrongStarters = <ubik-chat prop:starters="one" />;
// @ts-expect-error -- a misspelled property
export const wrongProperty = <ubik-chat getTokens={() => 'token'} />;
// @ts-expect-error -- a handler of another event
export const wrongHandler = <ubik-chat on:ubik-error={(event: KeyboardEvent) => event.key} />;
