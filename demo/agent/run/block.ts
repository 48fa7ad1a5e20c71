/** One block of the stored content of a message. */
export type Block =
  | { readonly kind: 'text'; text: string }
  | {
      readonly kind: 'step';
      readonly step: number;
      readonly description: string;
      /** Whether it is the step of a single-step agent, which clients show without a header. */
      readonly single: boolean;
      completed: boolean;
      text: string;
    }
  | { readonly kind: 'checkpoint'; readonly name: string }
  | {
      readonly kind: 'input';
      readonly checkpoint: string;
      readonly prompt: string;
      readonly types: readonly string[];
      /** JSON of `{input, type}`; null while the question is open. */
      answer: string | null;
    }
  | {
      readonly kind: 'error';
      readonly error: string;
      readonly traceback: string;
      readonly timestamp: string;
    };

/** Returns shallow copies: assigning to a field of a copy does not change the original. */
export function copyBlocks(blocks: readonly Block[]): Block[] {
  return blocks.map((block) => ({ ...block }));
}
