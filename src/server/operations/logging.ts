import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type { Logger } from 'pino'

/**
 * Structured logs, one JSON object a line. Headers and bodies are never handed to it, so that no token can
 * get into a log; what looks like one is taken out all the same.
 */
export function createLogger(destination: DestinationStream): Logger {
  return pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['authorization', 'token', '*.authorization', '*.token', 'headers', '*.headers'],
        remove: true,
      },
    },
    destination,
  )
}
