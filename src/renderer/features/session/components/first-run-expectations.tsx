import { IconFolder, IconInbox, IconLayoutNavbar, IconServer2 } from '@tabler/icons-react'
import type { DeskSetting } from '../../../../shared/contracts/desk-settings.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { Expectations } from './expectations.tsx'
import { fixedBy } from '../first-run.ts'
import { texts } from '../session.texts.ts'

const { expectations } = texts.firstRun

/** What the setup creates. */
export function FirstRunExpectations({ settings, port }: { settings: readonly DeskSetting[]; port: string }) {
  return (
    <Expectations
      title={expectations.title}
      items={[
        { icon: IconFolder, ...expectations.folder },
        {
          icon: IconServer2,
          title: expectations.services.title,
          text: expectations.services.text(fixedBy(settings, 'port') === null ? port.trim() : null),
        },
        ...(bridge === null ? [] : [{ icon: IconLayoutNavbar, ...expectations.tray }]),
        { icon: IconInbox, ...expectations.queue },
      ]}
    />
  )
}
