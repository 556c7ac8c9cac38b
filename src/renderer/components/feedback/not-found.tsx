import { IconHelpCircle, IconLock } from '@tabler/icons-react'
import { Link } from 'wouter'
import { rolesWith } from '../../../shared/contracts/people.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { startPageOf } from '../../lib/app/areas.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { EmptyState } from './empty-state.tsx'

export function NotFound({ home }: { home: string }) {
  useTitle('Page not found')
  return (
    <EmptyState icon={IconHelpCircle} title="Page not found" heading>
      <p>There is no page at this address.</p>
      <Link href={home}>Go to the start page</Link>
    </EmptyState>
  )
}

/** In place of a page that the person's role does not include. */
export function NotAllowed({ role, access }: { role: Role; access: keyof typeof rolesWith }) {
  const title = 'Not included in your role'
  const roles = rolesWith[access].map((one) => `${one}s`).join(' and ')
  useTitle(title)
  return (
    <EmptyState icon={IconLock} title={title} heading>
      <p>
        This page is for {roles}, and you are {/^[ae]/.test(role) ? 'an' : 'a'} {role}. Ask an administrator
        to change your role.
      </p>
      <Link href={startPageOf(role)}>Go to the start page</Link>
    </EmptyState>
  )
}
