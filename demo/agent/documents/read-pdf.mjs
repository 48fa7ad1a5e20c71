// Plain JavaScript with its types beside it: the package's own types name a drawing library that is not installed.
import { extractText, getDocumentProxy } from 'unpdf';

export async function readPdfPages(bytes, mostPages) {
  // The reader takes the bytes away, so it gets its own.
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  try {
    if (pdf.numPages > mostPages) return null;
    const { text } = await extractText(pdf, { mergePages: false });
    return text;
  } finally {
    await pdf.destroy();
  }
}
