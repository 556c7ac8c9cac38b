import process from 'node:process'

// Importing these two modules would evaluate all of their exports, including fetch and WebSocket, which takes a tenth
// of the server's start.

export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
