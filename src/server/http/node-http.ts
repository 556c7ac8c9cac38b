import process from 'node:process'

// An `import` of these two modules reads every name they have, and so loads fetch and WebSocket as well: a tenth of the
// time that this server takes to start.

export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
