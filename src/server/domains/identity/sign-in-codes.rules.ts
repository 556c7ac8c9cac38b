/** Milliseconds. The code of a sign-in link expires after five minutes (rulings, "Desk"). */
export const codeLifeMs = 5 * 60_000
