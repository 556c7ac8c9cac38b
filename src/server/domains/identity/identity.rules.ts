import type { RouteScope } from '../../../shared/route.ts'

/** `iss` and `aud` of the tokens that this server signs itself. */
export const builtInIssuer = 'skilldock'
export const builtInAudience = 'skilldock'

/** Seconds. Rulings: "Default life 30 days". */
export const defaultTokenLife = 30 * 24 * 3600
const longestTokenLife = 3650 * 24 * 3600

/** In characters. Longer tokens are rejected without decoding; no known issuer creates them. */
export const maxTokenLength = 8192

const seconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/**
 * Parses a lifetime such as `90s`, `15m`, `1h` or `30d` into seconds; null if invalid or not within 1 s to 10 years.
 */
export function parseLife(text: string): number | null {
  const match = /^([1-9][0-9]{0,8})([smhd])$/.exec(text)
  const unit = seconds[match?.[2] ?? '']
  if (match === null || unit === undefined) return null
  const life = Number(match[1]) * unit
  return life <= longestTokenLife ? life : null
}

/** Whether a token with the scope `held` may use an endpoint that requires `needed` (rulings, "Tokens"). */
export function scopeReaches(held: RouteScope | null, needed: RouteScope | undefined): boolean {
  if (held === null || held === 'admin') return true
  return held === needed || (held === 'publish' && needed === 'submit')
}
