/** What was heard: for each piece, what it may have been, the likeliest first. */
export type RecognitionResults = Iterable<
  ArrayLike<{ readonly transcript: string }> & Iterable<{ readonly transcript: string }>
>;

/** As much of the browser's `SpeechRecognition` as is used; not all of them have it, and TypeScript knows none. */
export interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { readonly results: RecognitionResults }) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: ((event: Event) => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}

/** What listens, where the browser has it. */
export function findRecognition(): (new () => Recognition) | null | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Partial<
    Record<'SpeechRecognition' | 'webkitSpeechRecognition', (new () => Recognition) | null>
  >;
  return SpeechRecognition ?? webkitSpeechRecognition;
}
