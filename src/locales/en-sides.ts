/** Words of the columns beside the messages. */
export const sideWords = {
  sideWidth: 'Width of {name}',
  sideFold: 'Fold {name} away',
} as const;
