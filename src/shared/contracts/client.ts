import { document, route } from '../route.ts'

/** How developers get the client of this registry. */
export const clientRoutes = {
  getInstallScript: route('GET /install.sh', 'public', {
    tag: 'Operations',
    summary: 'Get the shell script that installs `skill`, the client for this registry',
    reply: document('text/plain; charset=utf-8', 'The script, which verifies the client by its SHA-256'),
    errors: ['NOT_FOUND'],
  }),
  getClient: route('GET /api/skilldock/client', 'public', {
    tag: 'Skilldock',
    summary: 'Get `skill`, the client for this registry: one file for Node 20 or newer',
    reply: document(
      'text/javascript; charset=utf-8',
      'The client, preconfigured with the address of this registry',
    ),
    errors: ['NOT_FOUND'],
  }),
}
