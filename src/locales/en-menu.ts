/** English strings of the message menu, loaded with it. */
export const menuStrings = {
  menuCopyMarkdown: 'Copy as Markdown',
  menuCopyRich: 'Copy with formatting',
  menuCopyPlain: 'Copy as plain text',
  menuCopyLink: 'Copy link',
  menuCopied: 'Copied',
  menuReason: 'Why? (optional)',
  menuSendFeedback: 'Send feedback',
  menuWorkTime: 'Worked for {time}',
  menuFirstToken: 'First token after {time}',
  menuRestore: 'Restore a checkpoint',
  keysTitle: 'Keyboard shortcuts',
  menuExport: 'Export conversation',
  menuExportMarkdown: 'Markdown',
  menuExportHtml: 'Web page (HTML)',
  menuExportJson: 'JSON',
  menuExportFailed: 'Couldn’t export the conversation.',
};
