/** An invalid setting; the message names it, where it is set and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
