import 'ubik-elements/define.js';
import { weatherCard } from './weather-card.js';

const chat = document.createElement('ubik-chat');
chat.setAttribute('base-url', '/api/v1');
chat.getToken = () => 'token';
chat.renderers = [{ tool: 'get_weather', renderer: weatherCard }];
document.body.append(chat);
