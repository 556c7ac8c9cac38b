import { document, route, section } from '../route.ts'

/** How developers get the client of this registry. */
export const clientRoutes = {
  ...section('Operations', {
    getInstallScript: route('GET /install.sh', 'public', {
      summary: 'Get the shell script that installs `skill`, the client for this registry',
      reply: document('text/plain; charset=utf-8', 'The script, which verifies the client by its SHA-256'),
      errors: ['NOT_FOUND'],
    }),
  }),
  ...section('Skilldock', {
    getClient: route('GET /api/skilldock/client', 'public', {
      summary: 'Get `skill`, the client for this registry: one file for Node 20 or newer',
      reply: document(
        'text/javascript; charset=utf-8',
        'The client, preconfigured with the address of this registry',
      ),
      errors: ['NOT_FOUND'],
    }),
  }),
}
