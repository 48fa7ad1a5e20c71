'use client';
import 'ubik-elements/define.js';
import { useEffect } from 'react';
import type { UbikTranscript } from 'ubik-elements';
import { createStreamController } from 'ubik-elements/controller.js';
import { createUbikBackend } from 'ubik-elements/ubik.js';

/** Gives the transcript that the server has rendered a controller, so that it becomes live. */
export function LiveTranscript({ baseUrl }: { baseUrl: string }) {
  useEffect(() => {
    const backend = createUbikBackend({ baseUrl, getToken: async () => 'token' });
    const controller = createStreamController({ backend });
    const transcript = document.querySelector<UbikTranscript>('#conversation');
    if (transcript) transcript.controller = controller;
    // After a failure, the transcript stays as the server has rendered it.
    controller.openThread('s1').catch(() => undefined);
    return () => controller.close();
  }, [baseUrl]);
  return null;
}
