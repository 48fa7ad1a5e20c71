/** Words of the columns beside the messages. */
export const sideWords = {
  sideEnd: 'Details panel',
  sideWidth: 'Width of {name}',
  sideFold: 'Collapse {name}',
} as const;
