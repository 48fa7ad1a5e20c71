import type { DiagnosticDetail, ErrorDetail } from './details.js';
import { after } from './event.js';

/** The service wants to know who this is, and the page has given no `getToken`. */
export class UbikAuthRequiredEvent extends after<null>('ubik-auth-required') {}

/** Something went wrong; the person was told. */
export class UbikErrorEvent extends after<ErrorDetail>('ubik-error') {}

/** Something was odd and changed nothing; the person was not told. */
export class UbikDiagnosticEvent extends after<DiagnosticDetail>('ubik-diagnostic') {}
