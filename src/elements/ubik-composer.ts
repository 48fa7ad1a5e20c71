import type { TemplateResult } from 'lit';
import { ComposingElement } from './base/composing-element.js';

/**
 * The field in which a message is written, with the button that sends it, and stops the answer.
 *
 * It takes the conversation of its `controller`, else of the element around it. Enter sends, Shift and Enter break the line;
 * a composition never sends. What is unsent is kept by the conversation.
 *
 * @example
 * <ubik-composer></ubik-composer>
 *
 * @tagname ubik-composer
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service has taken the message
 * @fires {UbikMessageQueueEvent} ubik-message-queue - before a message is kept until the run is over; cancelable
 * @fires {UbikMessageQueuedEvent} ubik-message-queued - a message is kept until the run is over
 * @fires {UbikQueueEditEvent} ubik-queue-edit - before a message that waits is written anew; cancelable
 * @fires {UbikQueueEditedEvent} ubik-queue-edited - a message that waits has another text
 * @fires {UbikQueueRemoveEvent} ubik-queue-remove - before a message that waits is taken out; cancelable
 * @fires {UbikQueueRemovedEvent} ubik-queue-removed - a message does not wait any more, and is not sent
 * @fires {UbikSuggestionChooseEvent} ubik-suggestion-choose - before a chosen command or name is written into the message; cancelable
 * @fires {UbikSuggestionChosenEvent} ubik-suggestion-chosen - a command or a name was chosen
 * @fires {UbikRunStopEvent} ubik-run-stop - before the service is asked to end the run; cancelable
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file has arrived
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was not taken, or did not arrive
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a list of the page failed; nothing is offered
 * @csspart base - the whole
 * @csspart composer - the field with its button
 * @csspart input - the field
 * @csspart follow-up - a question that may follow an answer
 * @csspart suggestions - commands or names to choose from
 * @csspart suggestion - one of them
 * @csspart dictate - the button that listens
 * @csspart attach - the button that attaches files
 * @csspart document - a file that has not arrived
 * @csspart send - the button that sends or stops
 */
export class UbikComposer extends ComposingElement {
  protected override renderContent(): TemplateResult {
    return this.renderComposer();
  }
}
