/** Words of the columns beside the messages. */
export const sideWords = {
  sideEnd: 'More',
  sideWidth: 'Width of {name}',
  sideFold: 'Collapse {name}',
} as const;
