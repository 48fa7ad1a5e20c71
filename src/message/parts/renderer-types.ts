import type { Json, Key } from '../../model/json.js';
import type { MessageFields } from '../../model/message.js';
import type {
  ActivityKind,
  DeclinedAnswer,
  PartKind,
  PartOf,
  RequestActivityFields,
  RequestAnswer,
  ToolFile,
  ToolState,
} from '../../model/part.js';
import type { TextSource } from '../../model/text.js';

/** A phase of a tool call, in the order of the tool's updates. Times are ms since the epoch, by the service's clock. */
export interface ToolPhase {
  /** The service's name of the phase; empty when the update has none. */
  readonly phase: string;
  readonly message: string;
  /** Further fields of its updates; null when there are none. */
  readonly data: Json;
  readonly state: Exclude<ToolState, 'waiting' | 'incomplete'>;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** Output that a tool streams under one name. */
export interface ToolOutput {
  readonly name: string;
  /** The text so far. `read(from)` returns what is new, at a cost that does not depend on the length of the whole text. */
  readonly text: TextSource;
}

/** A call of a tool: what its content says, and what events have reported about it, which most services do not store. Deeply frozen. */
export interface ToolCall {
  /** The service's name of the tool. */
  readonly name: string;
  /** Well-known type of the tool, such as `sql_query`; undefined for other tools. */
  readonly toolType: string | undefined;
  /** The subject of the call in the words of the service; empty when it gives none. */
  readonly title: string;
  /** The service's id of the call; empty when it has none. */
  readonly id: string;
  /** The state that the built-in view shows. */
  readonly state: ToolState;
  /** Why the call has failed or was cancelled; empty when unknown, and in other states. */
  readonly reason: string;
  /** The input, parsed. Undefined while it is unknown or incomplete, and when it is not JSON. */
  readonly input: Json | undefined;
  /** Why the input is not JSON, in English; empty when it is, or is unknown. */
  readonly inputError: string;
  /** The input as the service sent it; null while unknown. */
  readonly rawInput: string | null;
  /** The result, parsed. Undefined while it is unknown or incomplete, and when it is not JSON. */
  readonly result: Json | undefined;
  /** Why the result is not JSON, in English; empty when it is, or is unknown. */
  readonly resultError: string;
  /** The result as the service sent it; null while unknown. */
  readonly rawResult: string | null;
  /** The service's name of the current phase; empty when it reports none. */
  readonly phase: string;
  /** The phases so far. */
  readonly phases: readonly ToolPhase[];
  /** What the tool is doing, in the service's words; empty when unknown. */
  readonly message: string;
  /** Data of the latest update; null when there are none. */
  readonly data: Json;
  /** Partial outputs, in the order in which they began. */
  readonly outputs: readonly ToolOutput[];
  /** In ms since the epoch, by the service's clock; null when unknown. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** The message of a part. Deeply frozen. */
export type PartMessage = Readonly<MessageFields> & { readonly key: Key };

/** The facts about a part that a renderer of the host page shows, as deeply frozen copies: a renderer cannot change the conversation with them. */
export interface PartFacts<Kind extends PartKind = PartKind> {
  /** The fields of the part. Its text is live: `read(from)` returns what is new. */
  readonly part: PartOf<Kind>;
  /** What events have reported about the part, such as the progress of a step; null when there is nothing, as with most services after a reload. */
  readonly activity: PartOf<ActivityKind> | null;
  readonly message: PartMessage;
}

/** The facts about a tool call. A call that only events have reported so far has a part of the kind `tool-activity`. */
export interface ToolFacts extends PartFacts<'tool' | 'tool-activity'> {
  readonly tool: ToolCall;
}

/** Language and direction around a part. */
export interface PartLocale {
  /** Language of the interface (BCP 47). */
  readonly lang: string;
  /** Language of the messages; empty when the page declares none. */
  readonly contentLang: string;
  readonly direction: 'ltr' | 'rtl';
}

/** The appearance of the chat around a part. Style sheets get it from `color-scheme` and the custom properties `--ubik-*`. */
export interface PartTheme {
  readonly colorScheme: 'light' | 'dark';
  readonly density: 'comfortable' | 'compact';
}

/** The actions of a renderer of the host page. An action that is not available, as in a comparison of branches, is undefined. */
export interface PartActions {
  /** The pending question of the part, or of its tool; null when there is none. */
  readonly request: Readonly<RequestActivityFields> | null;
  /**
   * Answers the pending question, like its form. Rejects with a `UbikError` when the service does not accept the answer, such as `not-open`
   * when it was answered elsewhere; with `misuse` when the question is no longer pending here.
   */
  readonly answer: ((answer: RequestAnswer<File> | DeclinedAnswer) => Promise<void>) | undefined;
  /** Sends a message as if the user had written it. Resolves to false when it was not sent. */
  readonly send: ((text: string) => Promise<boolean>) | undefined;
  /** The files in the result of a tool; empty for other parts. */
  readonly files: readonly ToolFile[];
  /** Loads a file of the service with the permissions of the user. Rejects for any other address. */
  readonly loadFile: ((address: string, signal?: AbortSignal) => Promise<Blob>) | undefined;
  /**
   * Asks the host page: dispatches `ubik-part-ask`, and resolves to the answer of the page; to undefined when it gives none. `data` must be
   * plain data.
   */
  readonly ask: ((name: string, data?: Json) => Promise<unknown>) | undefined;
  /**
   * Returns the node of the built-in view, always the same one, to be inserted into the box. It is updated with the part.
   */
  standard(): HTMLElement;
  /**
   * Leaves the part to the next renderer that matches, else to the built-in view, now or at any later time. The renderer is asked again
   * when the fields of the part have changed. Returns undefined, for `return context.decline()`.
   */
  decline(): undefined;
  /** Aborted when the renderer no longer shows the part. */
  readonly signal: AbortSignal;
}

/** The context that a renderer of the host page gets: frozen, and a new object for each update. */
export interface PartContext<Kind extends PartKind = PartKind>
  extends PartFacts<Kind>, PartActions {
  readonly locale: PartLocale;
  readonly theme: PartTheme;
}

/** The context that a renderer of tool calls gets. */
export interface ToolContext extends PartContext<'tool' | 'tool-activity'>, ToolFacts {}

/** A part that a renderer of the host page shows. */
export interface MountedPart<Context = PartContext> {
  /** Called at most once per frame after the part, its activity, the language or the theme has changed. */
  update?(context: Context): void;
  /** Moves the focus to the first control. Called by the button that leads to a pending question of the agent (`input-request`). */
  focus?(): void;
  /** Called once, when the renderer no longer shows the part. */
  unmount?(): void;
}

/** A renderer that never changes what it has drawn returns nothing. */
type Mounted<Context> = MountedPart<Context> | undefined | void;

/** Renders parts for the host page. `Context` is what it gets, `Facts` what its methods for exports get. */
interface Renderer<Context, Facts> {
  /**
   * Shows a part in `box`, a `<div>` of its own. With a promise, the built-in view stays until it resolves. Calls `context.decline()` for a
   * part that it does not show.
   *
   * When it throws, or its promise rejects, `ubik-error` is dispatched, and the next renderer that matches is asked, else the built-in view is
   * shown.
   */
  mount(box: HTMLElement, context: Context): Mounted<Context> | Promise<Mounted<Context>>;
  /**
   * Where the box is: in the light DOM of the page (`page`, default), whose style sheets and frameworks then apply, or in the shadow root
   * of the element (`shadow`).
   */
  readonly root?: 'page' | 'shadow';
  /** Returns the part as Markdown for copied and exported messages; undefined for the built-in Markdown, empty for none. */
  toMarkdown?(facts: Facts): string | undefined;
  /**
   * Returns the part as plain text, for messages that are not rendered because they are far from the viewport, and for announcements of whole
   * messages to screen readers; undefined for the built-in text, empty for none.
   */
  toText?(facts: Facts): string | undefined;
}

/** Renders a kind of part for the host page. */
export type PartRenderer<Kind extends PartKind = PartKind> = Renderer<
  PartContext<Kind>,
  PartFacts<Kind>
>;

/** Renders tool calls for the host page. */
export type ToolRenderer = Renderer<ToolContext, ToolFacts>;

/** Selects tool calls: by the name of the tool, by several names, or by a function that returns whether it is selected. */
export type ToolMatch =
  | string
  | readonly string[]
  | ((tool: Readonly<Pick<ToolCall, 'name' | 'toolType'>>) => boolean);

/** One entry of `renderers`: a renderer for tools, or one for a kind of part. */
export type RendererRule =
  | { readonly tool: ToolMatch; readonly kind?: undefined; readonly renderer: ToolRenderer }
  | {
      [Kind in PartKind]: {
        readonly kind: Kind;
        readonly tool?: undefined;
        readonly renderer: PartRenderer<Kind>;
      };
    }[PartKind];
