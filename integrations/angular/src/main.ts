import { provideZoneChangeDetection, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app';
import { GuidePage } from './guide-page';

/** Angular starts without zones by default; `?zones` starts the app with them, to test both. `?guide` shows the component of the guide. */
const query = new URLSearchParams(location.search);
const usesZones = query.has('zones');
const zone = usesZones ? import('zone.js') : Promise.resolve();

void zone.then(() =>
  bootstrapApplication(query.has('guide') ? GuidePage : App, {
    providers: [usesZones ? provideZoneChangeDetection() : provideZonelessChangeDetection()],
  }),
);
