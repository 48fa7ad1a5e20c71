/** English strings of embedded pages, loaded with their view. */
export const pageStrings = {
  embedShow: 'Show page',
  embedHide: 'Hide page',
  embedOpen: 'Open in new tab',
  embedSandbox: 'The page is loaded from {host} and runs isolated from this chat.',
  embedRefused: 'This address can’t be shown here.',
  embedBlocked: 'The security policy of this site doesn’t allow {host} to be shown here.',
} as const;
