import { Component } from '@angular/core';
import { Assistant } from './assistant';
import { fetchToken } from './chat';

/** A page with the component of the guide. */
@Component({
  selector: 'app-root',
  imports: [Assistant],
  template: `<app-assistant userId="user-1" [fetchToken]="fetchToken"></app-assistant>`,
})
export class GuidePage {
  protected readonly fetchToken = fetchToken;
}
