/** Silence of the tab that reads a stream, in ms, after which it is asked; after as much again it is taken for frozen. */
export const PATIENCE = 2000;
