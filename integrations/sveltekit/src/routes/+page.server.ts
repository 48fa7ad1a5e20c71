import { env } from '$env/dynamic/private';

export const load = () => ({ baseUrl: `${env['SERVICE_URL']}/api/v1` });
