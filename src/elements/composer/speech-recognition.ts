/** A possible text of a phrase. */
interface Alternative {
  readonly transcript: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Results by phrase; each contains its alternatives, the most likely first. */
export type RecognitionResults = Iterable<
  ArrayLike<Alternative> & Iterable<Alternative> & { readonly isFinal: boolean }
>;

/** The used members of `SpeechRecognition`, which the DOM types of TypeScript lack. */
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

/** Returns the browser's `SpeechRecognition`, if it has one. */
export function findRecognition(): (new () => Recognition) | null | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Partial<
    Record<'SpeechRecognition' | 'webkitSpeechRecognition', (new () => Recognition) | null>
  >;
  return SpeechRecognition ?? webkitSpeechRecognition;
}
