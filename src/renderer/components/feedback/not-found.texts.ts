import type { Role } from '../../../shared/contracts/people.ts'

/** Every user-visible text in place of a page that can't be opened. */
export const texts = {
  notAllowed: {
    title: 'Not included in your role',
    reason: (roles: readonly Role[], own: Role) =>
      `This page is for ${roles.map((role) => `${role}s`).join(' and ')}, and you are ${/^[ae]/.test(own) ? 'an' : 'a'} ${own}. Ask an administrator to change your role.`,
    start: 'Go to the start page',
  },
} as const
