import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type { Logger } from 'pino'

/**
 * Structured logs, one JSON object per line. Headers and bodies are never passed to it, so that no token gets into a
 * log; as a second safeguard, fields that may contain one are removed.
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
