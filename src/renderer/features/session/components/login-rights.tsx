import { IconFileUpload, IconKey, IconLock } from '@tabler/icons-react'
import type { DeskLogin } from '../../../../shared/contracts/logins.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import { Expectations } from './expectations.tsx'
import { texts } from '../session.texts.ts'

const { access } = texts.confirm

/** What a confirmation allows the terminal to do. */
export function LoginRights({ login, name }: { login: DeskLogin; name: string }) {
  return (
    <Expectations
      title={access.title}
      items={[
        {
          icon: IconKey,
          title: access.token.title,
          text: access.token.text(formatFullDate(login.tokenEndsAt)),
        },
        {
          icon: IconFileUpload,
          title: access.publish.title(name),
          text: access.publish.text,
        },
        { icon: IconLock, ...access.nothingElse },
      ]}
    />
  )
}
