import process from 'node:process'

// Importing these two modules reads every export, which also loads fetch and WebSocket: a tenth of the server's start.

export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
