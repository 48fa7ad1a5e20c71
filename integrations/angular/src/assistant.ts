import 'ubik-elements/define.js';
import { Component, CUSTOM_ELEMENTS_SCHEMA, input } from '@angular/core';

@Component({
  selector: 'app-assistant',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<ubik-chat
    base-url="/api/v1"
    [userKey]="userId()"
    [getToken]="fetchToken()"
  ></ubik-chat>`,
})
export class Assistant {
  readonly userId = input.required<string>();
  readonly fetchToken = input.required<() => Promise<string>>();
}
