import { IconFileUpload, IconKey, IconLock } from '@tabler/icons-react'
import { loginTokenDays } from '../../../../shared/contracts/logins.ts'
import type { DeskLogin } from '../../../../shared/contracts/logins.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import { Expectations } from './expectations.tsx'

/** What a confirmation gives away, and how it is taken back. */
export function LoginRights({ login, name }: { login: DeskLogin; name: string }) {
  return (
    <Expectations
      title="What the terminal gets"
      items={[
        {
          icon: IconKey,
          title: `A token for ${loginTokenDays} days`,
          text: `It ends on ${formatFullDate(login.tokenEndsAt)}. You can revoke it before then, at any moment, under My releases.`,
        },
        {
          icon: IconFileUpload,
          title: `It can publish as ${name}`,
          text: 'It submits releases, and reads your own with their status, notes and findings.',
        },
        {
          icon: IconLock,
          title: 'It can do nothing else',
          text: 'It does not review, change people or settings, or open this desk, whatever you may do here.',
        },
      ]}
    />
  )
}
