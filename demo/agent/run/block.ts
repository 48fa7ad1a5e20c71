/** One piece of a message's stored content, in the order of the content. */
export type Block =
  | { readonly kind: 'text'; text: string }
  | {
      readonly kind: 'step';
      readonly step: number;
      readonly description: string;
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
      /** JSON of `{input, type}`, once the person has answered. */
      answer: string | null;
    }
  | {
      readonly kind: 'error';
      readonly error: string;
      readonly traceback: string;
      readonly timestamp: string;
    };

/** Blocks that share nothing with the given ones. */
export function copyBlocks(blocks: readonly Block[]): Block[] {
  return blocks.map((block) => ({ ...block }));
}
