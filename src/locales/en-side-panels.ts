/** English strings of the side panels. */
export const sidePanelStrings = {
  sideEnd: 'Details panel',
  sideWidth: 'Width of {name}',
  sideCollapse: 'Collapse {name}',
} as const;
