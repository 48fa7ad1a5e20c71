import { pickIndex, pickOne, type Random } from '../../../helpers/seeded-random.js';

/** Generates replies of a Data Agent, any other JSON, and later states of both ({@link next}). */
export class RandomReplies {
  readonly #random: Random;
  #words = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A text that no other call returns. */
  text(): string {
    this.#words += 1;
    return `w${String(this.#words)}q${pickOne(this.#random, [' ', '.\n', ' **b** ', '\u{1F327}', ''])}`;
  }

  /** Any JSON with texts that no other call returns. */
  json(depth = 3): unknown {
    const kinds = depth > 0 ? 8 : 5;
    switch (pickIndex(this.#random, kinds)) {
      case 0:
        return null;
      case 1:
        return pickIndex(this.#random, 100);
      case 2:
        return this.#chance(0.5);
      case 3:
      case 4:
        return this.text();
      case 5:
        return this.#list(() => this.json(depth - 1));
      default:
        return this.#record(() => this.json(depth - 1));
    }
  }

  /** A reply in the shape of the service, with other JSON in some places. */
  reply(): Record<string, unknown> {
    return {
      conversation_id: 'c',
      message: {
        id: 'm',
        content: {
          final_answer: this.#odd(() => ({
            answer: this.#odd(() => ({ text: this.text() })),
            thinking: this.#odd(() => this.text()),
            skill_process: this.#odd(() => this.#list(() => this.#process())),
            answer_type_other: this.#chance(0.2) ? this.json() : null,
          })),
          middle_answer: this.#odd(() => ({
            progress: this.#odd(() => this.#list(() => this.#step())),
            doc_retrieval: this.#chance(0.2) ? this.json() : null,
            other_variables: this.#odd(() => ({ search_results: this.json() })),
          })),
          // Prevents the content from being empty, which would keep the previous content on screen.
          version: 1,
        },
        ext: { error: this.#chance(0.3) ? this.json(1) : null, version: 1 },
      },
      error: this.#chance(0.2) ? this.json(2) : null,
    };
  }

  /** A later state of a reply, or of any JSON: texts grow, elements are added and removed. */
  next(value: unknown): unknown {
    if (typeof value === 'string') {
      if (this.#chance(0.3)) return value + this.text();
      return this.#chance(0.1) ? this.text() : value;
    }
    if (Array.isArray(value)) {
      const items = value.map((item) => (this.#chance(0.4) ? this.next(item) : item) as unknown);
      if (this.#chance(0.1)) items.pop();
      if (this.#chance(0.2)) items.push(this.#chance(0.6) ? this.#step() : this.json());
      return items;
    }
    if (typeof value !== 'object' || value === null) return this.#chance(0.1) ? this.json() : value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name !== 'version' && this.#chance(0.5) ? this.next(inner) : (inner as unknown),
      ]),
    );
  }

  #step(): unknown {
    return this.#odd(() => ({
      id: this.#chance(0.8) ? `p${String(pickIndex(this.#random, 5))}` : this.json(1),
      stage: pickOne(this.#random, ['llm', 'llm', 'skill', 'skill', 'assign', '', 7]),
      agent_name: 'main',
      answer: this.#chance(0.5) ? this.text() : this.json(),
      think: this.#chance(0.5) ? '' : this.#odd(() => this.text()),
      status: pickOne(this.#random, ['processing', 'completed', 'failed', 'skipped', null]),
      skill_info: this.#odd(() => ({
        type: pickOne(this.#random, ['TOOL', 'MCP', 'AGENT']),
        name: pickOne(this.#random, SKILLS),
        args: this.#odd(() => this.#list(() => ({ name: 'query', value: this.json(1) }))),
      })),
      start_time: pickOne(this.#random, [0, 1.5, 'x']),
      end_time: pickOne(this.#random, [0, 2.5, null]),
      token_usage: { total_tokens: pickIndex(this.#random, 100) },
    }));
  }

  #process(): unknown {
    return this.#odd(() => ({
      agent_name: 'reader',
      type: pickOne(this.#random, ['', 'tool', 7]),
      text: this.text(),
      thinking: this.#chance(0.5) ? '' : this.text(),
      status: pickOne(this.#random, ['processing', 'completed']),
    }));
  }

  /** Usually a value of the usual shape, sometimes any JSON. */
  #odd(usual: () => unknown): unknown {
    return this.#chance(0.05) ? this.json(2) : usual();
  }

  #list<T>(create: () => T): T[] {
    return Array.from({ length: pickIndex(this.#random, 4) }, create);
  }

  #record(create: () => unknown): unknown {
    const names = ['a', 'b', 'result', 'full_result', 'answer', 'text', 'error', '0', 'x/y'];
    return Object.fromEntries(this.#list(() => [pickOne(this.#random, names), create()]));
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

const SKILLS = [
  'text2sql',
  'doc_qa',
  'json2plot',
  'zhipu_search_tool',
  'online_search_cite_tool',
  'execute_code',
  'text2metric',
  'web_processor',
  'search_memory',
  'other',
  '',
];
