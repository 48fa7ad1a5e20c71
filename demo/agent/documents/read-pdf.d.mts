/**
 * The text of each page of a PDF file. Rejects for a file that is damaged or protected.
 *
 * @returns null when it has more pages than allowed.
 */
export function readPdfPages(bytes: Uint8Array, mostPages: number): Promise<string[] | null>;
