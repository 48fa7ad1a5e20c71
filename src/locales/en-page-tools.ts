/** English texts of calls of tools of the host page. */
export const pageToolStrings = {
  pageTool: 'Request to this page',
  pageToolAsk: 'Allow “{tool}” on this page?',
  pageToolAllow: 'Allow',
  requestDecline: 'Skip',
  pageToolRunning: 'The page is working…',
};
