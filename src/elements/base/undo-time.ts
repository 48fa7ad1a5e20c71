/** How long a deletion can be undone by default, in ms. In a separate file, because the thread list needs it before the code of deletions is loaded. */
export const UNDO_TIME = 8000;
