/** Writes to the clipboard, as plain text and, where it is given, as HTML. False when the browser does not allow it. */
export async function copyAs({ plain, html }: { plain: string; html?: string }): Promise<boolean> {
  const { clipboard } = navigator;
  try {
    if (html === undefined) await clipboard.writeText(plain);
    else {
      const blob = (text: string, type: string): Blob => new Blob([text], { type });
      const item = new ClipboardItem({
        'text/html': blob(html, 'text/html'),
        'text/plain': blob(plain, 'text/plain'),
      });
      await clipboard.write([item]);
    }
    return true;
  } catch {
    // No right, no focus, no secure page, or no such clipboard: for the person it is the same.
    return false;
  }
}
