import { rolesWith } from './contracts/people.ts'
import type { Role } from './contracts/people.ts'

/** Whether a role includes an access. */
export function may(role: Role, access: keyof typeof rolesWith): boolean {
  const allowed: readonly Role[] = rolesWith[access]
  return allowed.includes(role)
}
