import type { Words } from '../words.js';

/** Spanish: the frame, the composer, the run, errors. */
export const page: Words = {
  conversation: 'Conversación',
  greeting: '¿En qué puedo ayudarle?',
  starters: 'Preguntas sugeridas',
  loading: 'Cargando la conversación…',
  latest: 'Ir al final',
  you: 'Usted',
  agent: 'Asistente',
  comma: '{words}, {more}',
  colon: '{name}: {words}',
  aside: '{words} ({more})',
  retry: 'Reintentar',
  retryNow: 'Reintentar ahora',
  cancel: 'Cancelar',
  showAll: 'Mostrar todo ({count})',
  attachments: 'Archivos adjuntos',
  sideEnd: 'Panel de detalles',

  composer: 'Mensaje',
  placeholder: 'Escriba un mensaje…',
  placeholderWaiting: 'Su respuesta…',
  send: 'Enviar',
  stop: 'Detener',
  hint: 'Intro para enviar, Mayús + Intro para una línea nueva',
  notSent: 'No se ha enviado. {reason}',
  answersRequest: 'En respuesta a: {question}',

  queue: 'Mensajes en cola',
  hintDraft: 'Se guarda aquí hasta que lo envíe.',
  hintStop: 'Intro para detener y enviar ahora',
  hintQueue: 'Intro para enviar después de la respuesta',

  sending: 'Enviando…',
  working: 'Trabajando…',
  workingOn: 'Paso {step} de {total}',
  stopping: 'Deteniendo…',
  leave: 'Dejar de esperar',
  stalled: 'Sin respuesta desde hace un rato. Se sigue esperando…',
  rejoining: 'Se ha cortado la conexión. Conectando de nuevo…',
  rejoiningIn: {
    one: 'Se ha cortado la conexión. Nuevo intento en {count} segundo.',
    many: 'Se ha cortado la conexión. Nuevo intento en {count} de segundos.',
    other: 'Se ha cortado la conexión. Nuevo intento en {count} segundos.',
  },
  offline: 'No tiene conexión. Lo que escriba se guardará.',
  offlineRun: 'No tiene conexión. La respuesta continuará cuando vuelva la red.',
  interrupted: 'Se ha cortado la conexión y la respuesta está incompleta.',
  signIn: 'Inicie sesión para continuar.',
  stopped: 'Respuesta detenida',
  failed: 'No se ha podido terminar la respuesta.',
  incomplete: 'Respuesta incompleta',
  waitingForYou: 'El asistente necesita una respuesta suya.',
  answerNow: 'Responder',
  finished: 'La respuesta está completa.',

  stepNumber: 'Paso {number}',
  thinking: 'Pensando…',
  checkpointPlain: 'Punto de control',
  goBack: 'Volver aquí…',
  sourceUnnamed: 'Documento',
  page: 'Página {page}',
  startedHint: 'con la indicación: {hint}',

  checkpoints: 'Puntos de control',
  compare: 'Variantes desde el mismo punto',

  documents: 'Documentos',
  attach: 'Adjuntar',
  attachFiles: 'Adjuntar archivos',
  link: 'Añadir {name} a esta conversación',
  close: 'Cerrar',
  filesComing: 'Podrá enviar cuando hayan llegado los archivos.',

  regenerate: 'Regenerar',

  request: 'Pregunta del asistente',
  requestDeclineSentence: 'Prefiero no responder a esta pregunta.',

  threads: 'Conversaciones',

  copied: 'Copiado',
  table: {
    one: 'Tabla de {count} columna',
    many: 'Tabla de {count} de columnas',
    other: 'Tabla de {count} columnas',
  },

  // Commands, mentions, length, pasted text
  suggestCommand: 'Comandos',
  suggestMention: 'Menciones',
  suggestWait: 'Buscando…',
  suggested: {
    one: '{count} sugerencia. Elija con las flechas y acepte con Intro.',
    many: '{count} de sugerencias. Elija con las flechas y acepte con Intro.',
    other: '{count} sugerencias. Elija con las flechas y acepte con Intro.',
  },
  followUps: 'Preguntas sugeridas',
  lengthLeft: {
    one: 'Queda {count} carácter',
    many: 'Quedan {count} de caracteres',
    other: 'Quedan {count} caracteres',
  },
  lengthOver: {
    one: 'Sobra {count} carácter',
    many: 'Sobran {count} de caracteres',
    other: 'Sobran {count} caracteres',
  },
  tooLong: {
    one: 'No se ha enviado. Un mensaje puede tener {count} carácter como máximo: acórtelo primero.',
    many: 'No se ha enviado. Un mensaje puede tener {count} de caracteres como máximo: acórtelo primero.',
    other:
      'No se ha enviado. Un mensaje puede tener {count} caracteres como máximo: acórtelo primero.',
  },
  pastedName: 'Texto pegado',
  pasted: 'El texto pegado se ha adjuntado como documento.',

  // What waits to be sent
  queueAfter: 'Enviar después de esta respuesta',
  queueNow: 'Detener y enviar ahora',
  queueNext: 'Se enviará cuando el asistente se haya detenido.',
  queueWaiting: {
    one: '{count} mensaje se enviará después de esta respuesta.',
    many: '{count} de mensajes se enviarán después de esta respuesta.',
    other: '{count} mensajes se enviarán después de esta respuesta.',
  },
  queueHeld: {
    one: '{count} mensaje no se ha enviado.',
    many: '{count} de mensajes no se han enviado.',
    other: '{count} mensajes no se han enviado.',
  },
  queueResume: 'Enviar',
  queueSend: 'Enviar ahora: {text}',
  queueStopFor: 'Detener y enviar ahora: {text}',
  queueBlocked: 'Responda primero a la pregunta. Después se podrá enviar esto: {text}',
  queueEdit: 'Editar: {text}',
  queueRemove: 'Quitar de la cola: {text}',
  queueSave: 'Guardar',

  // Dictating
  dictate: 'Dictar',
  dictateStop: 'Detener el dictado',
  listening: 'Escuchando…',
  'speech_not-allowed':
    'El micrófono está bloqueado. Permítalo para esta página en el navegador e inténtelo de nuevo.',
  'speech_audio-capture': 'No se ha encontrado ningún micrófono.',
  'speech_no-speech': 'No se ha oído nada. Inténtelo de nuevo.',
  speech_network: 'No se puede acceder al servicio de voz del navegador.',
  'speech_language-not-supported': 'El navegador no admite el dictado en este idioma.',
  speech_other: 'El dictado no ha funcionado. Inténtelo de nuevo.',

  // The window
  openChat: 'Abrir el chat',
  openChatNew: {
    one: 'Abrir el chat: {count} respuesta nueva',
    many: 'Abrir el chat: {count} de respuestas nuevas',
    other: 'Abrir el chat: {count} respuestas nuevas',
  },
  closeChat: 'Cerrar el chat',
  resizeChat: 'Tamaño del chat',
  resizeChatHint: 'Se cambia con las flechas.',

  // A linked message
  linkElsewhere: 'El mensaje enlazado está en otra versión de esta conversación.',
  linkGone: 'El mensaje enlazado no está en esta conversación.',
  linkUnknown: 'El mensaje enlazado no está entre los que se muestran.',
  linkSwitch: 'Cambiar a esa versión',
  linkSwitches: 'A partir de ahí, la conversación sigue en esa versión.',

  // Errors
  error_network: 'No se puede acceder al servicio. Compruebe la conexión e inténtelo de nuevo.',
  error_blocked:
    'Esta página no tiene permiso para conectarse al servicio. Consulte a quien gestiona esta página.',
  'error_not-an-api':
    'La dirección responde, pero no como debería el servicio. Consulte a quien gestiona esta página.',
  error_unauthorized: 'No ha iniciado sesión, o la sesión ha caducado.',
  error_forbidden: 'El servicio no lo permite.',
  'error_not-found': 'Esta conversación no existe o ya no existe.',
  error_busy: 'El asistente sigue trabajando. Espere a que termine o deténgalo.',
  'error_too-large': 'Esto es demasiado grande para el servicio.',
  error_invalid: 'El servicio lo ha rechazado. Cámbielo e inténtelo de nuevo.',
  'error_rate-limited': 'Demasiadas solicitudes. Espere un momento e inténtelo de nuevo.',
  error_server: 'El servicio tiene un problema. Inténtelo de nuevo más tarde.',
  'error_not-open': 'Esta pregunta ya no está abierta.',
  'error_foreign-origin': 'Una dirección lleva fuera del servicio; no se ha enviado nada allí.',
  'error_not-recorded':
    'El servicio aún no ha guardado este mensaje. Inténtelo de nuevo en un momento.',
  'error_not-sent': 'El servicio no ha aceptado el mensaje. Inténtelo de nuevo.',
  error_interrupted: 'Se ha cortado la conexión y la respuesta está incompleta.',
  'error_run-failed': 'Se ha producido un error en el asistente.',
  error_aborted: 'La operación se ha cancelado.',
  'error_message-too-large': 'La respuesta es demasiado larga; se omite el resto.',
  'error_too-many-events':
    'Han llegado más datos de los que se pueden ordenar; a partir de aquí se muestran según llegan.',
  error_unsupported: 'Este servicio no admite esta función.',
  error_misuse: 'Esto no es posible aquí o ya no lo es.',
  error_renderer: 'La página no ha podido mostrar esta parte; aparece como texto sencillo.',
  error_storage: 'El almacenamiento de esta página no funciona.',
  'error_upload-failed': 'El archivo no ha llegado. Inténtelo de nuevo.',
  'error_load-failed':
    'No se ha podido cargar una parte de este chat. Inténtelo de nuevo o recargue la página.',
  error_other: 'Ha ocurrido algo inesperado. Inténtelo de nuevo.',
  sideWidth: 'Ancho de «{name}»',
  sideFold: 'Plegar «{name}»',
  newMessages: {
    one: '{count} mensaje nuevo',
    many: '{count} de mensajes nuevos',
    other: '{count} mensajes nuevos',
  },
};
