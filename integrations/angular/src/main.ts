import { provideZoneChangeDetection, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app';

/** Apps without zones are the default; `?zones` starts this one with them, so that both can be tested. */
const usesZones = new URLSearchParams(location.search).has('zones');
const zone = usesZones ? import('zone.js') : Promise.resolve();

void zone.then(() =>
  bootstrapApplication(App, {
    providers: [usesZones ? provideZoneChangeDetection() : provideZonelessChangeDetection()],
  }),
);
