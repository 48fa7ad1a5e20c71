/** Words of the columns beside the messages. */
export const sideWords = {
  sideWidth: 'Width of {name}',
  sideFold: 'Collapse {name}',
} as const;
